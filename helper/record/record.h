/*
 * record.h - the commands about tracing: `trace2 record`, `manager`,
 * `list-providers`, `list-categories`. Each returns the exit status:
 * 0 all well, 1 not, 2 wrong usage.
 */
#ifndef TR2_RECORD_H
#define TR2_RECORD_H

int tr2_record_main(int argc, char **argv);
int tr2_manager_main(int argc, char **argv);
int tr2_list_providers_main(int argc, char **argv);
int tr2_list_categories_main(int argc, char **argv);

#endif
