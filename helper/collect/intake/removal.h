/*
 * removal.h - files of watched directories that are removed when all outputs
 * have got them. What was dropped, or missed by an output, the file alone still
 * has: it stays.
 */
#ifndef TR2_INTAKE_REMOVAL_H
#define TR2_INTAKE_REMOVAL_H

#include "collect/intake/sight.h"

/* The positions of an earlier process were read. */
void tr2_removal_begin(struct tr2_watches *watches,
		       struct tr2_journal *journal);

/* A look begins. */
void tr2_removal_look(struct tr2_watches *watches, struct tr2_journal *journal);

/* Note if an output has missed lines of the file. Before it is read on. */
void tr2_removal_notice(const struct tr2_sight *sight);

/* Remove the file if it is time, and nothing is lost with it. */
void tr2_removal_try(const struct tr2_sight *sight);

#endif
