/* SPDX-License-Identifier: MIT */
/* Loads the library twice, so that registration and its end both happen twice. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	int (*run)(int);

	for (int i = 0; i < 2 && argc == 2; i++) {
		void *library = dlopen(argv[1], RTLD_NOW);

		if (!library) {
			printf("%s\n", dlerror());
			return 1;
		}
		*(void **)&run = dlsym(library, "library_run");
		if (!run || run(40 + i) != 40 + i)
			return 1;
		dlclose(library);
	}
	return argc != 2;
}
