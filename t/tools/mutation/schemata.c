/*
 * Linked with programs that carry mutants. TR2_MUTANT in the environment
 * chooses one of them by number; TR2_REACH names a file with a byte for each,
 * in which is noted what is reached.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int tr2_mutant;
char *tr2_reached;

__attribute__((constructor)) static void choose(void)
{
	const char *number = getenv("TR2_MUTANT");
	const char *path = getenv("TR2_REACH");
	struct stat status;
	void *map;
	int fd;

	if (number)
		tr2_mutant = atoi(number);
	if (!path)
		return;
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!fstat(fd, &status)) {
		map = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE,
			   MAP_SHARED, fd, 0);
		if (map != MAP_FAILED)
			tr2_reached = map;
	}
	close(fd);
}
