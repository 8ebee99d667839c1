/* A recording whose output is JSON: the archive is converted at its end. */
#include <string.h>

#include "lib/text/foreign.h"
#include "views/convert/convert.h"
#include "record/record_part.h"

bool tr2_record_is_json(const char *output)
{
	size_t len = strlen(output);

	return len > 5 && !strcmp(output + len - 5, ".json");
}

int tr2_record_check_json(const struct tr2_whole_file *file, const char *output)
{
	if (file->partial || !tr2_record_is_json(output))
		return 0;
	tr2_foreign_complain(
		"record", "cannot write JSON to something that is not a file",
		output);
	return 1;
}

void tr2_record_tell_moved(const char *moved)
{
	if (moved)
		tr2_foreign_complain("record",
				     "what an earlier recording left is now in",
				     moved);
}

int tr2_record_leave(struct tr2_whole_file *file)
{
	if (file->partial)
		tr2_foreign_complain("record", "the archive is in",
				     file->partial);
	tr2_whole_file_leave(file);
	return 1;
}

int tr2_record_convert(struct tr2_whole_file *file, const char *output)
{
	int code = tr2_convert_to_chrome(file->partial, output);

	if (code <= 1) {
		tr2_whole_file_drop(file);
		return code;
	}
	return tr2_record_leave(file);
}
