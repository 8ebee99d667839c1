// record.js - `trace2 record -- COMMAND`, on systems without a trace manager:
// it sets git's variables, runs the command, joins the logs and tells where
// the time went.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';

import { findStream } from './wasi.js';

const HELP = `usage: trace2 record [OPTION]... -- COMMAND [ARGUMENT]...

Run COMMAND, and record the Trace2 events of git and of all other programs
that it runs in an EVENT log.

Options:
  --answer            say where COMMAND's time went on standard error (default:
                      if that is a terminal)
  -o, --output FILE   write to FILE: the page of 'trace2 report' if its name
                      ends in .html, Chrome's JSON if it ends in .json, an
                      archive for Perfetto if it ends in .fxt, otherwise an
                      EVENT log (default: trace.event)
  -q, --quiet         do not say where COMMAND's time went
  -h, --help          print this help

Trace points, --kernel and recording without COMMAND need the native trace2.

Exit status: that of COMMAND if it is not 0 (128 + N after signal N);
otherwise 0, or 1 if nothing was recorded; 2 if the command line was wrong; 126
if COMMAND could not be run, 127 if it was not found.
`;

class Misuse extends Error {}

function complain(text) {
	process.stderr.write(`trace2 record: ${text}\n`);
}

const FLAGS = new Map([['-h', 'help'], ['--help', 'help'], ['-q', 'quiet'],
	['--quiet', 'quiet'], ['--answer', 'answer']]);

function parse(args) {
	const options = { output: 'trace.event' };
	let at = 0;

	for (; at < args.length && args[at][0] === '-' && args[at] !== '--'; at++) {
		const given = /^(?:--output=|-o)(.+)$/s.exec(args[at]);

		if (FLAGS.has(args[at]))
			options[FLAGS.get(args[at])] = true;
		else if (given)
			options.output = given[1];
		else if (args[at] !== '-o' && args[at] !== '--output')
			throw new Misuse(`option '${args[at]}' is not known, or needs the native trace2`);
		else if (++at === args.length)
			throw new Misuse('--output needs a file');
		else
			options.output = args[at];
	}
	options.command = args.slice(args[at] === '--' ? at + 1 : at);
	if (!options.output)
		throw new Misuse('--output needs a file');
	if (!options.command.length && !options.help)
		throw new Misuse('what is to be recorded? Type it after --');
	return options;
}

// Windows runs a .cmd or .bat, as npm is one, by its shell alone.
function explain(error) {
	const hint = process.platform === 'win32'
		? '; a .cmd or .bat is run as `cmd /c NAME`' : '';

	return (error.code === 'ENOENT' ? 'not found' : error.message) + hint;
}

// Some systems refuse a program at once, others later.
function spawnCommand([file, ...args], env, fail) {
	try {
		return spawn(file, args, { stdio: 'inherit', env }).on('error', fail);
	} catch (error) {
		fail(error);
		return undefined;
	}
}

function start(command, env) {
	return new Promise((resolve) => {
		let child;
		const pass = (signal) => child?.kill(signal);
		const ignore = () => {}; // a Ctrl-C is the command's, too
		const fail = (error) => {
			complain(`${command[0]}: ${explain(error)}`);
			resolve(error.code === 'ENOENT' ? 127 : 126);
		};

		process.on('SIGINT', ignore);
		process.on('SIGTERM', pass).on('SIGHUP', pass);
		child = spawnCommand(command, env, fail);
		child?.on('close', (code, signal) => {
			process.off('SIGINT', ignore);
			process.off('SIGTERM', pass).off('SIGHUP', pass);
			resolve(code ?? 128 + os.constants.signals[signal]);
		});
	});
}

// The name that the output replaces: links lead to it, and are not replaced.
function followLinks(name) {
	try {
		return followLinks(path.resolve(path.dirname(name),
			fs.readlinkSync(name)));
	} catch {
		return name;
	}
}

// Before the command runs, which may take hours.
function findOutput(name, isLog) {
	const isStream = name === '-' || findStream(name) >= 0;

	if (isStream && !isLog)
		return undefined;

	const old = fs.statSync(name, { throwIfNoEntry: false });
	const target = old && !isStream ? fs.realpathSync(name) : followLinks(name);

	if (old?.isDirectory() || /[\\/]$/.test(name))
		throw new Error(`expected a file, not a directory: ${name}`);
	if (isLog && (isStream || (old && !old.isFile())))
		throw new Error(`cannot write an EVENT log to something that is not a file: ${name}`);
	if (old)
		fs.accessSync(target, fs.constants.W_OK);
	if (!old || old.isFile())
		fs.accessSync(path.dirname(target), fs.constants.W_OK);
	return { target, mode: old?.mode & 0o777 };
}

// Each process has a file, whose name begins with the time of its start.
async function joinLogs(folder, { target, mode }) {
	const partial = `${target}.${process.pid}-${Date.now()}.partial`;
	const names = listLogs(folder);

	fs.writeFileSync(partial, '', { flag: 'wx', mode: mode || 0o666 });
	try {
		if (mode)
			fs.chmodSync(partial, mode);
		for (const name of names)
			await pipeline(fs.createReadStream(path.join(folder, name)),
				fs.createWriteStream(partial, { flags: 'a' }));
		fs.renameSync(partial, target);
	} catch (error) {
		fs.rmSync(partial, { force: true });
		throw error;
	}
}

function listLogs(folder) {
	return fs.readdirSync(folder)
		.filter((name) => name !== 'git-trace2-discard').sort();
}

const FORMATS = new Map([
	['.html', (log, output) => ['report', '-o', output, log]],
	['.json', (log, output) => ['convert', '--to', 'chrome', log, output]],
	['.fxt', (log, output) => ['convert', '--to', 'fxt', log, output]],
]);

async function keep(options, folder, place, runModule) {
	const make = FORMATS.get(path.extname(options.output));
	const log = make ? path.join(folder, '..', 'trace.event') : options.output;

	if (!listLogs(folder).length) {
		complain('nothing was recorded: no program wrote Trace2 events');
		return 1;
	}
	await joinLogs(folder, make ? { target: log } : place);
	const left = make ? await runModule(make(log, options.output)) : 0;
	if (left > 1)
		throw new Error(`${options.output} was not written`);
	process.stderr.write(`the record is in ${options.output}` +
		(make ? '\n' : '; to see where the time went, type:\n' +
			`npx trace2 summary ${/\s/.test(options.output) ?
				`"${options.output}"` : options.output}\n`));
	if (!options.quiet && (options.answer || process.stderr.isTTY))
		await runModule(['record', '--answer-of', log]);
	return left;
}

// What was recorded is all there is of it.
async function keepOrTell(options, logs, place, runModule) {
	try {
		return await keep(options, logs, place, runModule);
	} catch (error) {
		complain(error.message);
		complain(`the logs are still in ${logs}`);
		return undefined;
	}
}

async function runOptions(options, runModule) {
	const place = findOutput(options.output,
		!FORMATS.has(path.extname(options.output)));
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trace2-'));
	const logs = path.join(folder, 'logs');
	let kept = 0;

	fs.mkdirSync(logs);
	try {
		const code = await start(options.command,
			{ ...process.env, GIT_TRACE2_EVENT: logs });

		if (code === 126 || code === 127)
			return code;
		kept = await keepOrTell(options, logs, place, runModule);
		return kept === 0 ? code : code || 1;
	} finally {
		if (kept !== undefined)
			fs.rmSync(folder, { recursive: true, force: true });
	}
}

export async function record(args, runModule) {
	try {
		const options = parse(args);

		if (options.help)
			return process.stdout.write(HELP), 0;
		return await runOptions(options, runModule);
	} catch (error) {
		complain(error.message);
		return error instanceof Misuse ? 2 : 1;
	}
}
