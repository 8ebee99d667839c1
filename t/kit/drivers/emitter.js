"use strict";
/* A small emitter: it writes EVENT, NORMAL and PERF. driver.js drives it.
 * Texts are strings of bytes, which EVENT alone decodes. */
const crypto = require("crypto"), fs = require("fs"), os = require("os");
const util = require("util");
const { workerData } = require("worker_threads");
const { SHAPES } = require("./shapes.js");

class Raw { // a text that EVENT shows without quotes
	constructor(text) { this.text = text; }
	toString() { return this.text; }
}

const bytes = text => Buffer.from(text).toString("latin1");
const decode = text => Buffer.from(text, "latin1").toString();
const env = name => process.env[name];
const clock = () => Number(process.hrtime.bigint()); // ns
const now = () => Math.floor(clock() / 1000); // us
const pad = (number, width) => String(number).padStart(width, "0");
const seconds = us => new Raw(`${Math.floor(us / 1e6)}.${pad(us % 1e6, 6)}`);

/* Settings */

const WORDS = { true: true, yes: true, on: true,
		false: false, no: false, off: false, "": false };

function boolean(name, other = false) {
	const text = env(name)?.toLowerCase();
	if (text === undefined || text in WORDS)
		return text === undefined ? other : WORDS[text];
	const found = /^\s*([-+]?)(0x[\da-f]+|0[0-7]*|[1-9]\d*)([kmg]?)$/.exec(text);
	if (!found)
		return other;
	const octal = /^0\d/.test(found[2]);
	const value = parseInt(found[2], octal ? 8 : undefined) *
		1024 ** " kmg".indexOf(found[3] || " ");
	return value >= 2 ** 31 + (found[1] === "-") ? other : value !== 0;
}

const integer = name => parseInt(/^\s*[-+]?\d+/.exec(env(name) || "") || 0, 10);
const LONGEST = 65536; // bytes of what comes from a parent
const LIMIT = integer("GIT_TRACE2_EVENT_NESTING");
const DEBUG = boolean("GIT_TRACE2_DST_DEBUG");
const REDACT = boolean("GIT_TRACE2_REDACT", true);
const SHOWN = env("GIT_TRACE2_CATEGORIES");
const B = "\\x00-\\x20\\x7f";
const SECRET = new RegExp(`(://(?:[^/:${B}]*:|[^/:]*:(?!//)))` +
	`(?:[^@/]*|[^@${B}]*)(?:@[^@${B}]*(?=@))*(?=@)`, "g");
const URLS = new RegExp(`://[^${B}"]*`, "g");
const NAME = new RegExp("(?:signature|token|secret|password|passwd|" +
	"passphrase|credential|api[-_]?key|(?<![a-z0-9])sig)$", "i");

function is_secret(name) {
	return NAME.test(name.replace(/%([0-9a-f]{2})/gi, (_, digits) =>
		String.fromCharCode(parseInt(digits, 16))));
}

function hide_query(url) {
	let shown = "", name;

	for (let at; (at = url.indexOf("=")) >= 0; shown += `${name}=`) {
		name = url.slice(0, at);
		url = url.slice(at + 1);
		if (is_secret(name))
			url = url.replace(/^[^&#]+/, "<REDACTED>");
	}
	return shown + url;
}

function clean(value) {
	if (Array.isArray(value))
		return value.map(clean);
	if (!REDACT || typeof value !== "string")
		return value;
	return value.replace(SECRET, "$1<REDACTED>").replace(
		URLS, hide_query);
}

/* Destinations */

function warn(text) {
	fs.writeSync(2, `warning: ${text}\n`);
}

function new_file(place, attempts) {
	for (let at = 0; ; at++)
		try {
			return fs.openSync(place + (at ? `.${at}` : ""), "ax", 0o666);
		} catch (problem) {
			if (at + 1 >= attempts)
				throw problem;
		}
}

function open_directory(target, directory, own_name) {
	const limit = integer("GIT_TRACE2_MAX_FILES");
	const names = limit > 0 ? fs.readdirSync(directory) : [];
	const is_there = names.includes("git-trace2-discard");
	target.path = directory.replace(/\/?$/, "/") + own_name;
	if (limit <= 0 || names.length + 2 < limit && !is_there)
		return new_file(target.path, 10);
	target.full = true;
	if (is_there)
		throw new Error("full");
	return new_file(directory + "/git-trace2-discard", 1);
}

/* Node has descriptors of its own; a pipe is opened anew, so as not to block. */
function open_number(number) {
	const place = `/proc/self/fd/${number}`;
	if (fs.readlinkSync(place).startsWith("anon_inode:"))
		return null;
	return fs.fstatSync(Number(number)).isFIFO()
		? fs.openSync(place, C.O_WRONLY | C.O_NONBLOCK) : Number(number);
}

const C = fs.constants;
const APPEND = C.O_WRONLY | C.O_APPEND | C.O_CREAT | C.O_NONBLOCK;

function open_value(target, value, own_name) {
	if (["", "0", "false"].includes(value.toLowerCase()))
		return null;
	if (value === "1" || value.toLowerCase() === "true")
		return 2;
	if (/^[2-9]$/.test(value))
		return open_number(value);
	if (value.startsWith("af_unix:"))
		return null; // Node connects in its loop alone
	if (value[0] !== "/") {
		warn(`trace2: unknown value for '${target.variable}': '${value}'`);
		return null;
	}
	target.path = value;
	const there = fs.statSync(value, { throwIfNoEntry: false });
	return there?.isDirectory() ? open_directory(target, value, own_name)
				    : fs.openSync(value, APPEND, 0o666);
}

function open_target(target, own_name) {
	const value = env(target.variable) || "";
	try {
		target.fd = open_value(target, value, own_name);
	} catch (problem) {
		if (DEBUG && /^\d$/.test(value))
			warn(`unable to write trace to '${target.variable}': ` +
			     "Bad file descriptor");
		else if (DEBUG && target.full)
			warn(`trace2: not opening ${target.variable} trace file due to ` +
			     `too many files in target directory ${value}`);
		else if (DEBUG)
			warn(`trace2: could not open '${target.path}' for ` +
			     `'${target.variable}' tracing: ${reason(problem)}`);
	}
}

function reason(problem) {
	const text = util.getSystemErrorMap().get(problem.errno)?.[1] || "";
	return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/* The process, which its threads share */

function make_sid() {
	const parent = bytes(env("GIT_TRACE2_PARENT_SID") || "");
	const fits = parent.length <= LONGEST ? parent : parent.split("/").pop();
	const head = fits && fits.length <= LONGEST ? fits + "/" : "";
	const time = wall_clock().replace(/[-:]/g, "");
	const host = crypto.createHash("sha1").update(os.hostname());
	const pid = process.pid.toString(16).padStart(8, "0");
	return `${head}${time}-H${host.digest("hex").slice(0, 8)}-P${pid}`;
}

function wall_clock() {
	const us = Math.round((performance.timeOrigin + performance.now()) * 1000);
	const date = new Date(Math.floor(us / 1000)).toISOString();
	return `${date.slice(0, -1)}${pad(us % 1000, 3)}Z`;
}

const PROCESS = workerData?.process ?? {
	sid: make_sid(), begin: now(), code: null, over: false, repos: 0,
	name: bytes(env("GIT_TRACE2_PARENT_NAME") || ""), targets: [],
	// threads, execs, children, dropped events
	counts: new Int32Array(new SharedArrayBuffer(16)),
	left: 100, // ms for which destinations may still delay the program
	own_pipe: false, // a SIGPIPE may be that of a destination
};
const TOTALS = new Map(); // of this thread, or of the process
const HERE = { name: workerData ? null : "main", stack: [PROCESS.begin],
	       clocks: {} };
const take_number = at => Atomics.add(PROCESS.counts, at, 1);
const is_on = () => PROCESS.targets.some(
	target => target.fd !== null || target.failed);

function begin_thread(name) {
	let text = Buffer.from(`th${pad(take_number(0) + 1, 2)}:${name}`, "latin1");
	if (text.length > 24) // a cut between characters
		for (text = text.subarray(0, 24); text.toString().endsWith("\ufffd");)
			text = text.subarray(0, -1);
	Object.assign(HERE, { name: text.toString("latin1"), stack: [now()] });
}

function emit(name, own, { repo, file = "driver.js", line = 1, at = now(),
			   only = PROCESS.targets } = {}) {
	if (PROCESS.over || !is_on())
		return;
	if (!HERE.name)
		begin_thread("unknown");
	const t_abs = seconds(at - PROCESS.begin);
	const event = { name, repo, file, line, t_abs, sid: PROCESS.sid, own: {},
			thread: HERE.name, time: wall_clock(), limit: LIMIT,
			dots: Math.max(HERE.stack.length - 1, 0) };
	for (const [key, value] of Object.entries(own))
		if (value !== undefined && value !== null)
			event.own[key] = key === "t_abs" ? t_abs : value;
	for (const target of only)
		write_line(target, event);
}

function write_line(target, event) {
	const line = target.fd === null && !target.failed ? null
		: SHAPES[target.form](event, target.brief);
	if (line === null)
		return;
	try {
		if (target.failed)
			throw target.failed;
		write_all(target.fd, Buffer.from(line.replace(/\n?$/, "\n"), "latin1"));
	} catch (problem) {
		take_number(3);
		target.fd = null;
		PROCESS.own_pipe ||= problem.code === "EPIPE";
		if (target.failed)
			return;
		target.failed = problem;
		if (DEBUG)
			warn(`unable to write trace to '${target.variable}': ` +
			     reason(problem));
	}
}

function write_all(fd, text) {
	while (text.length)
		try {
			text = text.subarray(fs.writeSync(fd, text));
		} catch (problem) {
			if (problem.code !== "EAGAIN" || PROCESS.left-- <= 0)
				throw problem;
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
		}
}

module.exports = { DEBUG, HERE, LONGEST, PROCESS, Raw, SHOWN, TOTALS, boolean,
		   begin_thread, bytes, clean, clock, decode, emit, env, is_on,
		   now, open_target, reason, seconds, take_number,
		   warn };
