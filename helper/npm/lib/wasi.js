// wasi.js - what the module asks of a system: arguments, clocks and files.
//
// node:wasi is experimental and warns, and browsers have none. This one knows
// the calls that trace2.wasm makes, and no others. Files come from a host
// (node-files.js, memory-files.js), whose calls are synchronous and throw
// errors with a `code` as node:fs does:
//
//	open(path, flags)	a file: { kind, read, write, stat, list, ... }
//	stat(path, follow)	{ kind, size, mtime, dev, ino }
//	mkdir, rmdir, unlink, rename, readlink, utimes; link if it can
//	streams			the files of descriptors 0, 1 and 2

const ERRNO = {
	E2BIG: 1, EACCES: 2, EAGAIN: 6, EBADF: 8, EBUSY: 10, EEXIST: 20,
	EFBIG: 22, EINVAL: 28, EIO: 29, EISDIR: 31, ELOOP: 32, EMFILE: 33,
	ENAMETOOLONG: 37, ENFILE: 41, ENOENT: 44, ENOSPC: 51, ENOSYS: 52,
	ENOTDIR: 54, ENOTEMPTY: 55, ENOTSUP: 58, EPERM: 63, EPIPE: 64,
	EROFS: 69, ESPIPE: 70, EXDEV: 75, ENXIO: 60, ENODEV: 43,
	ETXTBSY: 74, EDQUOT: 19, EINTR: 27,
};
const KINDS = { other: 0, device: 2, terminal: 2, directory: 3, file: 4, link: 7 };
const SEEK = 4n, TELL = 32n, ALL = (1n << 30n) - 1n;
const O_CREAT = 1, O_DIRECTORY = 2, O_EXCL = 4, O_TRUNC = 8;
const PLACE = 3; // the descriptor of all paths (helper/wasm/paths.c)

export class Exit extends Error {
	constructor(code) {
		super(`exit ${code}`);
		this.code = code;
	}
}

function fail(code) {
	throw Object.assign(new Error(code), { code });
}

// These are names of descriptors on every system.
export function findStream(path) {
	const found = /^\/dev\/(?:fd\/(\d+)|std(in|out|err))$/.exec(path);

	return found ? Number(found[1] ?? ['in', 'out', 'err'].indexOf(found[2]))
		: -1;
}

// Neither a page nor Windows has a file of random bytes.
const MOST_RANDOM = 65536;
const random = {
	kind: 'device',
	stat: () => ({ kind: 'device', size: 0, mtime: 0 }),
	read(bytes) {
		const fresh = new Uint8Array(Math.min(bytes.length, MOST_RANDOM));

		bytes.set(globalThis.crypto.getRandomValues(fresh));
		return fresh.length;
	},
};

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Wasi {
	constructor({ args, env = {}, host }) {
		this.args = args.map((arg) => encoder.encode(arg + '\0'));
		this.env = Object.entries(env).map(([name, value]) =>
			encoder.encode(`${name}=${value}\0`));
		this.host = host;
		this.files = host.streams.map((file) => ({ file, at: 0 }));
		this.files[PLACE] = { place: '.' };
	}

	// What WebAssembly.instantiate() wants.
	get imports() {
		const calls = {};
		for (const name of Object.getOwnPropertyNames(Calls.prototype))
			calls[name] = (...given) => this.call(name, given);
		calls.proc_exit = (code) => { throw new Exit(code); };
		return { wasi_snapshot_preview1: calls };
	}

	call(name, given) {
		try {
			return Calls.prototype[name].apply(this, given) || 0;
		} catch (error) {
			if (!(error.code in ERRNO))
				throw error;
			return ERRNO[error.code];
		}
	}

	start(instance) {
		this.memory = instance.exports.memory;
		try {
			instance.exports._start();
		} catch (error) {
			if (!(error instanceof Exit))
				throw error;
			return error.code;
		}
		return 0;
	}

	// Memory may have grown, and then the old view is empty.
	get view() {
		if (this.seen?.buffer !== this.memory.buffer)
			this.seen = new DataView(this.memory.buffer);
		return this.seen;
	}

	bytes(at, len) {
		return new Uint8Array(this.memory.buffer, at, len);
	}

	text(at, len) {
		return decoder.decode(this.bytes(at, len));
	}

	path(fd, at, len) {
		const path = this.text(at, len);

		return fd === PLACE ? path : `${this.find(fd).path}/${path}`;
	}

	find(fd) {
		return this.files[fd] ?? fail('EBADF');
	}

	file(fd) {
		return this.find(fd).file ?? fail('EBADF');
	}

	put(entry) {
		let fd = this.files.findIndex((file) => !file);

		fd = fd < 0 ? this.files.length : fd;
		this.files[fd] = entry;
		return fd;
	}

	putList(list, pointers, at) {
		list.forEach((bytes, i) => {
			this.view.setUint32(pointers + 4 * i, at, true);
			this.bytes(at, bytes.length).set(bytes);
			at += bytes.length;
		});
	}

	putSizes(list, count, size) {
		this.view.setUint32(count, list.length, true);
		this.view.setUint32(size,
			list.reduce((sum, bytes) => sum + bytes.length, 0), true);
	}

	putStat(stat, at) {
		const time = BigInt(Math.round(stat.mtime * 1e3)) * 1000n;

		this.view.setBigUint64(at, BigInt(stat.dev ?? 0), true);
		this.view.setBigUint64(at + 8, BigInt(stat.ino ?? 0), true);
		this.view.setBigUint64(at + 16, BigInt(KINDS[stat.kind]), true);
		this.view.setBigUint64(at + 24, 1n, true);
		this.view.setBigUint64(at + 32, BigInt(stat.size), true);
		for (const field of [40, 48, 56])
			this.view.setBigUint64(at + field, time, true);
	}

	// Call `one` for each vector until it moves less than there is room.
	move(vectors, count, done, one) {
		let total = 0;

		for (let i = 0; i < count; i++) {
			const at = this.view.getUint32(vectors + 8 * i, true);
			const len = this.view.getUint32(vectors + 8 * i + 4, true);
			const moved = len ? one(this.bytes(at, len), total) : 0;

			total += moved;
			if (moved < len)
				break;
		}
		this.view.setUint32(done, total, true);
	}
}

// The calls; `this` is the Wasi.
class Calls {
	args_get(pointers, at) {
		this.putList(this.args, pointers, at);
	}

	args_sizes_get(count, size) {
		this.putSizes(this.args, count, size);
	}

	environ_get(pointers, at) {
		this.putList(this.env, pointers, at);
	}

	environ_sizes_get(count, size) {
		this.putSizes(this.env, count, size);
	}

	clock_time_get(clock, precision, at) {
		const now = clock ? performance.now() : Date.now();

		this.view.setBigUint64(at, BigInt(Math.round(now * 1e6)), true);
	}

	poll_oneoff(asked, events, count, done) {
		for (let i = 0; i < count; i++) {
			this.view.setBigUint64(events + 32 * i,
				this.view.getBigUint64(asked + 48 * i, true), true);
			this.view.setUint16(events + 32 * i + 8, 0, true);
			this.view.setUint8(events + 32 * i + 10,
				this.view.getUint8(asked + 48 * i + 8));
		}
		this.view.setUint32(done, count, true);
	}

	fd_prestat_get() {
		fail('EBADF');
	}

	fd_prestat_dir_name() {
		fail('EBADF');
	}

	fd_fdstat_get(fd, at) {
		const { file } = this.find(fd);
		const kind = file ? file.stat().kind : 'directory';

		this.view.setUint8(at, KINDS[kind]);
		this.view.setUint16(at + 2, this.files[fd].append ? 1 : 0, true);
		this.view.setBigUint64(at + 8,
			kind === 'terminal' ? ALL & ~(SEEK | TELL) : ALL, true);
		this.view.setBigUint64(at + 16, ALL, true);
	}

	fd_fdstat_set_flags(fd) {
		this.find(fd);
	}

	fd_filestat_get(fd, at) {
		const { file, place } = this.find(fd);

		this.putStat(file ? file.stat() : this.host.stat(place, true), at);
	}

	fd_filestat_set_size(fd, size) {
		this.file(fd).truncate(Number(size));
	}

	fd_close(fd) {
		const { file } = this.find(fd);

		this.files[fd] = undefined;
		file?.close?.();
	}

	fd_sync(fd) {
		this.file(fd).sync?.();
	}

	fd_seek(fd, offset, whence, at) {
		const entry = this.find(fd);
		const { kind, size } = this.file(fd).stat();
		const from = [0, entry.at, size][whence];

		if (kind !== 'file')
			fail('ESPIPE');
		if (from + Number(offset) < 0)
			fail('EINVAL');
		entry.at = from + Number(offset);
		this.view.setBigUint64(at, BigInt(entry.at), true);
	}

	fd_read(fd, vectors, count, done) {
		const entry = this.find(fd);
		const file = this.file(fd);

		if (entry.directory)
			fail('EISDIR');
		this.move(vectors, count, done, (bytes) => {
			const got = file.read(bytes, entry.at);

			entry.at += got;
			return got;
		});
	}

	fd_pread(fd, vectors, count, offset, done) {
		this.move(vectors, count, done, (bytes, total) =>
			this.file(fd).read(bytes, Number(offset) + total));
	}

	fd_write(fd, vectors, count, done) {
		const entry = this.find(fd);
		const file = this.file(fd);

		if (entry.append)
			entry.at = file.stat().size;
		this.move(vectors, count, done, (bytes) => {
			const put = file.write(bytes, entry.at);

			entry.at += put;
			return put;
		});
	}

	fd_pwrite(fd, vectors, count, offset, done) {
		this.move(vectors, count, done, (bytes, total) =>
			this.file(fd).write(bytes, Number(offset) + total));
	}

	fd_readdir(fd, at, room, cookie, done) {
		const entry = this.find(fd);
		let used = 0;

		entry.names ??= entry.place ? this.host.open(entry.place, {}).list()
			: entry.file.list();
		for (let i = Number(cookie); i < entry.names.length; i++) {
			const name = encoder.encode(entry.names[i].name);
			const head = new DataView(new ArrayBuffer(24));

			head.setBigUint64(0, BigInt(i + 1), true);
			head.setUint32(16, name.length, true);
			head.setUint8(20, KINDS[entry.names[i].kind]);
			for (const part of [new Uint8Array(head.buffer), name]) {
				const fits = part.subarray(0, room - used);

				this.bytes(at + used, fits.length).set(fits);
				used += fits.length;
			}
			if (used === room)
				break;
		}
		this.view.setUint32(done, used, true);
	}

	path_open(fd, follow, at, len, how, rights, inherited, flags, opened) {
		const path = this.path(fd, at, len);
		const file = path === '/dev/urandom' ? random : this.host.open(path, {
			follow: !!(follow & 1),
			create: !!(how & O_CREAT),
			directory: !!(how & O_DIRECTORY),
			exclusive: !!(how & O_EXCL),
			truncate: !!(how & O_TRUNC),
			read: !!(rights & 2n),
			write: !!(rights & 64n),
		});
		const entry = { file, path, at: 0, append: !!(flags & 1),
			directory: file.kind === 'directory' };

		this.view.setUint32(opened, this.put(entry), true);
	}

	path_filestat_get(fd, follow, at, len, stat) {
		this.putStat(this.host.stat(this.path(fd, at, len), !!(follow & 1)),
			stat);
	}

	path_filestat_set_times(fd, follow, at, len, atime, mtime) {
		this.host.utimes(this.path(fd, at, len), Number(atime) / 1e9,
			Number(mtime) / 1e9);
	}

	path_create_directory(fd, at, len) {
		this.host.mkdir(this.path(fd, at, len));
	}

	path_remove_directory(fd, at, len) {
		this.host.rmdir(this.path(fd, at, len));
	}

	path_unlink_file(fd, at, len) {
		this.host.unlink(this.path(fd, at, len));
	}

	path_rename(fd, at, len, toFd, to, toLen) {
		this.host.rename(this.path(fd, at, len), this.path(toFd, to, toLen));
	}

	// Files in memory have one name each.
	path_link(fd, follow, at, len, toFd, to, toLen) {
		if (!this.host.link)
			fail('ENOTSUP');
		this.host.link(this.path(fd, at, len), this.path(toFd, to, toLen));
	}

	path_readlink(fd, at, len, into, room, done) {
		const target = encoder.encode(this.host.readlink(this.path(fd, at, len)));
		const fits = target.subarray(0, room);

		this.bytes(into, fits.length).set(fits);
		this.view.setUint32(done, fits.length, true);
	}
}
delete Calls.prototype.constructor;

// Run a compiled module once. Returns its exit status.
export async function run(module, options) {
	const wasi = new Wasi(options);

	return wasi.start(await WebAssembly.instantiate(module, wasi.imports));
}
