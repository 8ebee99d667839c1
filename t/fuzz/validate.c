/*
 * Any bytes as a log: of EVENT as the programs that are known take it, of
 * NORMAL, or of PERF, as the first byte says. The validator says what is
 * wrong within the line, and goes on.
 */
#include <stdlib.h>

#include "convert/tell.h"
#include "validate/consumer.h"
#include "validate/textlog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_nothing(struct tr2_buf *out, const struct tr2_finding *finding)
{
	(void)out;
	if (!finding->id || !*finding->id)
		abort();
}

static void give_lines(struct tr2_checker *checker, struct tr2_textlog *log,
		       const uint8_t *data, size_t size)
{
	struct tr2_block block = { 0 };
	struct tr2_line line;
	size_t i;

	tr2_block_make_room(&block, size);
	memcpy(block.text, data, size);
	block.len = size;
	block.torn = data[size - 1] != '\n';
	tr2_block_prepare(&block, false);
	for (i = 0; i < block.count; i++) {
		line = tr2_block_line(&block, i);
		line.number = i + 1;
		if (log)
			tr2_textlog_line(log, &line);
		else
			tr2_checker_line(checker, &line);
	}
	tr2_block_release(&block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct tr2_format silent = { "", "", "", put_nothing,
						  NULL };
	static const enum tr2_text_form forms[] = {
		TR2_TEXT_NONE, TR2_TEXT_NORMAL, TR2_TEXT_PERF, TR2_TEXT_NONE
	};
	enum tr2_text_form form;
	struct tr2_tell tell;

	if (size < 2)
		return 0;
	form = forms[data[0] & 3];
	tr2_tell_begin(&tell);
	tell.report.format = &silent;
	if (data[0] & 4)
		tell.checker.consumers =
			tr2_consumers_new(tr2_consumers_named("all"));
	tr2_checker_begin_file(&tell.checker, "log", 1);
	if (form == TR2_TEXT_NONE) {
		give_lines(&tell.checker, NULL, data + 1, size - 1);
	} else {
		struct tr2_textlog log = TR2_TEXTLOG_INIT(&tell.checker, form);

		give_lines(&tell.checker, &log, data + 1, size - 1);
		tr2_textlog_end(&log);
	}
	tr2_checker_end(&tell.checker);
	tr2_consumers_free(tell.checker.consumers);
	tell.checker.consumers = NULL;
	tr2_tell_release(&tell);
	return 0;
}
