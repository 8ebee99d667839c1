/*
 * redact [-z] [--json] TEXT...: print each text without its passwords, with
 * an LF at the end, or a NUL if -z is given.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "event/redact.h"
#include "tool/commands/commands.h"

int cmd_redact(int argc, const char **argv)
{
	struct tr2_buf out = TR2_BUF_INIT;
	int json = 0, end = '\n';

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-z")) {
			end = '\0';
		} else if (!strcmp(argv[i], "--json")) {
			json = 1;
		} else {
			tr2_buf_reset(&out);
			if (json)
				tr2_redact_add_json(&out, argv[i]);
			else
				tr2_redact_add(&out, argv[i]);
			if (!out.failed)
				fwrite(out.bytes, 1, out.len - 1, stdout);
			putchar(end);
		}
	}
	tr2_buf_release(&out);
	return 0;
}
