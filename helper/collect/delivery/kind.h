/*
 * kind.h - the kinds of outputs. A kind receives runs of bytes, which begin
 * and end anywhere in a line, and tells how much it has accepted. It runs in
 * the thread of its delivery, and may wait for a while, but must look at
 * tr2_delivery_must_stop() meanwhile.
 */
#ifndef TR2_DELIVERY_KIND_H
#define TR2_DELIVERY_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct tr2_delivery;
struct tr2_otlp_place;

struct tr2_output_kind {
	/* Does the text name such an output? */
	bool (*matches)(const char *text);
	/*
	 * Begin, or begin again after a failure; the next byte is the first
	 * of a line. 0, or an errno value.
	 */
	int (*open)(struct tr2_delivery *delivery);
	/* Returns how many bytes were accepted, or -1 and errno. */
	ssize_t (*write)(struct tr2_delivery *delivery, const char *bytes,
			 size_t len);
	/* There is nothing to write; called about twice a second. Or NULL. */
	void (*tick)(struct tr2_delivery *delivery);
	/* The journal has ended: pass on what it still has. Or NULL. */
	void (*finish)(struct tr2_delivery *delivery);
	/* After a failure, or at the end. */
	void (*close)(struct tr2_delivery *delivery, bool failed);
	/*
	 * How far this output is done with the journal, if that is less than
	 * it has accepted. Or NULL.
	 */
	struct tr2_otlp_place (*find_done)(struct tr2_delivery *delivery);
	bool final; /* there is no second attempt after a failure */
};

extern const struct tr2_output_kind tr2_kind_files, tr2_kind_stdout,
	tr2_kind_socket, tr2_kind_otlp;

/* Returns the kind of this output, or NULL. */
const struct tr2_output_kind *tr2_kind_find(const char *text);

#endif
