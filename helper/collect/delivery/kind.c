#include "collect/delivery/kind.h"

const struct tr2_output_kind *tr2_kind_find(const char *text)
{
	static const struct tr2_output_kind *const kinds[] = {
		&tr2_kind_files,
		&tr2_kind_stdout,
		&tr2_kind_socket,
		&tr2_kind_otlp,
	};
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i]->matches(text))
			return kinds[i];
	return NULL;
}
