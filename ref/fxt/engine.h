/*
 * engine.h - the trace engine for the FXT and Chrome targets: which
 * categories it records, and the file that it fills.
 *
 *	FXT, Chrome --> engine.h --> file.h --> pages of a file <-- guard.h
 *
 * This room holds what both targets need of the engine, and the archive that
 * the FXT target fills: its file, and the guard that keeps the program alive
 * when somebody cuts the file. Only ref/target uses it; it knows neither
 * events nor the table of targets.
 *
 * A process has one engine, so only one of these two targets can use it,
 * unless the program itself does. The program's own trace points are in the
 * same trace.
 *
 * Threads: begin, settle and end on one thread; queries from any.
 */
#ifndef TR2_FXT_ENGINE_H
#define TR2_FXT_ENGINE_H

struct tr2_destination_options;
struct tr2_fxt_file;

/* Decides whether a record of a category is written. */
enum tr2_fxt_judge {
	TR2_FXT_LIST,	 /* only the setting's list */
	TR2_FXT_MANAGER, /* the manager, for categories in the list */
	TR2_FXT_AGENT	 /* the agent, which knows the list */
};

/* `categories` is a comma list, or NULL for all; it is not copied. */
void tr2_fxt_engine_judge(enum tr2_fxt_judge judge, const char *categories);

/* Are records of this category wanted? Another judge decides the same. */
extern int tr2_fxt_wants_all; /* atomic */
int tr2_fxt_asks_for(const char *category);

static inline int tr2_fxt_wants(const char *category)
{
	return __atomic_load_n(&tr2_fxt_wants_all, __ATOMIC_RELAXED) ||
	       tr2_fxt_asks_for(category);
}

/*
 * Does the engine work on this machine? (See trace/engine/fxt.h.) If not,
 * warns that the target can't be opened, unless it is off.
 */
int tr2_fxt_engine_is_there(const struct tr2_destination_options *destination);

/* Does anybody own the engine? */
int tr2_fxt_engine_is_taken(void);

/*
 * Trace into a file that was begun. 0, or an error; then the file is given
 * up.
 */
int tr2_fxt_engine_begin(struct tr2_fxt_file *file);

/*
 * Find out whether the file was cut meanwhile. With destination debug, warn
 * why events are lost, if there are any.
 */
void tr2_fxt_engine_settle(const struct tr2_destination_options *destination);

/*
 * With destination debug, warn why events did not reach the file: somebody
 * else has changed it (`is_gone`), or it has an error.
 */
void tr2_fxt_engine_warn(struct tr2_fxt_file *file, int is_gone,
			 const struct tr2_destination_options *destination);

/* Stop, and cut the file after the last record. */
void tr2_fxt_engine_end(void);

/* In a forked child, in which the engine is off: give up the file. */
void tr2_fxt_engine_forget(struct tr2_fxt_file *file);

#endif
