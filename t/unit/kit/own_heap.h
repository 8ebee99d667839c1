/*
 * own_heap.h - gives a unit program the library's own heap, as programs have
 * it that link libtrace2. Others share the C library's.
 */
#ifndef UNIT_KIT_OWN_HEAP_H
#define UNIT_KIT_OWN_HEAP_H

#include "host/heap_own.c"

#endif
