/*
 * Providers, call by call, and what a provider's thread does, turn by turn. The
 * thread does not run: instead of each wait its manager takes the next step, and
 * no time passes. turns.txt has the cases.
 */
#define _GNU_SOURCE
#include "trace/provider/turns_calls.h"

/*
 * ---- Verbs
 */

static const char *tell_heard(SCRIPT_NONE)
{
	return heard;
}

static void drop_passed(void)
{
	if (passed >= 0 && passed != buffer)
		close(passed);
	passed = -1;
	said = SIZE;
}

/*
 * What the next requests bring along: `buffer`, `none`, `file`, a buffer that
 * is `soft`, since it may shrink, or one of BYTES, which says to have SAID.
 */
static const char *pass_along(char **word)
{
	char path[] = "/tmp/provider-XXXXXX";

	drop_passed();
	said = (uint64_t)script_number(word[1], SIZE);
	if (!strcmp(word[0], "file")) {
		passed = lift_descriptor(mkstemp(path));
		tap_need(!unlink(path) && !ftruncate(passed, SIZE));
	} else if (!strcmp(word[0], "soft")) {
		passed = make_buffer(SIZE, F_SEAL_SEAL);
	} else if (isdigit((unsigned char)*word[0])) {
		passed = make_buffer(script_number(word[0], 0), F_SEAL_SHRINK);
	} else {
		passed = *word[0] == 'n' ? NOTHING : buffer;
	}
	return NULL;
}

/* The provider knows many categories, more than fit into its socket. */
static const char *know_many(SCRIPT_NONE)
{
	const size_t len = 1 << 20;

	provider.known = memory_realloc(NULL, len);
	memset(provider.known, 'k', len);
	for (size_t i = 0; i < len; i += 8192)
		provider.known[i + 8190] = provider.known[i + 8191] = '\0';
	provider.known_len = len;
	return NULL;
}

static const char *fail_memory(char **word)
{
	memory_fail((int)script_number(word[0], 0));
	return NULL;
}

/* The last packet that the manager heard, byte by byte. */
static const char *tell_packet(SCRIPT_NONE)
{
	const unsigned char *bytes = (const void *)&kit_message.packet;
	char text[3 * sizeof(kit_message.packet) + 1] = "";

	for (size_t i = 0; i < sizeof(kit_message.packet); i++)
		sprintf(text + 3 * i, "%02x ", bytes[i]);
	return script_say("%s", text);
}

/* Buffers that are mapped; and what was so when somebody looked or asked. */
static const char *tell_state(SCRIPT_NONE)
{
	return script_say("mapped %d, then %d; mode %d, %s; enabled %d.",
			  count_mapped(), mapped_then, header.buffering_mode,
			  header.durable_data_end == header_was.durable_data_end
				  ? "texts stay"
				  : "other texts",
			  enabled);
}

/* What is other than at the last question. */
static const char *tell_more(SCRIPT_NONE)
{
	static uint32_t epoch;
	static int live;
	const bool is_epoch = trace_internal_epoch == epoch;
	const bool is_live = memory_live == live;

	live = memory_live;
	epoch = trace_internal_epoch;
	return script_say("%s%s", is_live ? "" : "memory ",
			  is_epoch ? "" : "epoch");
}

/* An engine of its own: `engine begin`, `engine start`, `engine fill`, `engine save`. */
static const char *use_own_engine(char **word)
{
	static const struct trace_handler_ops ops = { 0 };
	static struct trace_handler handler = { &ops };
	static uint64_t memory[8192];
	int error = 0;

	if (!strcmp(word[0], "begin"))
		error = trace_engine_initialize(&handler,
						TRACE_BUFFERING_MODE_STREAMING,
						memory, sizeof(memory));
	else if (!strcmp(word[0], "start"))
		error = trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
	else if (!strcmp(word[0], "save"))
		error = trace_engine_mark_buffer_saved(0, 0);
	else
		fill_buffer();
	trace_engine_service();
	return script_say_error(error);
}

static const struct script_value values[] = {
	{ "refuses", &refuses },
	{ "strange", &is_strange },
	{ "create-fails", &create_fails },
	{ "settles-at", &settles_at },
	{ "wait-ms", &wait_ms },
	{ "signalled", &is_signalled },
	{ NULL, NULL },
};

static const struct script_verb verbs[] = {
	{ "set", script_set },
	{ "play", play_steps },
	{ "heard", tell_heard },
	{ "pass", pass_along },
	{ "state", tell_state },
	{ "more", tell_more },
	{ "engine", use_own_engine },
	{ "know-many", know_many },
	{ "memory", fail_memory },
	{ "packet", tell_packet },
	{ "variable", set_variable },
	{ "create", create_own },
	{ "synchronously", create_synchronously },
	{ "own", tell_own },
	{ "destroy", destroy_own },
	{ "spare", begin_spare },
	{ "end-spare", end_spare },
	{ "forget-spare", forget_spare },
	{ "wanted", ask_wanted },
	{ "pause", tell_pause },
	{ "link", link_thread },
	{ "linked", ask_linked },
	{ "left", tell_left },
	{ "child", script_fork },
	{ "parent", script_join },
	{ NULL, NULL },
};

/* It waits for what it has, and closes that alone. */
static void end_case(void)
{
	trace_engine_terminate();
	memory_fail(0);
	memory_free(provider.categories);
	memory_free(provider.known);
	provider.categories = provider.known = NULL;
	provider.known_len = 0;
	if (left)
		munmap(left, SIZE);
	left = NULL;
	drop_passed();
	end_calls();
	if (wrong_closes || odd_polls || locks_wrong)
		script_fail("a provider that waits for its own", "another one");
}

static ssize_t write_wake(int fd, const void *bytes, size_t len)
{
	if (!note_wake(fd, bytes))
		odd_polls += fd != provider.wake.writer.fd ||
			     write(fd, bytes, len) < 0;
	errno = EAGAIN;
	return -1;
}

static void *give_memory(void *old, size_t size)
{
	return size ? memory_realloc(old, size) : NULL;
}

int main(void)
{
	struct tr2_host host = tr2_host_system;

	memory_install(&host);
	host.realloc = give_memory;
	host.connect = connect_here;
	host.write = write_wake;
	forget_variables();
	syscall(SYS_close, 0);
	tap_need(!tr2_wake_pipe_open(&provider.wake));
	buffer = make_buffer(SIZE, F_SEAL_SHRINK);
	provider.handler.ops = &tr2_provider_ops;
	provider.socket = -1;
	strcpy(provider.path, "/path");
	strcpy(provider.name, "name");
	wrong_closes = 0; /* the kit's, before */
	script.values = values;
	script.rest = tell_caused;
	return script_main(__FILE__, verbs, NULL, end_case);
}
