#include "redact/redactor/redactor.h"

#include <string.h>

#include "base/json.h"
#include "lib/common/memory.h"
#include "lib/text/text.h"

void tr2_redactor_copy(struct tr2_redactor *redactor, size_t place)
{
	tr2_buf_add(redactor->out, redactor->record.parse.text + redactor->done,
		    place - redactor->done);
	redactor->done = place;
}

void tr2_redactor_show(struct tr2_redactor *redactor,
		       const struct tr2_value *value, const char *text,
		       size_t len)
{
	const struct tr2_buf *shown = &redactor->shown;

	if (shown->failed)
		tr2_memory_out();
	if (tr2_text_is(text, len, "") ||
	    (shown->len == len && !memcmp(shown->bytes, text, len)))
		return;
	tr2_redactor_copy(redactor, value->start);
	tr2_json_text(redactor->out, shown->bytes, shown->len);
	redactor->done = value->end;
}

const char *tr2_redactor_read(struct tr2_redactor *redactor,
			      const struct tr2_value *value, size_t *len)
{
	tr2_buf_reset(&redactor->shown);
	return tr2_parse_text(&redactor->record.parse, value, &redactor->text,
			      len);
}
