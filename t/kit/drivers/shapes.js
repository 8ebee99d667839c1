"use strict";
/* An event as a line of EVENT, of NORMAL and of PERF. */
const os = require("os"), util = require("util");

const decode = text => Buffer.from(text, "latin1").toString();
const is_raw = value => typeof value === "object" && !Array.isArray(value);

function show_json(value) {
	if (is_raw(value))
		return String(value);
	if (Array.isArray(value))
		value = value.map(decode);
	else if (typeof value === "string")
		value = decode(value);
	return Buffer.from(JSON.stringify(value)).toString("latin1");
}

function event_line(event, brief) {
	const { name, sid, thread, time, file, line, repo, own } = event;
	if (own.nesting > (event.limit > 0 ? event.limit : 2))
		return null;
	const pairs = { event: name, sid, thread };
	if (!brief || name === "version" || name === "atexit")
		pairs.time = time;
	if (!brief && file)
		Object.assign(pairs, { file, line });
	if (repo !== undefined && repo !== null)
		pairs.repo = repo;
	Object.assign(pairs, own);
	return "{" + Object.entries(pairs).map(
		([key, value]) => `"${key}":${show_json(value)}`).join() + "}";
}

const quote = word => /^[\w+,./:=@^-]+$/.test(word) ? word
	: `'${word.replace(/[!']/g, "'\\$&'")}'`;

function hour(event) { // in local time
	const date = new Date(event.time);
	const two = number => String(number).padStart(2, "0");
	return `${two(date.getHours())}:${two(date.getMinutes())}:` +
		`${two(date.getSeconds())}.${event.time.slice(20, 26)}`;
}

const TIMER = "intervals:{intervals} total:{t_total} min:{t_min} max:{t_max}";
/* name: NORMAL, PERF; a ? begins a part that needs its first field */
const PAYLOADS = {
	version: ["version {exe}", "{exe}"],
	start: ["start {argv}", "{argv}"],
	exit: ["exit elapsed:{t_abs} code:{code}", "code:{code}"],
	atexit: ["atexit elapsed:{t_abs} code:{code}", "code:{code}"],
	signal: ["signal elapsed:{t_abs} code:{signo}", "signo:{signo}"],
	error: ["error? {msg}?", "{msg}"],
	cmd_path: ["cmd_path {path}", "{path}"],
	cmd_ancestry: ["cmd_ancestry {names}", "ancestry:[{ancestry}]"],
	cmd_name: ["cmd_name {name}? ({hierarchy})?", "{name}? ({hierarchy})?"],
	cmd_mode: ["cmd_mode {name}", "{name}"],
	alias: ["alias {alias} -> {argv}", "alias:{alias} argv:[{argv}]"],
	child_start: ["child_start[{child_id}] ?cd {cd}; ?{argv}",
		"[ch{child_id}] class:{child_class}? hook:{hook_name}?? cd:{cd}?" +
		" argv:[{argv}]"],
	child_exit: ["child_exit[{child_id}] pid:{pid} code:{code} " +
		"elapsed:{t_rel}", "[ch{child_id}] pid:{pid} code:{code}"],
	child_ready: ["child_ready[{child_id}] pid:{pid} ready:{ready} " +
		"elapsed:{t_rel}", "[ch{child_id}] pid:{pid} ready:{ready}"],
	exec: ["exec[{exec_id}] ?{exe} ?{argv}",
		"id:{exec_id} argv:[?{exe}??{blank}?{argv}]"],
	exec_result: ["exec_result[{exec_id}] code:{code}? err:{err}?",
		"id:{exec_id} code:{code}? err:{err}?"],
	thread_start: ["", ""],
	thread_exit: ["", ""],
	too_many_files: ["", null],
	def_param: ["def_param scope:{scope} {param}?={value}?",
		"{param}?:{value}?"],
	def_repo: ["worktree {worktree}", "worktree:{worktree}"],
	region_enter: ["", "?label:{label}?? {msg}?"],
	region_leave: ["", "?label:{label}?? {msg}?"],
	data: ["", "{key}:{value}"],
	data_json: ["", "{key}:{value}"],
	printf: ["{msg}", "{msg}"],
	th_timer: ["th_timer {category}/{name} " + TIMER, "name:{name} " + TIMER],
	timer: ["timer {category}/{name} " + TIMER, "name:{name} " + TIMER],
	th_counter: ["th_counter {category}/{name} value:{count}",
		"name:{name} value:{count}"],
	counter: ["counter {category}/{name} value:{count}",
		"name:{name} value:{count}"],
};

function system_text(code) {
	const text = util.getSystemErrorMap().get(-code)?.[1] || `error ${code}`;
	return text[0].toUpperCase() + text.slice(1);
}

function payload(event, which) {
	const own = { ...event.own };
	own.names = own.ancestry?.join(" <- ");
	if (event.name === "data_json")
		own.value = show_json(own.value);
	own.blank = own.exe && own.argv?.length ? " " : undefined;
	own.err = own.code > 0 ? system_text(own.code) : undefined;
	for (const key of ["argv", "ancestry"])
		own[key] = (own[key] || []).map(quote).join(" ");
	for (const key of ["cd", "worktree"])
		own[key] = own[key] === undefined ? undefined : quote(own[key]);
	return PAYLOADS[event.name][which].split("?").map((part, at) => {
		const names = [...part.matchAll(/\{(\w+)\}/g)].map(m => m[1]);
		if (at % 2 && names.some(name => own[name] === undefined))
			return "";
		return part.replace(/\{(\w+)\}/g, (_, name) => own[name] ?? "");
	}).join("");
}

function normal_line(event, brief) {
	if (!PAYLOADS[event.name][0])
		return null;
	const place = event.file ? `${event.file}:${event.line} ` : "";
	const prefix = `${hour(event)} ${place}`.padEnd(50);
	return (brief ? "" : prefix) + payload(event, 0);
}

const WITH_T_ABS = new RegExp("^(start|a?t?exit|signal|child_.*|thread_.*|" +
	"exec.*|region_.*|data.*|printf)$");

function perf_line(event, brief) {
	const { own, name, repo } = event;
	if (PAYLOADS[name][1] === null)
		return null;
	let place = event.file ? `${event.file}:${event.line}` : "";
	if (place.length > 28)
		place = "..." + place.slice(-25);
	const category = name === "def_param" ? "scope:" + own.scope
		: own.category || "";
	const t_abs = WITH_T_ABS.test(name) ? String(event.t_abs) : "";
	const columns = [
		`d${event.sid.split("/").length - 1}`, event.thread.padEnd(24),
		name.padEnd(12), (Number.isInteger(repo) ? `r${repo} ` : "").padEnd(3),
		t_abs.padStart(9), String(own.t_rel ?? "").padStart(9),
		category.slice(0, 12).padEnd(12),
		"..".repeat(event.dots) + payload(event, 1)];
	if (!brief)
		columns.unshift(`${hour(event)} ${place.padEnd(28)}`);
	return columns.join(" | ");
}

module.exports = { SHAPES: { normal: normal_line, perf: perf_line,
			     event: event_line } };
