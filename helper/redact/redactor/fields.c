#include "redact/redactor/redactor.h"

#include "fields_rows.h"

enum tr2_field tr2_field_of(enum tr2_is event, enum tr2_key key)
{
#define FIELD(event, key, field) \
	[TR2_IS_##event][TR2_KEY_##key] = TR2_FIELD_##field,
	static const unsigned char table[TR2_IS_OTHER + 1][TR2_KEYS] = {
		FIELDS_ROWS(FIELD)
	};

	if (!table[TR2_IS_OTHER][key])
		return (enum tr2_field)table[event][key];
	return (enum tr2_field)table[TR2_IS_OTHER][key];
}
