#include "lib/common/memory.h"
#include "read/origin.h"
#include "views/table/event.h"

static void put_field(struct tr2_flat_row *row, size_t column,
		      const struct tr2_flat_column *described,
		      const struct tr2_flat_value *value)
{
	struct tr2_buf text = TR2_BUF_INIT;

	if (described->type != TR2_FLAT_TEXT) {
		tr2_flat_set_number(row, column, value->number);
		return;
	}
	tr2_buf_byte(&text, '[');
	if (value->text.len)
		tr2_buf_add(&text, value->text.bytes, value->text.len);
	tr2_buf_byte(&text, ']');
	if (text.failed)
		tr2_memory_out();
	tr2_flat_set_text(row, column, text.bytes, text.len);
	tr2_buf_release(&text);
}

/* A process without values has zeros. */
static void put_fields(struct tr2_flat_maker *maker,
		       const struct tr2_flat_process *process)
{
	static const struct tr2_flat_value none;
	size_t first = maker->select->first,
	       count = maker->select->columns.count - first, i;
	const struct tr2_flat_column *columns = maker->select->columns.items;
	const struct tr2_flat_value *value = process->values.items;

	for (i = 0; i < count; i++)
		put_field(&maker->row, first + i, &columns[first + i],
			  process->values.count ? &value[i] : &none);
}

static void put_end(struct tr2_flat_row *row,
		    const struct tr2_flat_process *process)
{
	const struct tr2_flat_facts *facts = &process->facts;

	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_FINISHED,
			    !facts->unfinished);
	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_FAILED, facts->failed);
	if (facts->has_code)
		tr2_flat_set_number(row,
				    facts->is_signal ? TR2_FLAT_PROCESSES_SIGNAL
						     : TR2_FLAT_PROCESSES_CODE,
				    facts->code);
	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_WALL_US, process->wall);
	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_SELF_US, process->self);
	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_WAITED_US, process->waited);
}

static void put_joined(struct tr2_flat_maker *maker,
		       const struct tr2_flat_process *process)
{
	struct tr2_flat_row *row = &maker->row;

	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_JOINED,
			    process->joined + 1);
	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_JOINED_FAILED,
			    process->joined_failed + process->facts.failed);
	tr2_flat_set_number(row, TR2_FLAT_PROCESSES_ERRORS,
			    process->facts.errors);
	tr2_flat_take_name(maker, TR2_FLAT_PROCESSES_ERROR,
			   process->facts.error ? process->facts.error
						: process->other_error);
}

static void put_identity(struct tr2_flat_maker *maker,
			 const struct tr2_flat_process *process)
{
	const struct tr2_flat_facts *facts = &process->facts;
	size_t len = 0;
	const char *host =
		tr2_origin_host(process->sid.bytes, process->sid.len, &len);

	tr2_flat_set_text(&maker->row, TR2_FLAT_PROCESSES_HOST, host, len);
	tr2_flat_take_name(maker, TR2_FLAT_PROCESSES_HOST_NAME,
			   facts->host_name);
	tr2_flat_take_name(maker, TR2_FLAT_PROCESSES_USER, facts->user);
	tr2_flat_take_name(maker, TR2_FLAT_PROCESSES_ATTRIBUTES,
			   facts->attributes);
}

void tr2_flat_put_process(void *context, const struct tr2_flat_process *process)
{
	struct tr2_flat_maker *maker = context;
	const struct tr2_flat_facts *facts = &process->facts;
	struct tr2_flat_row *row = &maker->row;

	if (!tr2_flat_begin(maker, TR2_FLAT_KIND_PROCESSES))
		return;
	tr2_flat_set_sid(row, TR2_FLAT_PROCESSES_SID, process->sid.bytes,
			 process->sid.len);
	tr2_flat_set_time(row, TR2_FLAT_PROCESSES_TIME, facts->start);
	tr2_flat_take_name(maker, TR2_FLAT_PROCESSES_COMMAND, facts->command);
	if (process->argv.len)
		tr2_flat_set_text(row, TR2_FLAT_PROCESSES_ARGV,
				  process->argv.bytes, process->argv.len);
	tr2_flat_take_name(maker, TR2_FLAT_PROCESSES_VERSION, facts->version);
	tr2_flat_take_name(maker, TR2_FLAT_PROCESSES_REPOSITORY,
			   facts->repository);
	tr2_flat_take_name(maker, TR2_FLAT_PROCESSES_CALLER, facts->caller);
	put_end(row, process);
	put_joined(maker, process);
	put_identity(maker, process);
	put_fields(maker, process);
	tr2_flat_output_put(maker->output, row);
}
