/*
 * copies.h - signal handlers where a process has several copies of the
 * library, such as that of a plugin or of a namespace of dlmopen(3).
 *
 * The system keeps one handler for a signal, and the library takes only
 * signals that have their default action. So a copy that comes later puts its
 * handler before that of an earlier copy, and passes the signal on to it. It
 * knows the handler of a copy by the signals that this blocks.
 *
 * Threads: one at a time for the same handler, but tr2_copies_pass_on()
 * is for signal handlers.
 */
#ifndef TR2_ENDING_COPIES_H
#define TR2_ENDING_COPIES_H

/* One signal's handler of this copy. Zero: not installed. */
struct tr2_copies {
	void (*next)(int signo); /* atomic; of an earlier copy, or NULL */
	int is_installed;
};

/*
 * Install the handler if the signal has its default action or the handler of
 * another copy.
 */
void tr2_copies_install(struct tr2_copies *copies, int signo,
			void (*handler)(int signo));

/*
 * Give the signal back, unless another handler has taken it. A later copy may
 * still pass it on to ours.
 */
void tr2_copies_remove(struct tr2_copies *copies, int signo,
		       void (*handler)(int signo));

/* Pass the signal on to an earlier copy. 0: there is none. */
int tr2_copies_pass_on(const struct tr2_copies *copies, int signo);

#endif
