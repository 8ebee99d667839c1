"use strict";
/* What a program calls. */
const fs = require("fs");
const { isMainThread } = require("worker_threads");
const { DEBUG, HERE, LONGEST, PROCESS, Raw, SHOWN, TOTALS, begin_thread, boolean,
	bytes, clean, clock, decode, emit, is_on, now, open_target, seconds,
	take_number, warn } = require("./emitter.js");

const HOOKED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGPIPE"];
const COMMAND = fs.readFileSync("/proc/self/cmdline", "latin1");
const ARGV = COMMAND.split("\0").slice(1, -1);

function initialize() {
	for (const form of ["normal", "perf", "event"]) {
		const name = form === "normal" ? "" : "_" + form.toUpperCase();
		const variable = "GIT_TRACE2" + name;
		const target = { form, variable, fd: null,
				 brief: boolean(variable + "_BRIEF") };
		PROCESS.targets.push(target);
		open_target(target, PROCESS.sid.split("/").pop());
	}
	if (!is_on())
		return;
	process.env.GIT_TRACE2_PARENT_SID = decode(PROCESS.sid);
	for (const name of boolean("GIT_TRACE2_SIGNALS", true) ? HOOKED : [])
		process.on(name, die);
	emit("version", { evt: "4", exe: "example-1.0" });
	const full = PROCESS.targets.filter(target => target.full && target.fd);
	emit("too_many_files", {}, { only: full });
	start(ARGV);
	const names = ancestors();
	if (names.length)
		cmd_ancestry(names);
}

function die(name, signo) {
	if (name === "SIGPIPE" && PROCESS.own_pipe)
		return;
	emit("signal", { t_abs: 1, signo });
	process.removeAllListeners(name);
	process.kill(process.pid, name);
}

function ancestors() {
	const names = [];
	for (let pid = process.ppid; pid > 0;) {
		const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
		const end = stat.lastIndexOf(")");
		names.push(stat.slice(stat.indexOf("(") + 1, end));
		pid = Number(stat.slice(end + 2).split(" ")[1]);
	}
	return names;
}

const start = argv => emit("start", { t_abs: 1, argv: clean(argv) });
const cmd_ancestry = ancestry => emit("cmd_ancestry", { ancestry });

function cmd_name(name) {
	const parent = PROCESS.name.length <= LONGEST ? PROCESS.name : "";
	PROCESS.name = parent ? `${parent}/${name}` : name;
	emit("cmd_name", { name, hierarchy: PROCESS.name || null });
	if (is_on() && PROCESS.name.length <= LONGEST)
		process.env.GIT_TRACE2_PARENT_NAME = decode(PROCESS.name);
	if (!PROCESS.listed)
		list_variables();
	PROCESS.listed = true;
}

function def_param(param, value, scope = "unknown") {
	emit("def_param", { scope, param: clean(param), value: clean(value) });
}

function list_variables() {
	const names = process.env.GIT_TRACE2_ENV_VARS || "";
	for (const name of names.split(",").map(one => one.trim()))
		if (process.env[name])
			def_param(bytes(name), bytes(process.env[name]), "command");
}

function error(msg, fmt) {
	emit("error", fmt ? { msg: clean(msg), fmt: clean(fmt) } : {});
}

function def_repo(worktree) {
	PROCESS.repos++;
	emit("def_repo", { worktree }, { repo: PROCESS.repos });
	return PROCESS.repos;
}

/* Children */

function child_start(child) {
	Object.assign(child, { id: take_number(2), begin: now(), pid: -1 });
	emit("child_start", {
		child_id: child.id, child_class: child.hook ? "hook"
			: child.class ?? "?", hook_name: child.hook,
		use_shell: child.shell === true, cd: child.dir,
		argv: clean(child.argv) }, { at: child.begin });
}

function child_end(name, child, own) {
	if (child.ended)
		return;
	child.ended = true;
	const at = now();
	emit(name, { child_id: child.id, pid: child.pid, ...own,
		     t_rel: seconds(at - child.begin) }, { at });
}

function exec(exe, argv) {
	const exec_id = take_number(1);
	emit("exec", { exec_id, exe, argv: clean(argv) });
	return exec_id;
}

/* Regions and data */

const is_hidden = category => SHOWN && !SHOWN.split(",").includes(
	decode(category || "trace2"));

function region_enter(category, label, msg, repo) {
	if (is_hidden(category))
		return;
	if (!HERE.name)
		begin_thread("unknown");
	const at = now();
	emit("region_enter", { nesting: HERE.stack.length, category, label,
			       msg: clean(msg) }, { repo, at });
	HERE.stack.push(at);
}

function region_leave(category, label, msg, repo) {
	if (is_hidden(category))
		return;
	const text = "trace2: region_leave without region_enter";
	if (!HERE.stack.length)
		return error(text, text);
	const at = now();
	const t_rel = seconds(at - HERE.stack.pop());
	emit("region_leave", { t_rel, nesting: HERE.stack.length, category,
			       label, msg: clean(msg) }, { repo, at });
}

function is_json(text) {
	try {
		JSON.parse(decode(text));
	} catch {
		return false;
	}
	return !/[\r\n]/.test(text) && !decode(text).includes("\ufffd");
}

function data(name, category, key, value, repo) {
	if (is_hidden(category))
		return;
	if (!HERE.name)
		begin_thread("unknown");
	const at = now(), shown = clean(value);
	const t_rel = seconds(at - (HERE.stack.at(-1) ?? at));
	emit(name, { t_abs: 1, t_rel, nesting: HERE.stack.length, category, key,
		     value: name === "data_json" && is_json(shown)
			? new Raw(shown) : shown }, { repo, at });
}

/* Threads, timers and counters */

function thread_start(name) {
	if (isMainThread)
		return region_enter(null, null, `thread-proc on main: ${name}`);
	begin_thread(name);
	emit("thread_start", {}, { at: HERE.stack[0] });
}

function thread_exit() {
	if (isMainThread)
		return region_leave(null, null, "thread-proc on main");
	write_totals("th_", HERE.name);
	HERE.stack.length = 1;
	const at = now();
	emit("thread_exit", { t_rel: seconds(at - HERE.stack[0]) }, { at });
	HERE.name = null;
}

/* What has been added up: `times` in ns, or `count`. */
function find_total(kind, category, name, per_thread) {
	const key = `${kind}\n${category}\n${name}`;
	if (!TOTALS.has(key))
		TOTALS.set(key, { kind, category, name, per_thread, shares: [] });
	return TOTALS.get(key);
}

function timer_start(category, name, per_thread) {
	const starts = HERE.clocks[`${category}\n${name}`] ??= [];
	starts.push(clock());
	find_total("timer", category, name, per_thread);
}

function timer_stop(category, name, per_thread) {
	const starts = HERE.clocks[`${category}\n${name}`];
	const begin = starts?.pop();
	if (begin !== undefined && !starts.length)
		find_total("timer", category, name, per_thread).shares.push(
			[HERE.name, clock() - begin]);
}

function counter(category, name, add, per_thread) {
	find_total("counter", category, name, per_thread).shares.push(
		[HERE.name, BigInt.asUintN(64, BigInt(add))]);
}

const round = ns => seconds(Math.floor((ns + 500) / 1000));

function write_totals(prefix, thread) {
	const all = [...TOTALS.values()].filter(
		one => one.per_thread || !prefix);
	for (const kind of ["timer", "counter"])
		for (const one of all.filter(other => other.kind === kind))
			write_total(prefix, one, one.shares.filter(
				share => !thread || share[0] === thread));
}

function write_total(prefix, { kind, category, name }, shares) {
	const parts = shares.map(share => share[1]);
	const own = { category, name };
	const add = (a, b) => a + b;
	if (kind === "counter")
		own.count = new Raw(BigInt.asUintN(64, parts.reduce(add, 0n)));
	else
		Object.assign(own, { intervals: parts.length,
			t_total: round(parts.reduce(add, 0)),
			t_min: round(Math.min(...parts)),
			t_max: round(Math.max(...parts)) });
	if (kind === "counter" ? own.count.text !== 0n : parts.length)
		emit(prefix + kind, own);
}

/* The end */

function cmd_exit(code) {
	if (PROCESS.code !== null)
		return;
	PROCESS.code = code & 255;
	emit("exit", { t_abs: 1, code: code & 255 });
}

function report_drops() {
	const dropped = Atomics.load(PROCESS.counts, 3);
	const msg = `trace2: events dropped: ${dropped}`;
	if (dropped && DEBUG)
		warn(msg);
	if (dropped)
		error(msg, "trace2: events dropped: %d");
}

function finish(code) {
	cmd_exit(code);
	HERE.stack.length = Math.min(HERE.stack.length, 1);
	write_totals("th_", "main");
	write_totals("");
	report_drops();
	emit("atexit", { t_abs: 1, code: PROCESS.code });
	PROCESS.over = true;
}

module.exports = { ARGV, child_end, child_start, clean, cmd_ancestry, cmd_exit,
		   cmd_name, counter, data, def_param, def_repo, emit, error,
		   exec, finish, initialize, region_enter, region_leave, start,
		   thread_exit, thread_start, timer_start, timer_stop };
