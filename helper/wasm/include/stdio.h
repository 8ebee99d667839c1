/* stdio.h - without files that have no name. */
#pragma once
#include_next <stdio.h>

#define tmpfile() NULL
