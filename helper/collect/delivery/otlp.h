/*
 * otlp.h - an output that posts spans to a receiver of OTLP/HTTP. It posts
 * when it has a MiB, or a second after the first span.
 *
 * A POST that fails is repeated for as long as the service runs, unless the
 * receiver says that it will always fail; its spans are counted then. While
 * it is repeated, this output reads nothing, and events wait in the spool.
 * Spans may be posted twice, with the same ids: after a POST without an
 * answer. A list of what was posted prevents that after a restart.
 */
#ifndef TR2_DELIVERY_OTLP_H
#define TR2_DELIVERY_OTLP_H

#include <stdbool.h>
#include <stdint.h>

#define TR2_OTLP_HEADERS 16
#define TR2_OTLP_WAIT 600	   /* s; see spans.h */
#define TR2_OTLP_REST 1		   /* s */
#define TR2_OTLP_WAIT_MOST 1000000 /* s */

/* Of all such outputs. */
struct tr2_otlp_settings {
	const char *headers[TR2_OTLP_HEADERS];
	uint32_t header_count;
	uint64_t wait, rest; /* s */
	bool gzip;
};

/* Returns the URL of an output's name, or NULL if it is of another kind. */
const char *tr2_otlp_find_url(const char *target);

#endif
