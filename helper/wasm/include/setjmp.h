/* setjmp.h - without a way back: what is out of memory ends. */
#pragma once
#include <stdlib.h>

typedef int jmp_buf[1];

#define setjmp(place) ((void)(place), 0)
#define longjmp(place, value) exit(value)
