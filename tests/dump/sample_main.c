/* SPDX-License-Identifier: MIT */
/* Writes the sample to a file: sample FILE. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "sample.h"

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0666) : -1;

	if (fd < 0 || sample_write(fd) || close(fd)) {
		fprintf(stderr, "usage: sample FILE\n");
		return 1;
	}
	return 0;
}
