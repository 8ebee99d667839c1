#include "views/summary/answer.h"

#include <stdlib.h>

#include "lib/common/memory.h"
#include "views/summary/intake.h"
#include "views/result/result.h"

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
