#include "views/summary/intake.h"

#include <stdlib.h>

#include "lib/common/memory.h"
#include "lib/text/foreign.h"
#include "model/account/forest.h"
#include "views/result/result.h"
#include "views/summary/summary.h"

void tr2_intake_begin(struct tr2_reader *reader, const char *command,
		      struct tr2_forest *forest)
{
	tr2_reader_begin(reader, command, TR2_READER_LOGS);
	reader->take = tr2_summary_event;
	reader->taker = reader->leaver = forest;
	reader->leave = tr2_forest_leave;
}

void tr2_intake_end(struct tr2_reader *reader, struct tr2_forest *forest)
{
	tr2_forest_end(forest);
	tr2_reader_end(reader);
	forest->counts.unread += forest->window.until ? forest->window.unread
						      : reader->broken;
}

void tr2_intake_complain(const struct tr2_reader *reader,
			 const struct tr2_forest *forest, const char *path)
{
	const char *why = "there is no event";

	if (reader->skipped || reader->unreadable)
		return;
	if (tr2_forest_is_filtered(forest))
		why = "no command fits the options";
	else if (forest->counts.unread)
		why = "no line has an event with a `sid`; 'trace2 validate' "
		      "shows what is wrong";
	tr2_foreign_complain(reader->command, why, path);
}

void tr2_summary_answer(const char *path, FILE *out)
{
	struct tr2_forest *forest = tr2_must_zeros(sizeof(*forest));
	struct tr2_buf text = TR2_BUF_INIT;
	struct tr2_reader reader;
	struct tr2_result result;

	tr2_forest_begin(forest);
	tr2_intake_begin(&reader, "record", forest);
	tr2_reader_visit(&reader, path);
	tr2_intake_end(&reader, forest);
	if (forest->counts.processes) {
		tr2_result_begin(&result, forest);
		tr2_result_brief(&text, &result);
		tr2_must_write(&text, out);
		tr2_result_release(&result);
	}
	tr2_reader_release(&reader);
	tr2_forest_release(forest);
	tr2_buf_release(&text);
	free(forest);
}
