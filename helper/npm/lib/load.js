// load.js - the module of this package, compiled once.
import fs from 'node:fs/promises';

if (!('crypto' in globalThis)) // Node 18 has it elsewhere
	globalThis.crypto = (await import('node:crypto')).webcrypto;

let compiled;

export function loadModule() {
	compiled ??= fs.readFile(new URL('../trace2.wasm', import.meta.url))
		.then((bytes) => WebAssembly.compile(bytes));
	return compiled;
}
