/* lines.cpp - an event as a line of each target. */
#include "emitter.h"

#include <cstdio>
#include <cstring>
#include <ctime>

using std::string;

/* What a row of the table does to a line: one text in place of another. */
static string change_text(const char *target, const Event &event,
			  const string &line)
{
	const Words *row = fault_row("text");
	string made = line;
	size_t at;

	if (!row || (*row)[3] != target ||
	    ((*row)[4] != event.name && (*row)[4] != "*"))
		return line;
	at = made.find((*row)[5]);
	if (at != string::npos)
		made.replace(at, (*row)[5].size(),
			     row->size() > 6 ? (*row)[6] : "");
	return made;
}

static string date(const char *form, int64_t wall, bool utc)
{
	time_t second = wall / 1000000;
	struct tm parts;
	char text[40];

	if (utc)
		gmtime_r(&second, &parts);
	else
		localtime_r(&second, &parts);
	strftime(text, sizeof(text), form, &parts);
	return text + seconds(wall % 1000000).substr(1);
}

static string clock_of(const Event &event)
{
	string made =
		date(fault("local time has 12 hours") ? "%I:%M:%S" : "%H:%M:%S",
		     event.wall, fault("local time is UTC"));

	if (fault("local time is cut to milliseconds"))
		made.resize(12);
	return made;
}

static string pad(string text, size_t width)
{
	if (text.size() < width)
		text.resize(width, ' ');
	return text;
}

static string pad_left(const string &text, size_t width)
{
	return text.size() < width ? string(width - text.size(), ' ') + text
				   : text;
}

static string source_of(const Event &event)
{
	return event.file.empty()
		       ? ""
		       : event.file + ":" + std::to_string(event.line);
}

string normal_line(const Event &event, bool brief)
{
	string line = clock_of(event) + " ", payload = event.normal;

	if (!source_of(event).empty())
		line += source_of(event) + " ";
	line = pad(line, fault("NORMAL's column is at 49") ? 49 : 50);
	if (fault("NORMAL cuts its prefix"))
		line.resize(50);
	if (fault("NORMAL escapes line breaks"))
		for (size_t at; (at = payload.find('\n')) != string::npos;)
			payload.replace(at, 1, "\\n");
	line = (brief ? "" : line) + payload;
	if (line.empty() || line.back() != '\n' ||
	    fault("a text's own line end is not enough"))
		line += "\n";
	return change_text("normal", event, line);
}

static string perf_source(const Event &event)
{
	string source = source_of(event);

	if (source.size() > 28 && !fault("PERF keeps long places"))
		source = fault("PERF keeps the head of a place")
				 ? source.substr(0, 25) + "..."
				 : "..." + source.substr(source.size() - 25);
	return pad(source, 28);
}

static string time_column(int64_t time)
{
	return pad_left(time < 0 ? "" : seconds(time), 9);
}

string perf_line(const Event &event, bool brief, int depth)
{
	const char *bar = pick("PERF has bars without blanks", "|", " | ");
	string category = pad(event.category, 12), line;
	string repo = event.repo < 0 ? "" : "r" + std::to_string(event.repo);
	size_t dots = event.dots * pick("PERF has one dot a region", 1u, 2u);

	if (!fault("PERF keeps long categories"))
		category.resize(12);
	if (!brief || fault("brief PERF has places"))
		line = clock_of(event) + " " + perf_source(event) + bar;
	line += "d" + std::to_string(depth) + bar;
	line += pad(event.thread, 24) + bar;
	line += pad(event.name, 12) + bar;
	line += pad(repo.empty() ? repo : repo + " ", 3) + bar;
	line += time_column(event.t_abs) + bar;
	line += time_column(event.t_rel) + bar;
	line += category + bar + string(dots, '.') + event.perf;
	if (event.perf.empty() && fault("PERF has no blank at its end"))
		line.pop_back();
	if (line.back() != '\n')
		line += "\n";
	return change_text("perf", event, line);
}

static string zeros_cut(string number)
{
	while (number.back() == '0')
		number.pop_back();
	if (number.back() == '.')
		number += "0";
	return number;
}

static void add_field(string &line, const Event &event, const Field &field)
{
	const Words *row = fault_row("field");
	string json = field.json, key = field.key;

	if (row && (*row)[3] == event.name && (*row)[4] == key) {
		if ((*row)[5] == "-")
			return;
		if ((*row)[5] == "rename")
			key += "s";
		else
			json = (*row)[5];
	}
	if (key.compare(0, 2, "t_") == 0) {
		if (fault("zeros at the end of times are cut"))
			json = zeros_cut(json);
		if (fault("times are strings"))
			json = "\"" + json + "\"";
		if (fault("times have an exponent"))
			json += "e0";
		if (fault("times have a comma"))
			json[json.find('.')] = ',';
	}
	line += ",\"" + key + "\":" + json;
}

static string stamp(const Event &event)
{
	string made = date(fault("EVENT has local time") ? "%Y-%m-%dT%H:%M:%S"
							 : "%Y-%m-%dT%H:%M:%S",
			   event.wall, !fault("EVENT has local time"));

	if (fault("EVENT has a blank in its time"))
		made[10] = ' ';
	if (fault("EVENT's hours are twelve") && made.compare(11, 2, "12") > 0)
		made.replace(11, 2, made[11] == '2' ? "08" : "01");
	if (fault("zeros at the end of the day are cut"))
		made = zeros_cut(made);
	return made + (fault("EVENT has an offset") ? "+00:00"
		       : fault("EVENT has no zone") ? ""
						    : "Z");
}

static bool has_time(const Event &event, bool brief)
{
	return !brief || event.name == "version" ||
	       (event.name == "atexit" &&
		!fault("a brief atexit has no time")) ||
	       fault("brief events have times");
}

string event_line(const Event &event, bool brief, const string &sid)
{
	string line = "{\"event\":\"" + event.name + "\"";

	if (fault("the SID comes first"))
		line = "{\"sid\":" + json_text(sid) + ",\"event\":\"" +
		       event.name + "\"";
	else
		add_field(line, event, { "sid", json_text(sid) });
	add_field(line, event, { "thread", json_text(event.thread) });
	if (has_time(event, brief))
		add_field(line, event, { "time", "\"" + stamp(event) + "\"" });
	if ((!brief || fault("brief events have places")) &&
	    !event.file.empty()) {
		add_field(line, event, { "file", json_text(event.file) });
		add_field(line, event, { "line", std::to_string(event.line) });
	}
	if (event.repo >= 0)
		add_field(line, event, { "repo", std::to_string(event.repo) });
	for (const Field &field : event.own)
		add_field(line, event, field);
	line += fault("lines end in CR LF")	? "}\r\n"
		: fault("lines end in a comma") ? "},\n"
						: "}\n";
	return change_text("event", event, line);
}
