/*
 * fuzz-manager: what providers and clients may send to a trace manager, and
 * leave in their buffers. Whatever that is, the manager goes on, and what
 * its client gets is an archive without an error.
 *
 * An input is a run of steps: a byte that says what and who, and what the
 * step needs.
 */
#define _GNU_SOURCE
#define KIT_WORLD /* world.c */
#include "kit/trace/manager.h"

#define PROVIDERS 3
#define ARRIVALS 20 /* in an input: room for them grows twice */

static const uint16_t requests[] = {
	TRACE_PROVIDER_STARTED,
	TRACE_PROVIDER_SAVE_BUFFER,
	TRACE_PROVIDER_STOPPED,
	TRACE_PROVIDER_ALERT,
	TRACE_REGISTER,
	TRACE_REGISTER_CATEGORY,
	TRACE_TERMINATED,
	TRACE_GET_PROVIDERS,
	TRACE_GET_CATEGORIES,
	TRACE_INITIALIZE_TRACING,
	TRACE_START_TRACING,
	TRACE_STOP_TRACING,
	TRACE_TERMINATE_TRACING,
	TRACE_PROVIDER_BUFFER_SAVED,
	TRACE_PROVIDER_STARTED - 1,
	0xffff,
};

struct input {
	const uint8_t *at;
	size_t left;
};

static struct kit kit;
static struct kit_provider providers[PROVIDERS];
static int arrivals;

static uint64_t take_bytes(struct input *input, size_t bytes)
{
	uint64_t value = 0;

	if (bytes > input->left)
		bytes = input->left;
	memcpy(&value, input->at, bytes);
	input->at += bytes;
	input->left -= bytes;
	return value;
}

static int choose_who(unsigned number)
{
	return number % 4 < PROVIDERS ? providers[number % 4].fd : kit.client;
}

/* Any message, with up to 15 bytes of the input behind it. */
static void say_something(struct input *input, unsigned number)
{
	unsigned request = requests[take_bytes(input, 1) & 15];
	uint64_t shape = take_bytes(input, 1);
	size_t len = shape & 15;
	uint64_t data64 = take_bytes(input, shape & 16 ? 8 : 1);
	uint32_t data32 = (uint32_t)take_bytes(input, shape & 32 ? 4 : 1);
	unsigned data16 = (unsigned)take_bytes(input, 1);

	if (len > input->left)
		len = input->left;
	kit_say(choose_who(number), request, data16, data32, data64, input->at,
		len, shape & 64 ? kit.client : -1);
	input->at += len;
	input->left -= len;
}

/* Bytes that are no message at all. */
static void send_babble(struct input *input, unsigned number)
{
	size_t len = take_bytes(input, 1) & 31;

	if (len > input->left)
		len = input->left;
	send(choose_who(number), input->at, len, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void come_again(struct input *input, unsigned number)
{
	struct kit_provider *provider = &providers[number % PROVIDERS];

	(void)input;
	if (++arrivals > ARRIVALS)
		return;
	kit_leave(provider);
	kit_register(&kit, provider, "again");
}

static void send_properly(struct input *input, unsigned number)
{
	struct kit_provider *provider = &providers[number % PROVIDERS];

	(void)input;
	kit_follow(&kit, provider);
	if (provider->buffer && provider->at &&
	    provider->chunk_end - provider->at > 8)
		kit_event(provider, "event");
}

static void write_to_buffer(struct input *input, unsigned number)
{
	struct kit_provider *provider = &providers[number % PROVIDERS];
	size_t place = (size_t)take_bytes(input, 2) * 8;

	if (provider->buffer && place < provider->size)
		provider->buffer[place / 8] = take_bytes(input, 8);
}

static void ask_manager(struct input *input, unsigned number)
{
	static const unsigned asked[] = { TRACE_START_TRACING,
					  TRACE_STOP_TRACING,
					  TRACE_TERMINATE_TRACING };
	unsigned mode;

	if (number % 4 == 3) {
		kit.len = 0;
		mode = (unsigned)take_bytes(input, 1) & 3;
		kit_initialize(&kit, mode, 8192, "a",
			       2 * (take_bytes(input, 1) & 1));
	} else {
		kit_ask(&kit, asked[number % 4],
			(unsigned)take_bytes(input, 1) & 3);
	}
}

static void run_host(struct input *input, unsigned number)
{
	(void)input;
	(void)number;
	kit_run(&kit);
}

static void (*const steps[])(struct input *input, unsigned number) = {
	say_something,	 send_babble, come_again, send_properly,
	write_to_buffer, ask_manager, run_host,	  say_something,
};

static void begin_world(void)
{
	unsigned i;

	arrivals = 0;
	kit_open(&kit, 60000, 65536);
	for (i = 0; i < PROVIDERS; i++)
		kit_come(&kit, &providers[i], "provider");
	kit_run(&kit);
	for (i = 0; i < PROVIDERS; i++)
		kit_arrive(&providers[i]);
	kit_initialize(&kit, TRACE_BUFFERING_MODE_STREAMING, 8192, NULL, 0);
	kit_ask(&kit, TRACE_START_TRACING, 0);
	for (i = 0; i < PROVIDERS; i++)
		kit_obey(&providers[i]);
	kit_run(&kit);
}

/*
 * The last bytes may be under way: only whole archives are looked at. One
 * for which a tracing was refused is empty.
 */
static void look_around(void)
{
	struct kit_reading reading;

	kit_ask(&kit, TRACE_STOP_TRACING, 0);
	kit_obey(&providers[0]);
	kit_leave(&providers[0]);
	kit_leave(&providers[1]);
	kit_leave(&providers[2]);
	kit_run(&kit);
	if (kit_ask(&kit, TRACE_TERMINATE_TRACING, 0) || !kit.len)
		return;
	kit_read(&kit, &reading);
	if (reading.errors) {
		fprintf(stderr, "%s\n", reading.first);
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct input input = { bytes, len };
	uint64_t step;

	begin_world();
	while (input.left) {
		step = take_bytes(&input, 1);
		steps[step & 7](&input, (unsigned)step >> 3);
	}
	look_around();
	kit_close(&kit);
	return 0;
}
