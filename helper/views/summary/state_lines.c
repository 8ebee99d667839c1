#include "views/summary/state_lines.h"

#include <string.h>

void tr2_state_put_about(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_about *about = &forest->about;

	if (!about->version && !about->repository && !about->begin)
		return;
	tr2_buf_str(out, "about");
	tr2_fields_put(out, tr2_rows_text(&forest->rows, about->version, NULL));
	tr2_fields_put(out,
		       tr2_rows_text(&forest->rows, about->repository, NULL));
	tr2_fields_put_number(out, about->versions);
	tr2_fields_put_number(out, about->repositories);
	tr2_fields_put_number(out, about->begin);
	tr2_buf_byte(out, '\n');
}

bool tr2_state_take_about(struct tr2_forest *forest,
			  const struct tr2_fields *fields)
{
	struct tr2_about about;
	int64_t values[3];

	if (!tr2_fields_numbers(fields, 3, values, 3))
		return false;
	about = (struct tr2_about){
		.version = tr2_rows_name(&forest->rows, fields->at[1],
					 strlen(fields->at[1])),
		.repository = tr2_rows_name(&forest->rows, fields->at[2],
					    strlen(fields->at[2])),
		.versions = values[0] != 0,
		.repositories = values[1] != 0,
		.begin = values[2],
	};
	tr2_about_add(&forest->about, &about);
	return true;
}

/* A message that has a NUL ends before it. */
void tr2_state_put_failure(struct tr2_buf *out, const struct tr2_forest *forest)
{
	const struct tr2_failure failure = forest->failure;
	char text[TR2_FAILURE_MESSAGE + 1] = "";

	if (!failure.count)
		return;
	tr2_buf_str(out, "failure");
	tr2_fields_put(out, tr2_rows_text(&forest->rows, failure.name, NULL));
	if (failure.message.len)
		memcpy(text, failure.message.bytes, failure.message.len);
	tr2_fields_put(out, text);
	tr2_fields_put_number(out, (int64_t)failure.count);
	tr2_fields_put_number(out, failure.end);
	tr2_fields_put_number(out, (int64_t)failure.key);
	tr2_fields_put_number(out, failure.has_code);
	tr2_fields_put_number(out, failure.code);
	tr2_fields_put_number(out, failure.signal);
	tr2_buf_byte(out, '\n');
}

bool tr2_state_take_failure(struct tr2_forest *forest,
			    const struct tr2_fields *fields)
{
	int64_t values[6];
	struct tr2_failure failure;

	if (!tr2_fields_numbers(fields, 3, values, 6))
		return false;
	failure = (struct tr2_failure){
		.count = (uint64_t)values[0],
		.end = values[1],
		.key = (uint64_t)values[2],
		.name = tr2_rows_name(&forest->rows, fields->at[1],
				      strlen(fields->at[1])),
		.has_code = values[3] != 0,
		.code = values[4],
		.signal = values[5],
	};
	tr2_failure_offer(&forest->failure, &failure, fields->at[2]);
	return true;
}
