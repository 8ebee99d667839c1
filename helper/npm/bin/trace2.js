#!/usr/bin/env node
// trace2 - the command, as a WebAssembly module: as the native one, but for
// what needs sockets; `record` is record.js.
import process from 'node:process';
import v8 from 'node:v8';

import { expandGlobs } from '../lib/glob.js';
import { loadModule } from '../lib/load.js';
import { nodeFiles } from '../lib/node-files.js';
import { run } from '../lib/wasi.js';

const BROKEN_PIPE = 141; // of a program that SIGPIPE ends

// For a small log it costs more to compile the code that runs often once more
// than this saves. A version that does not know the flag would complain.
const TIERING = '--wasm-tiering-budget=90000000';
const TRIED = ['20', '22', '24'];

if (TRIED.includes(process.versions.node.split('.')[0]))
	v8.setFlagsFromString(TIERING);

async function runModule(args) {
	const env = { ...process.env };

	delete env.COLUMNS;
	if (process.stdout.columns)
		env.COLUMNS = process.stdout.columns;
	return run(await loadModule(), { args: ['trace2', ...args], env,
		host: nodeFiles });
}

async function record(args) {
	const recorder = await import('../lib/record.js');

	return recorder.record(args, runModule);
}

async function main(args) {
	if (process.platform === 'win32')
		args = expandGlobs(args);
	if (args[0] === 'record' && args[1] !== undefined)
		return record(args.slice(1));
	if (args[0] === 'help' && args[1] === 'record')
		return record(['--help']);
	return runModule(args);
}

try {
	process.exitCode = await main(process.argv.slice(2));
} catch (error) {
	if (error.code !== 'EPIPE')
		throw error;
	process.exitCode = BROKEN_PIPE;
}
