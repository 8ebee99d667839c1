#!/usr/bin/env node
"use strict";
/* A driver in JavaScript: it reads t/kit/contract.tsv and does what it says.
 * Node has no fork, no exec and no pipe, so it lacks the verbs that need
 * them. A thread of a verb is a worker, which runs this file, too. */
const fs = require("fs"), os = require("os");
const { spawnSync } = require("child_process");
const { Worker, isMainThread, parentPort, workerData } =
	require("worker_threads");
const trace2 = require("./trace2.js");
const { PROCESS, TOTALS, bytes, decode, reason } = require("./emitter.js");
const { BLOCKS, CALLS, VERBS, Wrong, fits, has_all, is_number, number, perform,
	perform_verb, value } = require("./calls.js");

const NUMBERS = os.constants.signals;

class End extends Error { // of the process, with this exit code
	constructor(code) {
		super();
		this.code = code;
	}
}

function show(prefix, msg) {
	const shown = msg.replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "?");
	fs.writeSync(2, Buffer.from(`${prefix}${shown}\n`, "latin1"));
}

function show_error(fmt, msg) {
	trace2.error(msg, fmt);
	show("error: ", msg);
}

function sleep({ ms = 0, ns = 0 }) {
	const never = new Int32Array(new SharedArrayBuffer(4));
	Atomics.wait(never, 0, 0, number(ms) + number(ns) / 1e6);
}

const repo_of = repo => repo === "unannounced" ? 0 : repo && Number(repo);
// Node calls the handlers of signals between two turns of its loop.
const let_handlers_run = () => new Promise(done => setTimeout(done, 10));

/* Children */

function run(child) {
	let argv = child.argv.map(decode);
	if (child.shell)
		argv = ["sh", "-c", argv[0] + (argv.length > 1 ? ' "$@"' : ""), ...argv];
	const done = spawnSync(argv[0], argv.slice(1), {
		stdio: "inherit", cwd: child.dir && decode(child.dir) });
	if (done.error) {
		show_error("cannot run %s: %s", bytes(
			`cannot run ${argv[0]}: ${reason(done.error)}`));
		return null;
	}
	child.pid = done.pid;
	return done;
}

function start_child({ child = "child", ...given }, names) {
	names[child] = { argv: [], ...given };
	trace2.child_start(names[child]);
	return names[child];
}

async function run_child(given, names) {
	const child = start_child(given, names), done = run(child);
	await let_handlers_run();
	names.code = done ? done.status : -1;
	if (done?.signal) {
		const signo = NUMBERS[done.signal];
		show_error("%s died of signal %d",
			   `${child.argv[0]} died of signal ${signo}`);
		names.code = 128 + signo;
	}
	trace2.child_end("child_exit", child, { code: names.code });
}

const end_child = name => ({ child = "child", pid, ...given }, names) => {
	const found = names[child];
	if (!found)
		return;
	found.pid = pid ? number(pid) : found.pid;
	if (given.code)
		given.code = number(given.code);
	trace2.child_end(name, found, given);
};

/* What else happens around a verb */

function need({ else: otherwise, int, words, target }) {
	const good = int !== undefined ? is_number(int)
		: words ? words.every(Boolean)
		: ["normal", "perf", "event"].includes(target);
	if (!good)
		throw new Wrong(otherwise);
}

function only_target({ target, file }) {
	for (const name of ["normal", "perf", "event"]) {
		const suffix = name === "normal" ? "" : `_${name.toUpperCase()}`;
		process.env["GIT_TRACE2" + suffix] = name === target ? file : "";
	}
	process.env.GIT_TRACE2_BRIEF = "1";
}

async function raise({ signal }) {
	process.kill(process.pid, "SIG" + signal);
	await let_handlers_run();
}

function set_action({ signal, text }) {
	process.removeAllListeners("SIG" + signal);
	process.on("SIG" + signal, () => fs.writeSync(1, text || ""));
}

function choose_text(texts, names, kind) {
	if (!texts[kind])
		throw new Wrong("expect control, quotes, utf8, invalid, newlines, " +
				"password or long");
	names.text = texts[kind];
}

const timer = call => ({ category, name, per_thread = false }) =>
	call(category, name, per_thread);
const data = name => ({ category, key, value, repo }) => trace2.data(
	name, category || "", key || "", String(value ?? ""), repo_of(repo));
const region = call => ({ category, label, msg, repo }) =>
	call(category, label, msg, repo_of(repo));
const event = name => own => trace2.emit(name, own);

Object.assign(CALLS, {
	exit({ code }) {
		trace2.cmd_exit(number(code));
		throw new End(number(code));
	},
	end({ code }) { throw new End(number(code)); },
	report_exit({ code }) { trace2.cmd_exit(number(code)); },
	error({ fmt, msg }) { show_error(fmt, msg); },
	report_error({ fmt, msg }) { trace2.error(msg, fmt); },
	bug({ msg }) {
		trace2.error(msg, msg);
		show("BUG: driver.js:1: ", msg);
	},
	fail({ msg }) { throw new Wrong(msg); },
	need, only_target, raise, sleep, text: choose_text,
	child: run_child, child_start: start_child,
	child_exit: end_child("child_exit"),
	child_ready: end_child("child_ready"),
	run({ argv }, names) { run(Object.assign(names.child, { argv })); },
	exec({ exe, argv }, names) { names.exec_id = trace2.exec(exe, argv); },
	exec_result({ code, exec_id }, names) {
		trace2.emit("exec_result", {
			exec_id: number(exec_id ?? names.exec_id),
			code: number(code) });
	},
	ignore: set_action, handle: set_action,
	start({ argv }) { trace2.start(argv); },
	cmd_ancestry({ ancestry }) { trace2.cmd_ancestry(ancestry); },
	cmd_path: event("cmd_path"), cmd_mode: event("cmd_mode"),
	cmd_name({ name }) { trace2.cmd_name(name); },
	alias({ alias, argv }) {
		trace2.emit("alias", { alias, argv: trace2.clean(argv) });
	},
	def_param({ param, value }) { trace2.def_param(param, value); },
	def_repo({ worktree }, names) {
		names.repo = worktree ? trace2.def_repo(worktree) : 0;
	},
	printf({ msg, file, line = 1 }) {
		const place = file === undefined ? {} : { file, line: number(line) };
		trace2.emit("printf", { t_abs: 1, msg: trace2.clean(msg) }, place);
	},
	region_enter: region(trace2.region_enter),
	region_leave: region(trace2.region_leave),
	data: data("data"), data_json: data("data_json"),
	thread_start({ name }) { trace2.thread_start(name); },
	thread_exit: () => trace2.thread_exit(),
	timer_start: timer(trace2.timer_start),
	timer_stop: timer(trace2.timer_stop),
	time(given) {
		CALLS.timer_start(given);
		sleep(given);
		CALLS.timer_stop(given);
	},
	counter({ category, name, add, per_thread }) {
		trace2.counter(category, name, add, per_thread);
	},
	async verb({ name, argv }, names) {
		if (!OWN.includes(name))
			throw new Wrong("expect <verb> [<args>...]");
		await perform_verb(name, argv, names);
	},
	print({ text }) { fs.writeSync(1, Buffer.from(text, "latin1")); },
	before_start() {},
});

/* Threads */

async function run_thread(body, names, others) {
	const shared = { ...PROCESS };
	const thread = new Worker(__filename, {
		workerData: { process: shared, body, names: { ...names, ...others } },
		argv: process.argv.slice(2) });
	await new Promise(done => thread.on("message", totals => {
		for (const one of totals)
			add_total(one);
	}).on("error", done).on("exit", done));
}

function add_total(one) {
	const key = `${one.kind}\n${one.category}\n${one.name}`;
	if (TOTALS.has(key))
		TOTALS.get(key).shares.push(...one.shares);
	else
		TOTALS.set(key, one);
}

BLOCKS.threads = async (call, names) => {
	const found = value(call.words[0], names);
	const each = Array.isArray(found) ? found
		: Array(Math.max(0, number(found))).fill(null);
	await Promise.all(each.map((one, place) =>
		run_thread(call.body, names, { place, _: one })));
};

const LATER = [];
BLOCKS.after_exit = (call, names) => { LATER.push([call.body, names]); };

/* The program */

const OWN = Object.keys(VERBS).filter(name => has_all(VERBS[name].calls));

async function result(name, words, names) {
	try {
		await perform_verb(name, words, names);
	} catch (problem) {
		if (problem instanceof End)
			return problem.code;
		if (!(problem instanceof Wrong))
			throw problem;
		trace2.error(problem.message, problem.message);
		show("fatal: ", problem.message);
		return 128;
	}
	return 0;
}

async function main(words) {
	const name = words[1];
	if (words[0] !== "trace2" || !OWN.includes(name)) {
		const rows = OWN.map(one => `\ttest-tool trace2 ${one} ` +
				     VERBS[one].usage);
		fs.writeSync(2, ["usage:", ...rows, ""].join("\n"));
		return 129;
	}
	if (name === "late_start" && fits("int", words.slice(2)))
		sleep({ ms: words[2] });
	trace2.initialize();
	trace2.cmd_name("trace2");
	const names = { sid: PROCESS.sid, dropped: 0 };
	const code = await result(name, words.slice(2), names);
	trace2.finish(code);
	for (const [body, own] of LATER)
		await perform(body, own);
	return code;
}

if (isMainThread)
	main(trace2.ARGV.slice(1)).then(code => process.exit(code & 255));
else
	perform(workerData.body, workerData.names).then(
		() => parentPort.postMessage([...TOTALS.values()]));
