/** One log, compressed or not: text, bytes, or a stream of either. */
export type Log = string | Uint8Array | ArrayBuffer | Blob |
	ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string> |
	Iterable<Uint8Array | string>;

/** A log, or several by their names. */
export type Logs = Log | { [name: string]: Log };

/** What could not be done; `code` is the exit status of the command. */
export class Trace2Error extends Error {
	code: number;
	messages: string;
}

/** One of `trace2 validate --format json`. */
export interface Finding {
	level: 'error' | 'warning' | 'info';
	id: string;
	file: string;
	line: number;
	column: number;
	width: number;
	message: string;
	[more: string]: unknown;
}

export interface Verdict {
	/** The logs conform. */
	ok: boolean;
	findings: Finding[];
	/** How much was read, and what was found. */
	summary: { [name: string]: unknown };
}

/** Check that logs conform to the specification. */
export function validate(logs: Logs, options?: {
	/** A program that reads logs, or `all`. */
	for?: string;
	failOn?: 'error' | 'warning' | 'info';
}): Promise<Verdict>;

/** Where the time went: the object of `trace2 summary --format json`. */
export function summarize(logs: Logs, options?: {
	by?: string;
	command?: string;
	slowerThan?: string;
	top?: number;
	percentiles?: boolean;
}): Promise<{ [name: string]: unknown }>;

/** A copy without what should not be shared. */
export function redact(logs: Logs, options?: {
	hide?: string | string[];
}): Promise<{ output: Uint8Array; complete: boolean; messages: string }>;

/** The bytes of a trace that viewers can open. */
export function convert(logs: Logs, options: {
	to: 'fxt' | 'chrome' | 'perfetto' | 'speedscope' | 'folded' | 'otlp';
}): Promise<Uint8Array>;

/** The page of `trace2 report`. */
export function report(logs: Logs): Promise<string>;

/** Flat rows for SQL. */
export function table(logs: Logs, options?: {
	rows?: 'processes' | 'regions' | 'data' | 'errors' | 'events';
	format?: 'csv' | 'ndjson';
}): Promise<string>;
