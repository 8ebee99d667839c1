/* unistd.h - one user, who owns all files. */
#pragma once
#include_next <unistd.h>

#define geteuid() 0
#define fchown(fd, owner, group) 0
#undef lseek /* the C library has a function of it, too */
