/* SPDX-License-Identifier: MIT */
/* Writes the sample to a file: sample FILE [NAME-OF-ITS-KERNEL]. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sample.h"

int main(int argc, char **argv)
{
	int fd = argc == 2 || argc == 3 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0666) : -1;
	int ret = -1;

	if (fd >= 0)
		ret = argc == 3 ? sample_write_named(fd, argv[2], strlen(argv[2]))
				: sample_write(fd);
	if (ret || close(fd)) {
		fprintf(stderr, "usage: sample FILE [NAME]\n");
		return 1;
	}
	return 0;
}
