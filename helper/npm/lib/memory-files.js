// memory-files.js - files of a program or a page, for wasi.js. A file is bytes,
// or in a worker a Blob, of which only what is asked for is read.
import { findStream } from './wasi.js';

const BLOCK = 1 << 20;

function fail(code) {
	throw Object.assign(new Error(code), { code });
}

// Bytes that grow as they are written.
class Memory {
	constructor(bytes = new Uint8Array(0)) {
		this.bytes = bytes;
		this.size = bytes.length;
	}

	read(bytes, at) {
		const part = this.bytes.subarray(at, Math.min(this.size, at + bytes.length));

		bytes.set(part);
		return part.length;
	}

	write(bytes, at) {
		this.truncate(Math.max(this.size, at + bytes.length));
		this.bytes.set(bytes, at);
		return bytes.length;
	}

	truncate(size) {
		if (size > this.bytes.length) {
			const grown = new Uint8Array(Math.max(size, 2 * this.bytes.length, 4096));

			grown.set(this.bytes.subarray(0, this.size));
			this.bytes = grown;
		}
		if (size < this.size)
			this.bytes.fill(0, size, this.size);
		this.size = size;
	}

	result() {
		return this.bytes.subarray(0, this.size);
	}
}

// A File of a page, read a block at a time.
class Lazy {
	constructor(blob) {
		this.blob = blob;
		this.size = blob.size;
		this.at = -1;
	}

	read(bytes, at) {
		const from = at - at % BLOCK;

		if (this.at !== from) {
			this.block = new Uint8Array(new FileReaderSync()
				.readAsArrayBuffer(this.blob.slice(from, from + BLOCK)));
			this.at = from;
		}
		const part = this.block.subarray(at - from, at - from + bytes.length);

		bytes.set(part);
		return part.length;
	}

	write() {
		fail('EROFS');
	}

	truncate() {
		fail('EROFS');
	}
}

// What a command writes goes to a function.
class Sink {
	constructor(put) {
		this.put = put;
	}

	stat() {
		return { kind: 'other', size: 0, mtime: 0 };
	}

	read() {
		return 0;
	}

	write(bytes) {
		this.put(bytes.slice());
		return bytes.length;
	}
}

class Source extends Memory {
	stat() {
		return { kind: 'other', size: 0, mtime: 0 };
	}
}

function clean(path) {
	return path.split('/').filter((part) => part && part !== '.').join('/');
}

export class MemoryFiles {
	// `onRead` hears how many bytes were read of which file.
	constructor({ stdin = new Uint8Array(0), stdout, stderr, onRead = () => {} }) {
		this.entries = new Map([['', { kind: 'directory' }]]);
		this.streams = [new Source(stdin), new Sink(stdout), new Sink(stderr)];
		this.onRead = onRead;
		this.inodes = 0;
	}

	// Add a file, and the directories above it.
	add(path, content) {
		const parts = clean(path).split('/');

		for (let i = 1; i < parts.length; i++)
			this.entries.set(parts.slice(0, i).join('/'), { kind: 'directory' });
		this.entries.set(parts.join('/'), { kind: 'file', ino: ++this.inodes,
			data: content instanceof Uint8Array ? new Memory(content)
				: new Lazy(content) });
	}

	// The files at the path or below it, which the module wrote.
	below(path) {
		return [...this.entries].filter(([name, { kind }]) => kind === 'file' &&
			(name === path || name.startsWith(`${path}/`)))
			.map(([name, { data }]) => ({ name, content: new Blob([data.result()]) }));
	}

	find(path) {
		return this.entries.get(clean(path)) ?? fail('ENOENT');
	}

	describe({ kind, data, ino }) {
		return { kind, size: data?.size ?? 0, mtime: 0, ino: ino ?? 0, dev: 1 };
	}

	open(path, how) {
		const name = clean(path);
		let entry = this.entries.get(name);

		if (this.streams[findStream(path)])
			return this.streams[findStream(path)];
		if (entry && how.create && how.exclusive)
			fail('EEXIST');
		if (!entry && how.create) {
			this.add(name, new Uint8Array(0));
			entry = this.entries.get(name);
		}
		if (!entry)
			fail('ENOENT');
		if (how.directory && entry.kind !== 'directory')
			fail('ENOTDIR');
		if (how.truncate)
			entry.data.truncate(0);
		return this.makeHandle(name, entry);
	}

	makeHandle(name, entry) {
		return {
			kind: entry.kind,
			stat: () => this.describe(entry),
			list: () => this.list(name),
			write: (bytes, at) => entry.data.write(bytes, at),
			truncate: (size) => entry.data.truncate(size),
			read: (bytes, at) => {
				const got = entry.data.read(bytes, at);

				this.onRead(name, at + got);
				return got;
			},
		};
	}

	list(name) {
		const start = name && `${name}/`;

		return [...this.entries].filter(([path]) => path !== name &&
			path.startsWith(start) && !path.slice(start.length).includes('/'))
			.map(([path, { kind }]) => ({ name: path.slice(start.length), kind }));
	}

	stat(path) {
		return this.streams[findStream(path)]?.stat() ??
			this.describe(this.find(path));
	}

	rename(from, to) {
		this.entries.set(clean(to), this.find(from));
		this.entries.delete(clean(from));
	}

	unlink(path) {
		this.find(path);
		this.entries.delete(clean(path));
	}

	mkdir(path) {
		if (this.entries.has(clean(path)))
			fail('EEXIST');
		this.entries.set(clean(path), { kind: 'directory' });
	}

	rmdir(path) {
		this.unlink(path);
	}

	readlink() {
		fail('EINVAL');
	}

	utimes() {}
}
