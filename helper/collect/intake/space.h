/*
 * space.h - tells on standard error when lines cannot be kept because the disk
 * is full, at once, and when they can be kept again.
 */
#ifndef TR2_INTAKE_SPACE_H
#define TR2_INTAKE_SPACE_H

#include "collect/intake/intake.h"

/* Look whether there is space, and tell what has changed. */
void tr2_space_watch(struct tr2_collect_intake *intake);

/* Shorten a wait of so many ms (-1: for ever) while the disk is full. */
int tr2_space_shorten(const struct tr2_collect_intake *intake, int timeout_ms);

#endif
