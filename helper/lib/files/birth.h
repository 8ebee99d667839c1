/* birth.h - when a file was made. Only Linux tells, and not of each disk. */
#ifndef TR2_FILES_BIRTH_H
#define TR2_FILES_BIRTH_H

#include <stdint.h>

/* In ns, or 0: nobody knows. */
uint64_t tr2_birth_find(int fd);

#endif
