"""Seeded faults: edits of the reference, each of which breaks a requirement.

    seed("session.child", "tr2_session.c",
         "	tr2_buf_str(sid, parent_sid);\n", "", "bundle-server")

says: with this edit of ref/tr2_session.c the conformance kit must find that
`session.child` does not hold, whatever else breaks. The last word names a
writer in whose logs a defect of this kind was seen; some have none.
"""

import dataclasses

SEEDS = []


@dataclasses.dataclass(frozen=True)
class Seed:
    id: str
    file: str
    old: str
    new: str
    writer: str = ""

    @property
    def scenario(self):
        return f"ref/{self.file}"

    @property
    def name(self):
        number = [s for s in SEEDS if s.id == self.id].index(self)
        return f"{self.id}-{number + 1}"


def seed(*parts):
    SEEDS.append(Seed(*parts))


# Events and their fields

EVENT = "tr2_event.c"
seed("event.version", "trace2.c",
     "	event->exe = tr2_process.program;\n	tr2_emit(self, event);",
     "	event->exe = tr2_process.program;", "bundle-server")
seed("version.evt", "trace2.c", '#define EVT "4"', '#define EVT "3"')
seed("event.start.t_abs", EVENT, 'T_ABS,\n	    F(t_abs, SECONDS_US, 0), F(argv',
     "T_ABS,\n	    F(argv", "repo")
seed("event.exit.code-byte", "tr2_exit.c",
     "tr2_process.exit_code = code & 0xff; /*", "tr2_process.exit_code = code; /*")
seed("event.atexit", "tr2_exit.c",
     "	emit_code(self, &event, TR2_EVENT_ATEXIT);\n", "", "repo")
seed("event.error.fmt", "trace2_calls.c", "event.fmt = event.msg ? fmt : NULL;",
     "event.fmt = event.msg;", "repo")
seed("event.error.fmt", EVENT, 'F(msg, STRING, OPT_HIDE), F(fmt, STRING, OPT), END',
     'F(msg, STRING, OPT_HIDE), END', "gcm")
seed("event.cmd_name.hierarchy", "tr2_session.c",
     "	session->hierarchy = hierarchy;\n	return hierarchy;",
     "	session->hierarchy = hierarchy;\n	return NULL;", "bundle-server")
seed("event.cmd_name.parent", "tr2_session.c",
     "		name = tr2_memory_copy(parent_name);", "		name = NULL;", "repo")
seed("event.cmd_name.again", "tr2_session.c",
     "	if (session->hierarchy) {\n		tr2_buf_str", "	if (0) {\n		tr2_buf_str")
seed("event.cmd_name.export", "trace2_calls.c",
     '		tr2_host->setenv("GIT_TRACE2_PARENT_NAME", event.hierarchy);',
     "		;", "gcm")
seed("event.child_start.child_id-zero", "trace2_calls.c",
     "	child->child_id_ = __atomic_fetch_add(&tr2_process.next_child, 1,\n"
     "					      __ATOMIC_RELAXED);",
     "	child->child_id_ = 1 + __atomic_fetch_add(&tr2_process.next_child, 1,\n"
     "					      __ATOMIC_RELAXED);", "gcm")
seed("event.child_exit.child_id", "trace2_calls.c",
     "	event->child_id = child->child_id_;",
     "	event->child_id = tr2_process.next_child - 1;", "gcm")
seed("event.child_start.use_shell", EVENT, "F(use_shell, BOOL, 0)",
     "F(use_shell, INT, 0)")
seed("event.child_start.child_class", "trace2_calls.c",
     'child->child_class ? child->child_class : "?"',
     'child->child_class ? child->child_class : "none"', "gcm")
seed("event.child_start.hook_name", EVENT, "	    F(hook_name, STRING, OPT), F(cd",
     "	    F(cd")
seed("time.micro", "trace2_calls.c",
     "tr2_process.start_us + event->t_abs - child->start_us_", "event->t_abs")
seed("event.child_ready.ready", "trace2_calls.c", "	event.ready = text(ready);",
     '	event.ready = "ready";')
seed("event.child_ready.t_rel", EVENT,
     "F(ready, STRING, 0),\n	    F(t_rel, SECONDS_US, 0), END", "F(ready, STRING, 0),\n	    END",
     "bundle-server")
seed("event.exec.exec_id-zero", "trace2_calls.c",
     "	event.exec_id =\n		__atomic_fetch_add", "	event.exec_id = 1 +\n		__atomic_fetch_add")
seed("event.exec_result.code", "trace2_calls.c",
     "	event.exec_id = exec_id;\n	event.code = code;",
     "	event.exec_id = exec_id;\n	event.code = -code;")
seed("time.micro", "trace2_regions.c",
     "	event->t_rel = now - self->start_us;", "	event->t_rel = event->t_abs;")
seed("event.def_param.scope", EVENT, "F(scope, STRING, 0), F(param", "F(param", "repo")
seed("event.def_param", EVENT, "	    F(value, STRING, OPT_HIDE), END),\n	ROW(DEF_REPO",
     "	    F(value, STRING, HIDE), END),\n	ROW(DEF_REPO", "repo")
seed("event.def_repo.bare", "trace2_calls.c",
     "	if (!worktree) /* SPEC: event.def_repo.bare */\n		return TRACE2_REPO_UNANNOUNCED;\n",
     "")
seed("event.data.value", "trace2_regions.c", "	event.value = digits;",
     "	event.value = digits + (digits[0] == '-');")
seed("event.data.category", EVENT,
     "	    F(nesting, INT, 0), F(category, STRING, 0), F(key, STRING, 0),\n"
     "	    F(value, STRING, HIDE), END",
     "	    F(nesting, INT, 0), F(key, STRING, 0),\n	    F(value, STRING, HIDE), END", "repo")
seed("event.data_json", EVENT, 'ROW(DATA_JSON, "data_json"', 'ROW(DATA_JSON, "data-json"',
     "repo")
seed("event.region_leave.t_rel", EVENT,
     "T_BOTH | IN_REGION,\n	    F(t_rel, SECONDS_US, 0), F(nesting",
     "T_BOTH | IN_REGION,\n	    F(nesting", "gcm")
seed("event.region_enter.nesting", EVENT,
     "T_ABS | IN_REGION,\n	    F(nesting, INT, 0), ", "T_ABS | IN_REGION,\n	    ", "repohooks")
seed("event.printf.msg", EVENT,
     "	ROW(PRINTF, \"printf\", N(printf), P(msg), T_ABS,\n"
     "	    F(t_abs, SECONDS_US, 0), F(msg, STRING, OPT_HIDE), END),",
     "	ROW(PRINTF, \"printf\", N(printf), P(msg), T_ABS,\n"
     "	    F(t_abs, SECONDS_US, 0), END),")
seed("event.timer.t_min", EVENT,
     '	ROW(TIMER, "timer", N(timer), P(timer), CATEGORY,\n'
     "	    F(category, STRING, 0), F(name, STRING, 0), F(intervals, UINT64, 0),\n"
     "	    F(t_total, SECONDS_NS, 0), F(t_min, SECONDS_NS, 0),",
     '	ROW(TIMER, "timer", N(timer), P(timer), CATEGORY,\n'
     "	    F(category, STRING, 0), F(name, STRING, 0), F(intervals, UINT64, 0),\n"
     "	    F(t_total, SECONDS_NS, 0), F(t_min, SECONDS_US, 0),")
seed("event.common.file", "tr2_event_json.c", "event->file && *event->file) {",
     "event->file) {")
seed("event.common.repo-zero", "tr2_event_json.c",
     "tr2_buf_int(out, event->repo < 0 ? 0 : event->repo);",
     "tr2_buf_int(out, event->repo);")
seed("time.utc", "tr2_event_json.c", "	tr2_buf_byte(out, 'Z');",
     '	tr2_buf_str(out, "+00:00");', "gcm")
seed("event.cmd_ancestry.linux", "tr2_ancestry.c",
     "	pid_t parent = read_process(0, own);", "	pid_t parent = tr2_host->getpid();\n\n	(void)own;")

# JSON, times

seed("json.key-order", EVENT, "F(evt, STRING, 0), F(exe, STRING, 0)",
     "F(exe, STRING, 0), F(evt, STRING, 0)", "gcm")
seed("json.compact", "tr2_event_json.c", "			tr2_buf_byte(out, ',');",
     '			tr2_buf_str(out, ", ");', "repohooks")
seed("json.escape.short", "tr2_json.c", r"'\b', '\f'", r"'\f'")
seed("json.escape.raw", "tr2_json.c", "	[' '] = 1, 1,\n", "	[' '] = 0, 0,\n",
     "gcm")
seed("json.invalid-utf8", "tr2_json.c", "			tr2_buf_str(out, REPLACEMENT);",
     "			tr2_buf_byte(out, text[at]);", "git")
seed("json.data-json", "trace2_regions.c", "	if (!tr2_json_is_value(event.value)) {",
     "	if (0) {", "repo")
seed("json.seconds", "tr2_buf.c",
     "us / 1000000u);\n	tr2_buf_add(buf, start, (size_t)(end - start));",
     "us / 1000000u);\n	tr2_buf_add(buf, start, (size_t)(end - start) - 3);",
     "repo")
seed("time.utc", "tr2_event_json.c", "event->wall_us / 1000000u);",
     "event->wall_us / 1000000u + (uint64_t)(int64_t)event->utc_offset);")
seed("time.local", "tr2_text.c", "second + (uint64_t)(int64_t)event->utc_offset",
     "second")
seed("time.t_abs", "trace2.c", "event->mono_ns / 1000 - tr2_process.start_us",
     "event->wall_us / 1000", "repohooks")
seed("brief.event-time", "tr2_event.c", 'T_ABS | TR2_KEEP_BRIEF_TIME,', "T_ABS,")
seed("brief.event", "tr2_event_json.c", "if (!format->brief && event->file",
     "if (event->file")
seed("brief.normal", "tr2_normal.c", "	if (!format->brief) {", "	if (1) {")
seed("brief.perf", "tr2_perf.c", "	if (!format->brief) {", "	if (1) {")
seed("nesting.limit", "tr2_event_json.c", "event->nesting > format->nesting_limit",
     "event->nesting >= format->nesting_limit", "microsoft/git")

# NORMAL and PERF

seed("normal.column", "tr2_normal.c", "#define PAYLOAD_COLUMN 50",
     "#define PAYLOAD_COLUMN 49", "gcm")
seed("normal.payload.child_start", "tr2_normal.c",
     '	tr2_payload_number(out, "[", event->child_id);',
     '	tr2_payload_number(out, " [", event->child_id);', "gcm")
seed("normal.payload.signal", "tr2_normal.c",
     '	tr2_payload_number(out, " code:", event->signo);',
     '	tr2_payload_number(out, " signo:", event->signo);')
seed("normal.payload.cmd_ancestry", "tr2_normal.c", '" <- "', '" "')
seed("normal.payload.alias", "tr2_normal.c", '" -> "', '" => "')
seed("normal.payload.def_repo", "tr2_normal.c", '"worktree "', '"def_repo "')
seed("normal.payload.def_param", "tr2_normal.c", "		tr2_buf_byte(out, '=');",
     "		tr2_buf_byte(out, ':');")
seed("normal.payload.exec_result", "tr2_payload.c", "	if (event->code <= 0)\n		return;\n",
     "")
seed("normal.trailing-blank", "tr2_normal.c",
     "	tr2_buf_byte(out, ' ');\n	tr2_quote_words(out, event->argv);\n}\n\nvoid tr2_normal_child_exit",
     "	if (*event->argv)\n		tr2_buf_byte(out, ' ');\n"
     "	tr2_quote_words(out, event->argv);\n}\n\nvoid tr2_normal_child_exit")
seed("normal.events", EVENT, 'ROW(REGION_ENTER, "region_enter", NULL,',
     'ROW(REGION_ENTER, "region_enter", N(printf),', "gcm")
seed("perf.column.file-width", "tr2_perf.c", "	FILE_WIDTH = 28,", "	FILE_WIDTH = 23,", "gcm")
seed("perf.column.category-width", "tr2_perf.c", "	CATEGORY_WIDTH = 12",
     "	CATEGORY_WIDTH = 11", "gcm")
seed("perf.column.thread", "tr2_perf.c", "	THREAD_WIDTH = 24,", "	THREAD_WIDTH = 23,")
seed("perf.widen", "tr2_perf.c", "		tr2_buf_byte(out, ' ');\n	}\n	end_column(out, start + REPO",
     "	}\n	end_column(out, start + REPO")
seed("perf.column.category-scope", EVENT, "P(def_param), TR2_SHOW_SCOPE,",
     "P(def_param), 0,", "git 2.22")
seed("perf.column.t_rel", EVENT, 'P(child_exit), T_BOTH', 'P(child_exit), T_ABS')
seed("perf.column.depth", "tr2_session.c", "	session->depth = count_slashes(text);",
     "	session->depth = 0;", "gcm")
seed("perf.dots", "tr2_perf.c", "2 * (size_t)event->open_regions",
     "(size_t)event->open_regions")
seed("perf.dots-dropped", "tr2_exit.c", "	tr2_thread_unwind(self);\n", "")
seed("perf.payload.child_exit", "tr2_perf_payload.c",
     '	tr2_payload_number(out, " code:", event->code);\n}\n\nvoid tr2_perf_child_ready',
     '	tr2_payload_number(out, " code:", event->code);\n'
     '	tr2_buf_str(out, " elapsed:");\n}\n\nvoid tr2_perf_child_ready', "gcm")
seed("perf.payload.def_param", "tr2_perf_payload.c", 'add_text(out, ":", event->value);\n}\n\nvoid tr2_perf_def',
     'add_text(out, "=", event->value);\n}\n\nvoid tr2_perf_def')
seed("perf.payload.region_enter", "tr2_perf_payload.c", '		add_text(out, " ", event->msg);',
     '		add_text(out, "", event->msg);')
seed("perf.payload.alias", "tr2_perf_payload.c", '"alias:"', '"alias: "')
seed("quote.argument", "tr2_quote.c", "	if (*word && !word[run]) {", "	if (!word[run]) {",
     "git 2.22")
seed("quote.argument", "tr2_quote.c", '"0123456789+,./:=@_^-"', '"0123456789+,./:=@_^-~"')
seed("quote.escape", "tr2_quote.c", 'strcspn(word, "\'!")', 'strcspn(word, "\'")')
seed("quote.join", "tr2_quote.c", "			tr2_buf_byte(out, ' ');", "			tr2_buf_str(out, \"  \");",
     "git 2.22")

# Redaction

seed("redact.url", "tr2_redact.c", '"<REDACTED>"', '"***"')
seed("redact.anywhere", "tr2_redact.c", "	const char *start, *end;\n\n",
     "	const char *start, *end;\n\n	if (strncmp(text, \"http\", 4))\n		stop = text;\n", "git")
seed("redact.password-at", "tr2_redact.c", "	} while (at < next_blank(scan, end));",
     "	} while (0);", "git")
seed("redact.json", "tr2_redact.c",
     "	while ((quote = next_quote(json))) {", "	while (0 && (quote = next_quote(json))) {")
seed("redact.where", EVENT, "F(argv, STRINGS, HIDE), END),\n	ROW(EXIT,",
     "F(argv, STRINGS, 0), END),\n	ROW(EXIT,", "repo")
seed("redact.off", "tr2_prepare.c", "	if (!tr2_process.settings.redact)\n		return;\n", "")

# Sessions, threads, regions, timers, counters

seed("session.component", "tr2_session.c", "	tr2_buf_str(out, \"-P\");",
     "	tr2_buf_str(out, \"-\");", "repo")
seed("session.component.host", "tr2_session.c", "	tr2_buf_byte(out, 'H');\n",
     "	tr2_buf_byte(out, 'H');\n	digest[0] ^= 1;\n")
seed("session.child", "tr2_session.c", "	tr2_buf_str(sid, parent_sid);\n", "", "bundle-server")
seed("session.parent-bytes", "tr2_session.c", "	tr2_buf_str(sid, parent_sid);\n",
     "	tr2_buf_str(sid, parent_sid);\n	while (sid->len && sid->bytes[sid->len - 1] == '/')\n"
     "		sid->len--;\n", "gcm")
seed("session.parent-long", "tr2_session.c", "return last && strlen(last + 1)",
     "return 0 && strlen(last + 1)")
seed("session.export", "tr2_host.c", "	return setenv(name, value, 1);",
     "	return strstr(name, \"_SID\") ? 0 : setenv(name, value, 1);", "repohooks")
seed("thread.name", "tr2_thread.c", "	if (id < 10)\n", "	if (id < 0)\n", "repo")
seed("thread.name-cut", "tr2_thread.c",
     "	while (len && ((unsigned char)base[len] & 0xc0) == 0x80)\n		len--;\n", "", "git")
seed("thread.on-main", "trace2_regions.c", "	if (self->is_main)\n		start_on_main",
     "	if (0)\n		start_on_main")
seed("thread.unknown", "trace2.c", '						   "unknown", tr2_now_us());',
     '						   "", tr2_now_us());', "gcm")
seed("region.nesting", "trace2_regions.c",
     "static void enter_region(struct tr2_thread *self, struct tr2_event *event)\n{\n"
     "	event->nesting = (int)self->open;",
     "static void enter_region(struct tr2_thread *self, struct tr2_event *event)\n{\n"
     "	event->nesting = (int)self->open - 1;", "bundle-server")
seed("region.leave-too-many.again", "trace2_regions.c",
     "	if (self->open)\n		leave_region", "	if (1)\n		leave_region")
seed("timer.nesting", "tr2_timer.c", "	if (!share->depth || --share->depth)",
     "	if (!share->depth || !share->depth--)")
seed("timer.running", "tr2_exit.c", "	if (!state->intervals)\n		return;\n", "")
seed("timer.total", "tr2_timer.c", "	total->total += share->total;",
     "	total->total = share->total;")
seed("timer.values", "tr2_timer.c", "	if (!total->intervals || share->min < total->min)",
     "	if (share->min < total->min)")
seed("counter.sum", "tr2_counter.c", "	share[index] += value;", "	share[index] = value;")
seed("counter.unused", "tr2_exit.c", "	if (!count)\n		return;\n", "")
seed("counter.total", "tr2_counter.c", ".total += self->counters[i];",
     ".total = self->counters[i];")
seed("counter.per-thread", "tr2_exit.c", "		if (counter.metric.per_thread)\n", "")

# Order, signals, forks, exec

seed("order.exit-once", "trace2_calls.c", "	if (tr2_exit_seen(file, line, code)) {",
     "	tr2_exit_seen(file, line, code);\n	if (1) {", "git")
seed("order.totals", "tr2_exit.c",
     "	tr2_emit_shares(self, &event);\n	tr2_emit_totals(self, &event);",
     "	tr2_emit_totals(self, &event);\n	tr2_emit_shares(self, &event);")
seed("order.no-cmd-exit", "tr2_exit.c", "		emit_code(self, &event, TR2_EVENT_EXIT);\n", "")
seed("signal.five", "tr2_signal.c", "SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE", "SIGPIPE",
     "git")
seed("signal.dies", "tr2_signal.c", "	raise(signo);\n", "")
seed("fork.own-sid", "trace2.c", "	if (tr2_process.session_pid != pid) {",
     "	if (!tr2_process.session_pid) {", "git")
seed("fork.silent", "tr2_exit.c",
     "	if (__atomic_load_n(&tr2_process.forked, __ATOMIC_ACQUIRE))\n		return;\n", "")
seed("fork.version-start", "tr2_fork.c", "	if (tr2_process.argv) {", "	if (0) {")
seed("fork.repositories", "tr2_fork.c", "		if (!tr2_process.worktrees[i])",
     "		if (1)")

# Settings, config, parameters

seed("settings.empty-env", "tr2_settings.c", "text && (*text || row->empty_counts) ? text",
     "text ? text")
seed("settings.redact", "tr2_settings.c", "{ \"GIT_TRACE2_REDACT\", NULL, apply_bool, 1, 1,",
     "{ \"GIT_TRACE2_REDACT\", NULL, apply_bool, 1, 0,")
seed("settings.last-wins", "tr2_settings.c", "	copy = tr2_memory_copy(entry->value);",
     "	if (configured->text[i])\n		return;\n	copy = tr2_memory_copy(entry->value);")
seed("settings.event-nesting.invalid", "tr2_settings.c", "	if (number >= 1)\n",
     "	if (number >= 0)\n")
seed("settings.boolean.integer", "tr2_settings_value.c", "integer != 0", "integer == 1")
seed("settings.number", "tr2_settings_value.c", "strtol(text, NULL, 10)", "strtol(text, NULL, 0)")
seed("settings.destination-debug", "tr2_settings.c", "tr2_settings_bool(text) > 0 ||\n", "0 ||\n", "git")
seed("config.grammar.escapes", "tr2_gitconfig_text.c", r'"\0\n\t\b', r'"\0\n\tb')
seed("config.grammar.crlf", "tr2_gitconfig_text.c",
     "	if (c == '\\r' && p->at < p->end && *p->at == '\\n')\n		c = *p->at++;\n", "")
seed("config.grammar.bom", "tr2_gitconfig_text.c", "		p.at += strlen(BYTE_ORDER_MARK);", "		p.at += 0;")
seed("config.grammar.blanks", "tr2_gitconfig_text.c", "	p->value.len = trimmed;", "	(void)trimmed;")
seed("config.include.depth", "tr2_gitconfig.c", "INCLUDE_DEPTH_MAX = 10", "INCLUDE_DEPTH_MAX = 9")
seed("config.files.nosystem", "tr2_gitconfig.c",
     "	if (none && tr2_settings_bool(none) > 0)\n		return;\n", "	(void)none;\n")
seed("config.files.xdg", "tr2_gitconfig.c", "	read_xdg(reader);\n", "")
seed("params.env.duplicate", "tr2_params.c", "		if (value && *value)\n",
     "		if (value && *value && !(names && strstr(names, name.bytes)))\n")
seed("params.env.scope", "tr2_params.c", "TR2_SCOPE_COMMAND), name", "TR2_SCOPE_UNKNOWN), name",
     "git 2.41")
seed("params.glob", "tr2_params.c", "TR2_GLOB_FOLD))", "TR2_GLOB_PATH))")
seed("params.once", "trace2_calls.c",
     "	if (config && !__atomic_exchange_n(&tr2_process.listed_config, 1,\n"
     "					   __ATOMIC_RELAXED))", "	if (config)")

# Destinations and failure

DESTINATION = "tr2_destination.c"
seed("destination.append", DESTINATION, "O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK",
     "O_WRONLY | O_CREAT | O_NONBLOCK")
seed("destination.file.mode", DESTINATION, "flags, 0666));\n	if", "flags, 0600));\n	if", "repo")
seed("destination.words", DESTINATION, 'is_word(value, "1", "true")',
     '(is_word(value, "1", "true") || is_word(value, "1", "yes"))', "gcm")
seed("destination.cloexec", "tr2_descriptor.c", "copy = fcntl(fd, F_DUPFD_CLOEXEC,",
     "copy = fcntl(fd, F_DUPFD,", "git")
seed("destination.descriptor.duplicate", DESTINATION,
     "again : tr2_descriptor_copy(fd)", "again : fd", "git")
seed("destination.socket.dgram", "tr2_destination_socket.c", '{ "dgram:", SOCK_DGRAM, 0 }',
     '{ "dgram:", SOCK_STREAM, 0 }', "gcm")
seed("destination.dir.three-targets", "tr2_destination_dir.c", "		tr2_buf_byte(&text, '.');",
     "		tr2_buf_byte(&text, '-');", "repo")
seed("destination.dir.link", "tr2_destination_dir.c", "| O_CREAT | O_EXCL;", "| O_CREAT;")
seed("destination.dir.limit", "tr2_destination_dir.c", "has_files(dir, options->max_files)",
     "has_files(dir, options->max_files + 1)")
seed("destination.dir.sentinel-present", "tr2_destination_dir.c",
     "options->max_files > 0 && !stat(sentinel.text, &st)", "0 && !stat(sentinel.text, &st)")
seed("destination.unknown", DESTINATION,
     "	tr2_host_warn(\"trace2: unknown value for '%s': '%s'\", options->variable,\n		      value);\n",
     "", "gcm")
seed("failure.wait-limit", "tr2_wait.c", "	if (!waited_ns)\n		return 0;",
     "	if (!waited_ns)\n		return 0;\n	*waited_ns = 0;", "git")
seed("failure.drops-reported", "tr2_exit.c", "	emit_drops(self, &event);\n", "", "gcm")
seed("failure.off", "tr2_destination_write.c",
     "	if (!is_alive(dst))\n		return drop(dst);\n", "")
seed("failure.host-unharmed", "trace2.c", "	self->busy = 0;\n	errno = self->saved_errno;\n}\n\nvoid tr2_finish",
     "	self->busy = 0;\n	errno = 0;\n}\n\nvoid tr2_finish")
seed("failure.after-exit", "tr2_exit.c",
     "	__atomic_store_n(&trace2_enabled_, 0, __ATOMIC_RELEASE);\n	if (!", "	if (!")
seed("failure.sigpipe", DESTINATION, "		dst->raises = !dst->waits;", "		dst->raises = 0;",
     "git 2.34")
seed("fxt.target.file.link", "tr2_fxt_open.c", "open_file(path, O_NOFOLLOW)", "open_file(path, 0)")
seed("chrome.link", "trace/chrome_file.c", "strcmp(path, pattern) ? O_NOFOLLOW : 0", "pattern ? 0 : 0")
