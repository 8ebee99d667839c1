#include <string.h>

#include "lib/common/memory.h"
#include "lib/text/foreign.h"
#include "lib/text/text.h"
#include "validate/report/report.h"

/*
 * A workflow command is one line. `%` is escaped, and in a property `:` and
 * `,`, too.
 */
static void put_escaped(struct tr2_buf *out, const char *text,
			const char *special)
{
	for (; *text; text++)
		if (strchr(special, *text))
			tr2_text_put(out, "%%%02X", (unsigned char)*text);
		else
			tr2_buf_byte(out, *text);
}

/* Put the text without control characters and bytes that are not UTF-8. */
static void put_clean(struct tr2_buf *out, const char *text,
		      const char *special)
{
	struct tr2_buf clean = TR2_BUF_INIT;

	tr2_foreign_line(&clean, text, strlen(text));
	tr2_must_end(&clean);
	put_escaped(out, clean.bytes, special);
	tr2_buf_release(&clean);
}

void tr2_github_finding(struct tr2_buf *out, const struct tr2_shown *shown)
{
	const struct tr2_finding *finding = shown->finding;
	static const char *const commands[TR2_LEVELS] = {
		[TR2_ERROR] = "::error",
		[TR2_WARNING] = "::warning",
		[TR2_INFO] = "::notice",
	};

	tr2_text_put(out, "%s file=", commands[finding->level]);
	put_clean(out, finding->file, "%:,");
	if (!finding->binary)
		tr2_text_put(out, ",line=%lu,col=%zu", finding->line,
			     finding->column);
	tr2_text_put(out, ",title=%s::", finding->id);
	if (finding->binary) {
		tr2_excerpt_place(out, finding);
		tr2_buf_str(out, ": ");
	}
	put_clean(out, finding->message, "%");
	tr2_buf_byte(out, '\n');
}
