/*
 * shard.h - `trace2 shard`: divide log files among machines or processes, so
 * that each can summarize its part and the states can be merged.
 *
 * A tree of processes must not be divided. The first component of a SID names
 * the root of the tree, so the hash of this component alone chooses the shard
 * of a file. It does not depend on the other files, their order or their
 * names: the lists of several machines fit together.
 *
 * Only the head of a file is read, as far as its first SID. A file that has
 * several trees goes where its first one belongs. Where trees extend over
 * several files, as those of `collect`, the directory can choose the shard
 * instead: all files of one machine then go together. The room never changes,
 * moves or judges a log.
 */
#ifndef TR2_SHARD_SHARD_H
#define TR2_SHARD_SHARD_H

/* argv[0] is "shard". Returns the exit status. */
int tr2_shard_main(char **argv);

#endif
