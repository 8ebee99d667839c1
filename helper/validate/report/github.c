#include "validate/report/report.h"

/*
 * A workflow command is one line. `%` is escaped, and in a property `:` and
 * `,`, too.
 */
static void put_escaped(struct tr2_buf *out, const char *text,
			const char *special)
{
	static const char hex[] = "0123456789ABCDEF";
	unsigned char byte;

	for (; *text; text++) {
		byte = (unsigned char)*text;
		if (!strchr(special, *text)) {
			tr2_buf_byte(out, *text);
			continue;
		}
		tr2_buf_byte(out, '%');
		tr2_buf_byte(out, hex[byte >> 4]);
		tr2_buf_byte(out, hex[byte & 15]);
	}
}

/* Put the text without control characters and bytes that are not UTF-8. */
static void put_clean(struct tr2_buf *out, const char *text,
		      const char *special)
{
	struct tr2_buf clean = TR2_BUF_INIT;

	tr2_excerpt_clean(&clean, text, strlen(text));
	tr2_buf_byte(&clean, '\0');
	if (clean.failed)
		out->failed = 1;
	else
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

	tr2_buf_str(out, commands[finding->level]);
	tr2_buf_str(out, " file=");
	put_clean(out, finding->file, "%:,");
	if (!finding->binary) {
		tr2_buf_str(out, ",line=");
		tr2_buf_uint(out, finding->line);
		tr2_buf_str(out, ",col=");
		tr2_buf_uint(out, finding->column);
	}
	tr2_buf_str(out, ",title=");
	tr2_buf_str(out, finding->id);
	tr2_buf_str(out, "::");
	if (finding->binary) {
		tr2_excerpt_place(out, finding);
		tr2_buf_str(out, ": ");
	}
	put_clean(out, finding->message, "%");
	tr2_buf_byte(out, '\n');
}
