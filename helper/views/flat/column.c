#include "views/flat/column.h"

#define KIND_NAME(kind, name) name,
const char *const tr2_flat_kind_names[TR2_FLAT_KIND_COUNT + 1] = {
	TR2_FLAT_KINDS(KIND_NAME) NULL
};

#define COLUMN(kind, column, name, type) { name, TR2_FLAT_##type },
static const struct tr2_flat_column processes[] = { TR2_FLAT_PROCESSES(
	COLUMN) };
static const struct tr2_flat_column regions[] = { TR2_FLAT_REGIONS(COLUMN) };
static const struct tr2_flat_column data[] = { TR2_FLAT_DATA(COLUMN) };
static const struct tr2_flat_column errors[] = { TR2_FLAT_ERRORS(COLUMN) };
static const struct tr2_flat_column events[] = { TR2_FLAT_EVENTS(COLUMN) };
static const struct tr2_flat_column children[] = { TR2_FLAT_CHILDREN(COLUMN) };

static const struct {
	const struct tr2_flat_column *columns;
	size_t count;
} kinds[TR2_FLAT_KIND_COUNT] = {
	[TR2_FLAT_KIND_PROCESSES] = { processes, TR2_FLAT_PROCESSES_END },
	[TR2_FLAT_KIND_REGIONS] = { regions, TR2_FLAT_REGIONS_END },
	[TR2_FLAT_KIND_DATA] = { data, TR2_FLAT_DATA_END },
	[TR2_FLAT_KIND_ERRORS] = { errors, TR2_FLAT_ERRORS_END },
	[TR2_FLAT_KIND_EVENTS] = { events, TR2_FLAT_EVENTS_END },
	[TR2_FLAT_KIND_CHILDREN] = { children, TR2_FLAT_CHILDREN_END },
};

const struct tr2_flat_column *tr2_flat_columns(enum tr2_flat_kind kind,
					       size_t *count)
{
	*count = kinds[kind].count;
	return kinds[kind].columns;
}
