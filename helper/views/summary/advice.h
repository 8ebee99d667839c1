/*
 * advice.h - what the tables prove about settings of git that would save
 * time. Advice names the region or child, its share of the wall time and the
 * setting. There is none without proof.
 */
#ifndef TR2_SUMMARY_ADVICE_H
#define TR2_SUMMARY_ADVICE_H

#include "views/summary/table.h"

void tr2_advice_put(struct tr2_buf *out, const struct tr2_result *result);

#endif
