// record.js - `trace2 record -- COMMAND`, on systems without a trace manager:
// it sets git's variables, runs the command, joins the logs and tells where
// the time went.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';

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
		const ignore = () => {}; // a Ctrl-C is the command's, too
		const fail = (error) => {
			complain(`${command[0]}: ${explain(error)}`);
			resolve(error.code === 'ENOENT' ? 127 : 126);
		};

		process.on('SIGINT', ignore);
		spawnCommand(command, env, fail)?.on('close', (code, signal) => {
			process.off('SIGINT', ignore);
			resolve(code ?? 128 + os.constants.signals[signal]);
		});
	});
}

// Each process has a file, whose name begins with the time of its start.
async function joinLogs(folder, output) {
	const partial = `${output}.partial`;
	const names = fs.readdirSync(folder)
		.filter((name) => name !== 'git-trace2-discard').sort();

	fs.writeFileSync(partial, '', { flag: 'wx' });
	try {
		for (const name of names)
			await pipeline(fs.createReadStream(path.join(folder, name)),
				fs.createWriteStream(partial, { flags: 'a' }));
		fs.renameSync(partial, output);
	} catch (error) {
		fs.rmSync(partial, { force: true });
		throw error;
	}
	return names.length;
}

const FORMATS = new Map([
	['.html', (log, output) => ['report', '-o', output, log]],
	['.json', (log, output) => ['convert', '--to', 'chrome', log, output]],
	['.fxt', (log, output) => ['convert', '--to', 'fxt', log, output]],
]);

async function keep(options, folder, log, runModule) {
	const make = FORMATS.get(path.extname(options.output));
	const count = await joinLogs(folder, make ? log : options.output);

	if (!count) {
		complain('nothing was recorded: no program wrote Trace2 events');
		fs.rmSync(make ? log : options.output, { force: true });
		return 1;
	}
	if (make && await runModule(make(log, options.output)))
		return 1;
	process.stderr.write(`the record is in ${options.output}` +
		(make ? '\n' : '; to see where the time went, type:\n' +
			`npx trace2 summary ${options.output}\n`));
	if (!options.quiet && (options.answer || process.stderr.isTTY))
		await runModule(['record', '--answer-of', make ? log : options.output]);
	return 0;
}

async function runOptions(options, runModule) {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trace2-'));
	const logs = path.join(folder, 'logs');

	fs.mkdirSync(logs);
	try {
		const code = await start(options.command,
			{ ...process.env, GIT_TRACE2_EVENT: logs });

		if (code === 126 || code === 127)
			return code;
		return await keep(options, logs, path.join(folder, 'trace.event'),
			runModule) && !code ? 1 : code;
	} finally {
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
