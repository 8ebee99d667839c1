// node-files.js - the files of this machine, for wasi.js.
import fs from 'node:fs';
import process from 'node:process';
import tty from 'node:tty';

import { findStream } from './wasi.js';

const { constants } = fs;
const WAIT_MS = 5;
const sleeper = new Int32Array(new SharedArrayBuffer(4));
const isWindows = process.platform === 'win32';

// Another program may share a pipe, and have it never wait.
function patiently(work) {
	for (;;) {
		try {
			return work();
		} catch (error) {
			if (error.code === 'EOF')
				return 0;
			if (error.code !== 'EAGAIN')
				throw error;
			Atomics.wait(sleeper, 0, 0, WAIT_MS);
		}
	}
}

function kindOf(stat) {
	if (stat.isFile())
		return 'file';
	if (stat.isDirectory())
		return 'directory';
	if (stat.isSymbolicLink())
		return 'link';
	return stat.isCharacterDevice() ? 'device' : 'other';
}

function describe(stat) {
	return {
		kind: kindOf(stat),
		size: stat.size,
		mtime: stat.mtimeMs,
		dev: stat.dev,
		ino: stat.ino,
	};
}

class NodeFile {
	constructor(fd, keeps = false) {
		this.fd = fd;
		this.keeps = keeps; // its number belongs to the process
		try {
			this.first = describe(fs.fstatSync(fd));
		} catch {
			this.first = { kind: 'other', size: 0, mtime: 0 };
		}
		if (tty.isatty(fd))
			this.first.kind = 'terminal';
		this.kind = this.first.kind;
		// A shared descriptor has a place that others move, too.
		this.seeks = this.kind === 'file' && !keeps;
	}

	stat() {
		return this.kind === 'file' ? describe(fs.fstatSync(this.fd))
			: this.first;
	}

	read(bytes, at) {
		return patiently(() => fs.readSync(this.fd, bytes, 0, bytes.length,
			this.seeks ? at : null));
	}

	write(bytes, at) {
		return patiently(() => fs.writeSync(this.fd, bytes, 0, bytes.length,
			this.seeks ? at : null));
	}

	truncate(size) {
		fs.ftruncateSync(this.fd, size);
	}

	sync() {
		if (this.kind === 'file')
			fs.fsyncSync(this.fd);
	}

	close() {
		if (!this.keeps)
			fs.closeSync(this.fd);
	}
}

class NodeDirectory {
	constructor(path) {
		this.path = path;
		this.kind = 'directory';
	}

	stat() {
		return describe(fs.statSync(this.path));
	}

	list() {
		const names = fs.readdirSync(this.path, { withFileTypes: true });

		return names.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
	}
}

function flagsOf(how) {
	let flags = how.write ? (how.read ? constants.O_RDWR : constants.O_WRONLY)
		: constants.O_RDONLY;

	flags |= how.create ? constants.O_CREAT : 0;
	flags |= how.exclusive ? constants.O_EXCL : 0;
	flags |= how.truncate ? constants.O_TRUNC : 0;
	flags |= how.follow ? 0 : constants.O_NOFOLLOW ?? 0;
	return flags | (constants.O_NOCTTY ?? 0);
}

function isDirectory(path) {
	return !!fs.statSync(path, { throwIfNoEntry: false })?.isDirectory();
}

export const nodeFiles = {
	get streams() {
		return [0, 1, 2].map((fd) => new NodeFile(fd, true));
	},

	open(path, how) {
		const fd = findStream(path);

		if (fd >= 0 && (isWindows || fd < 3))
			return new NodeFile(fd, true);
		if (!how.write && !how.create && isDirectory(path))
			return new NodeDirectory(path);
		if (how.directory)
			throw Object.assign(new Error(path), { code: fs.existsSync(path)
				? 'ENOTDIR' : 'ENOENT' });
		return new NodeFile(fs.openSync(path, flagsOf(how), 0o666));
	},

	stat(path, follow) {
		const fd = findStream(path);

		if (fd >= 0 && fd < 3)
			return new NodeFile(fd, true).stat();
		return describe(follow ? fs.statSync(path) : fs.lstatSync(path));
	},

	// The new file has the mode of the one that it replaces.
	rename(from, to) {
		const old = fs.statSync(to, { throwIfNoEntry: false });

		if (old?.isFile())
			fs.chmodSync(from, old.mode & 0o7777);
		fs.renameSync(from, to);
	},

	mkdir: (path) => fs.mkdirSync(path),
	rmdir: (path) => fs.rmdirSync(path),
	unlink: (path) => fs.unlinkSync(path),
	link: (from, to) => fs.linkSync(from, to),
	readlink: (path) => fs.readlinkSync(path),
	utimes: (path, atime, mtime) => fs.utimesSync(path, atime, mtime),
};
