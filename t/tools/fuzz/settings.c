/*
 * Any bytes as the value of a setting: of a destination, a boolean, a size,
 * a number, a list of globs. No destination is opened; whatever the value
 * is, one line at most is written about it, to standard error.
 */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "destination/destination.h"
#include "host/host.h"
#include "config/params.h"
#include "gitconfig/value.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int writes;

static int refuse_open(const char *path, int flags, mode_t mode)
{
	(void)flags;
	(void)mode;
	if (*path != '/')
		abort();
	errno = EACCES;
	return -1;
}

static int refuse_connect(int type, const char *path)
{
	(void)type;
	if (*path != '/' || strlen(path) > 107)
		abort();
	errno = ECONNREFUSED;
	return -1;
}

static ssize_t check_write(int fd, const void *bytes, size_t len)
{
	if (fd != 2 || !len || len > PIPE_BUF ||
	    ((const char *)bytes)[len - 1] != '\n')
		abort();
	writes++;
	return (ssize_t)len;
}

static void try_destination(const char *value)
{
	uint64_t waited_ns = 0;
	const struct tr2_destination_options options = {
		.variable = "GIT_TRACE2",
		.value = value,
		.file_name = "name",
		.debug = 1,
		.max_files = 0,
		.waited_ns = &waited_ns,
	};
	struct tr2_destination dst;

	/* Descriptors are the fuzzer's own. */
	if (value[0] >= '1' && value[0] <= '9')
		return;
	if (!strcasecmp(value, "true"))
		return;
	writes = 0;
	if (tr2_destination_open(&dst, &options) || writes > 1)
		abort();
	pthread_mutex_destroy(&dst.lock);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct tr2_host host;
	char *text = malloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	host = tr2_host_system;
	host.open = refuse_open;
	host.connect = refuse_connect;
	host.write = check_write;
	tr2_host = &host;
	try_destination(text);
	if (tr2_settings_bool(text) < -1 || tr2_settings_bool(text) > 1)
		abort();
	tr2_settings_size(text);
	tr2_settings_number(text);
	tr2_params_match(text, "core.editor");
	free(text);
	return 0;
}
