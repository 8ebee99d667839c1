/*
 * fxt_engine.h - the trace engine under the FXT and Chrome targets: which
 * categories it records, and the file that it fills.
 *
 * There is one engine in a process, so at most one of the two targets has
 * it, or the program has it itself. The program's own trace points are in
 * the same trace.
 *
 * Threads: begin, settle and end on one thread; questions from any.
 */
#ifndef TR2_TARGET_FXT_ENGINE_H
#define TR2_TARGET_FXT_ENGINE_H

struct tr2_destination_options;
struct tr2_fxt_file;

/* Who decides whether a record of a category is written. */
enum tr2_fxt_judge {
	TR2_FXT_LIST,	 /* the setting's list alone */
	TR2_FXT_MANAGER, /* the manager, for what is in the list */
	TR2_FXT_AGENT	 /* the agent, which has been given the list */
};

/* `categories` is a comma list, or NULL for all; it is not copied. */
void tr2_fxt_engine_judge(enum tr2_fxt_judge judge, const char *categories);

/* Is a record of that category asked for? Constant while a target is on. */
extern int tr2_fxt_wants_all;
int tr2_fxt_asks_for(const char *category);

static inline int tr2_fxt_wants(const char *category)
{
	return tr2_fxt_wants_all || tr2_fxt_asks_for(category);
}

/*
 * Is there an engine on this machine? (See trace/engine/fxt.h.) If not, a
 * warning says that the target can't be opened, unless it is off.
 */
int tr2_fxt_engine_is_there(const struct tr2_destination_options *destination);

/* Does somebody have the engine? */
int tr2_fxt_engine_is_taken(void);

/*
 * Trace into a file that was begun. 0, or an error, after which the file
 * is forgotten.
 */
int tr2_fxt_engine_begin(struct tr2_fxt_file *file);

/*
 * Find out whether the file was cut since. With destination debug, warn
 * why events are lost, if any are.
 */
void tr2_fxt_engine_settle(const struct tr2_destination_options *destination);

/* Stop, and cut the file after the last record. */
void tr2_fxt_engine_end(void);

/* In a forked child, where the engine is off: let go of the file. */
void tr2_fxt_engine_forget(struct tr2_fxt_file *file);

#endif
