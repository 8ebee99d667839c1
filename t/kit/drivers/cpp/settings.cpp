/* settings.cpp - settings of the environment and of ~/.gitconfig. */
#include "targets.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <unistd.h>

/* The plain lines of a configuration file: [trace2], and KEY = VALUE. */
static string read_key(const string &text)
{
	string key;

	for (char c : text)
		if (isalnum((unsigned char)c))
			key += (char)tolower((unsigned char)c);
	return key;
}

static string read_value(const string &text)
{
	string value;
	bool quoted = false;

	for (char c : text) {
		bool blank = strchr(" \t", c) && !quoted && value.empty();
		quoted ^= c == '"';
		if (c != '"' && !blank)
			value += c;
	}
	return value;
}

static std::map<string, string> read_config(const string &path)
{
	std::map<string, string> found;
	std::ifstream file(path);
	string line, section;

	while (std::getline(file, line)) {
		size_t equals = line.find('=');
		if (line[0] == '[')
			section = read_key(line.substr(0, line.find(']')));
		if (equals != string::npos && section == "trace2")
			found[read_key(line.substr(0, equals))] =
				read_value(line.substr(equals + 1));
	}
	return found;
}

static const char *const keys[][2] = {
	{ "GIT_TRACE2", "normaltarget" },
	{ "GIT_TRACE2_BRIEF", "normalbrief" },
	{ "GIT_TRACE2_PERF", "perftarget" },
	{ "GIT_TRACE2_PERF_BRIEF", "perfbrief" },
	{ "GIT_TRACE2_EVENT", "eventtarget" },
	{ "GIT_TRACE2_EVENT_BRIEF", "eventbrief" },
	{ "GIT_TRACE2_EVENT_NESTING", "eventnesting" },
	{ "GIT_TRACE2_ENV_VARS", "envvars" },
	{ "GIT_TRACE2_DST_DEBUG", "destinationdebug" },
	{ "GIT_TRACE2_CATEGORIES", "categories" },
	{ "GIT_TRACE2_MAX_FILES", "maxfiles" },
	{ "GIT_TRACE2_SIGNALS", "signals" },
};

/* An empty variable is as good as none; what it replaces is a file's. */
string setting(const char *name)
{
	static const auto config = [] {
		const char *home = getenv("HOME");
		return read_config(home ? string(home) + "/.gitconfig" : "");
	}();
	const char *value = getenv(name);
	string made = value ? value : "";

	for (const auto &pair : keys)
		if (!strcmp(pair[0], name) && config.count(pair[1]) &&
		    !fault((string("no ") + pair[1]).c_str()) &&
		    (fault("a file goes before a variable") || made.empty()))
			made = config.at(pair[1]);
	return made;
}

static long unit_of(const char *rest)
{
	if (!*rest)
		return 1;
	if (rest[1])
		return 0;
	switch (tolower((unsigned char)*rest)) {
	case 'k':
		return 1024;
	case 'm':
		return 1024 * 1024;
	case 'g':
		return 1024 * 1024 * 1024;
	}
	return 0;
}

bool is_boolean(const char *value, bool *truth)
{
	char *rest;
	long long number;

	for (const char *word : { "true", "yes", "on" })
		if (!strcasecmp(value, word) &&
		    !(*word == 'o' && fault("on is no boolean")))
			return *truth = true;
	for (const char *word : { "false", "no", "off", "" })
		if (!strcasecmp(value, word))
			return !(*truth = false);
	errno = 0;
	number = strtoll(value, &rest, fault("booleans are decimal") ? 10 : 0);
	if (rest == value || errno || !unit_of(rest))
		return false;
	number *= unit_of(rest);
	*truth = number != 0;
	return number <= INT_MAX && number >= -INT_MAX - 1LL;
}

bool truth_of(const char *name)
{
	bool truth = false;

	return is_boolean(setting(name).c_str(), &truth) && truth;
}

bool debug(void)
{
	static const bool on = truth_of("GIT_TRACE2_DST_DEBUG");

	return on && !fault("debug is silent");
}

void warn(const string &text)
{
	string line = "warning: " + text + "\n";

	if (fault("warnings have no prefix"))
		line = text + "\n";
	if (fault("warnings are two writes")) {
		(void)!write(2, "warning: ", 9);
		line = text + "\n";
	}
	(void)!write(2, line.data(), line.size());
}
