// load.js - the module of this package, compiled once.
import { webcrypto } from 'node:crypto';
import fs from 'node:fs/promises';

globalThis.crypto ??= webcrypto; // Node 18 has it elsewhere

let compiled;

export function loadModule() {
	compiled ??= fs.readFile(new URL('../trace2.wasm', import.meta.url))
		.then((bytes) => WebAssembly.compile(bytes));
	return compiled;
}
