#!/usr/bin/env node
// trace2 - the command, as a WebAssembly module: as the native one, but for
// what needs sockets; `record` is record.js.
import process from 'node:process';

import { expandGlobs } from '../lib/glob.js';
import { loadModule } from '../lib/load.js';
import { nodeFiles } from '../lib/node-files.js';
import { record } from '../lib/record.js';
import { run } from '../lib/wasi.js';

const BROKEN_PIPE = 141; // of a program that SIGPIPE ends

async function runModule(args) {
	const env = { ...process.env };

	delete env.COLUMNS;
	if (process.stdout.columns)
		env.COLUMNS = process.stdout.columns;
	return run(await loadModule(), { args: ['trace2', ...args], env,
		host: nodeFiles });
}

async function main(args) {
	if (process.platform === 'win32')
		args = expandGlobs(args);
	if (args[0] === 'record' && args[1] !== undefined)
		return record(args.slice(1), runModule);
	if (args[0] === 'help' && args[1] === 'record')
		return record(['--help'], runModule);
	return runModule(args);
}

try {
	process.exitCode = await main(process.argv.slice(2));
} catch (error) {
	if (error.code !== 'EPIPE')
		throw error;
	process.exitCode = BROKEN_PIPE;
}
