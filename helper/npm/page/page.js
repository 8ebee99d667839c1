// page.js - the page: logs in, what the commands make of them out. What comes
// from a log is only ever text (textContent), or a page in a sandbox.
'use strict';

const ROWS_SHOWN = 200;
const TEXT_SHOWN = 200000; // characters of a long output
const PERFETTO = 'https://ui.perfetto.dev';
const SUFFIXES = { fxt: '.fxt', chrome: '.json', perfetto: '.pftrace',
	speedscope: '.speedscope.json',
	folded: '.folded', otlp: '.otlp' };

const $ = (id) => document.getElementById(id);
const state = { files: [], worker: null, module: null, urls: [], made: null };

// ---- The module, and one run of it

async function unpackModule() {
	if (!self.DecompressionStream || !self.WebAssembly)
		throw new Error('this browser is too old: the page needs WebAssembly ' +
			'and DecompressionStream (Chrome 80, Firefox 113, Safari 16.4)');
	const bytes = decodeBase64($('module').textContent);
	const stream = new Response(bytes).body
		.pipeThrough(new DecompressionStream('gzip'));

	return WebAssembly.compileStreaming(new Response(stream,
		{ headers: { 'Content-Type': 'application/wasm' } }));
}

// Older browsers take 10 ms for it; a function for each byte would take 100.
function decodeBase64(text) {
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(text);
	const chars = atob(text);
	const bytes = new Uint8Array(chars.length);

	for (let i = 0; i < bytes.length; i++)
		bytes[i] = chars.charCodeAt(i);
	return bytes;
}

function startWorker() {
	const source = new Blob([$('worker').textContent], { type: 'text/javascript' });
	const url = URL.createObjectURL(source);
	const worker = new Worker(url);

	URL.revokeObjectURL(url);
	return worker;
}

class Cancelled extends Error {}

// Run a command over the files; says what it does meanwhile.
async function runCommand(step, args, made = '', input = undefined) {
	state.module ??= unpackModule();
	const module = await state.module;

	if (state.turn?.cancelled)
		throw new Cancelled('cancelled');
	const worker = state.worker ??= startWorker();
	const size = state.files.reduce((sum, { content }) =>
		sum + (content.size ?? content.length), 0);

	$('step').textContent = step;
	$('progress').removeAttribute('value');
	return new Promise((resolve, reject) => {
		state.stop = () => reject(new Cancelled('cancelled'));
		worker.onerror = (event) => reject(new Error(event.message));
		worker.onmessage = ({ data }) => {
			if (data.read === undefined)
				return resolve(data);
			$('progress').value = Math.min(1, data.read / (size || 1));
		};
		worker.postMessage({ module, files: state.files, args, made, input });
	});
}

function setBusy(busy) {
	$('working').hidden = !busy;
	for (const button of document.querySelectorAll('[id^=make-], #look'))
		button.disabled = busy;
}

// One piece of work after the other; a failure is told. A button that is
// disabled loses the focus, and gets it back.
async function work(task) {
	if (!$('working').hidden)
		cancel();
	const turn = state.turn = {};
	const focused = document.activeElement;

	setBusy(true);
	$('status').textContent = '';
	try {
		await task();
	} catch (error) {
		$('status').textContent = error instanceof Cancelled
			? 'Cancelled. What is shown may be of only a part.'
			: `That did not work: ${error.message}`;
	}
	if (state.turn !== turn)
		return;
	setBusy(false);
	if (document.activeElement === document.body)
		focused.focus();
}

// Also between two commands, when no run is there to be stopped.
function cancel() {
	state.turn.cancelled = true;
	state.worker?.terminate();
	state.worker = null;
	state.stop?.();
}

// ---- What is shown

async function showText(place, blob) {
	const text = await blob.slice(0, 4 * TEXT_SHOWN).text();

	place.textContent = text.length > TEXT_SHOWN
		? `${text.slice(0, TEXT_SHOWN)}\n… (the whole is in the file)` : text;
}

// `code` is the exit status: above 1 there is no result.
async function tellMessages({ code, said }) {
	const text = (await said.text()).trim();

	if (text || code > 1)
		$('status').textContent += `${text || `exit status ${code}`}\n`;
	return code >= 0 && code <= 1;
}

function offer(panel, blob, name) {
	const link = document.createElement('a');

	link.href = URL.createObjectURL(blob);
	link.download = name;
	link.textContent = `Save ${name}`;
	state.urls.push(link.href);
	panel.querySelector('.save').append(link, ' ');
}

function clearPanel(panel) {
	panel.querySelector('.save')?.replaceChildren();
	panel.querySelector('pre')?.replaceChildren();
	panel.querySelector('.scroll')?.replaceChildren();
}

function names() {
	return state.files.map(({ name }) => name);
}

// Of several files, the directory.
function whole() {
	return state.files.length === 1 ? names()[0] : '.';
}

function clearAll() {
	state.urls.splice(0).forEach((url) => URL.revokeObjectURL(url));
	document.querySelectorAll('[role=tabpanel]').forEach(clearPanel);
	$('report').querySelector('iframe').removeAttribute('srcdoc');
	$('perfetto-line').hidden = true;
	$('answer').hidden = $('results').hidden = true;
}

async function makeReport() {
	const done = await runCommand('Making the report',
		['report', '-o', '-', '--', ...names()]);

	if (!await tellMessages(done))
		return;
	const page = new Blob([done.out], { type: 'text/html' });

	$('report').querySelector('iframe').srcdoc = await page.text();
	offer($('report'), page, 'report.html');
}

async function lookAt(files) {
	state.files = files;
	clearAll();
	if (!files.length) {
		$('status').textContent = 'There is no file.';
		return;
	}
	$('names').textContent = files.length > 3
		? `${files.length} files` : names().join(', ');
	await work(async () => {
		const answer = await runCommand('Looking where the time went',
			['record', '--answer-of', whole()]);

		await showText($('answer').firstElementChild, answer.said);
		$('answer').hidden = !answer.said.size;
		$('results').hidden = false;
		selectTab($('tab-report'));
		await makeReport();
		const findings = await runCommand('Checking the logs',
			['validate', '--', ...names()]);

		await showText($('findings').querySelector('pre'),
			new Blob([findings.out, findings.said]));
	});
}

// ---- What is made when it is asked for

// Rows of CSV, whose texts may have quotes and lines.
function parseCsv(text, most) {
	const rows = [[]];
	const cell = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/y;

	for (let got; rows.length <= most && cell.lastIndex < text.length;) {
		got = cell.exec(text);
		if (!got)
			break;
		rows.at(-1).push(got[1][0] === '"'
			? got[1].slice(1, -1).replaceAll('""', '"') : got[1]);
		if (got[2] !== ',')
			rows.push([]);
	}
	return rows.filter((row) => row.length);
}

function showRows(place, rows) {
	const table = document.createElement('table');

	rows.forEach((row, i) => {
		const line = table.insertRow();

		for (const text of row) {
			const cell = document.createElement(i ? 'td' : 'th');

			cell.textContent = text;
			cell.title = text;
			line.append(cell);
		}
	});
	place.replaceChildren(table);
}

async function makeTable() {
	const [rows, format] = [$('rows').value, $('format').value];
	const name = `${rows}.${format === 'sqlite' ? 'db' : format}`;

	clearPanel($('table'));
	const csv = await runCommand('Making rows',
		['table', '--rows', rows, '--format', 'csv', '--', ...names()]);

	if (!await tellMessages(csv))
		return;
	const text = await csv.out.slice(0, 4 * TEXT_SHOWN).text();

	showRows($('table').querySelector('.scroll'), parseCsv(text, ROWS_SHOWN));
	if (format === 'csv')
		return offer($('table'), csv.out, name);
	const done = await runCommand('Making the file', ['table', '--rows', rows,
		'--format', format, '-o', name, '--', ...names()], name);

	if (await tellMessages(done))
		done.made.forEach(({ content }) => offer($('table'), content, name));
}

async function makeRedacted() {
	const hidden = [...$('hide').querySelectorAll(':checked')]
		.map(({ value }) => value);
	const words = hidden.length ? ['--hide', hidden.join()] : [];

	clearPanel($('redact'));
	const done = await runCommand('Making the copy',
		['redact', ...words, '-o', 'redacted', '--', ...names()], 'redacted');

	if (!await tellMessages(done) || !done.made.length)
		return;
	for (const { name, content } of done.made)
		offer($('redact'), content, name === 'redacted'
			? `redacted-${names()[0].split('/').at(-1).replace(/\.(gz|zst)$/, '')}`
			: name.replaceAll('/', '-'));
	await showText($('redact').querySelector('pre'), done.made[0].content);
}

async function makeTrace() {
	const to = $('to').value;
	const name = `trace${SUFFIXES[to]}`;

	clearPanel($('convert'));
	$('perfetto-line').hidden = true;
	const done = await runCommand('Converting',
		['convert', '--to', to, '--', whole(), '-']);

	if (!await tellMessages(done))
		return;
	offer($('convert'), done.out, name);
	state.made = { blob: done.out, name };
	$('perfetto-line').hidden = !['fxt', 'chrome', 'perfetto'].includes(to);
	if (to !== 'fxt' && to !== 'perfetto')
		await showText($('convert').querySelector('pre'), done.out);
}

// Perfetto's own way: it answers PING when it is ready for a trace.
function openPerfetto() {
	const { blob, name } = state.made;
	const other = window.open(PERFETTO);

	if (!other) {
		$('status').textContent = 'The browser did not let Perfetto open a window.';
		return;
	}
	const knock = setInterval(() => other.closed ? clearInterval(knock)
		: other.postMessage('PING', PERFETTO), 200);

	window.addEventListener('message', async function hand(event) {
		if (event.source !== other || event.origin !== PERFETTO ||
			event.data !== 'PONG')
			return;
		clearInterval(knock);
		window.removeEventListener('message', hand);
		const buffer = await blob.arrayBuffer();

		other.postMessage({ perfetto: { buffer, title: name, keepApiOpen: false } },
			PERFETTO);
	});
}

// ---- Files, folders, text

async function readEntry(entry, found) {
	if (entry.isFile) {
		const content = await new Promise((resolve, reject) =>
			entry.file(resolve, reject));

		found.push({ name: entry.fullPath.slice(1), content });
		return;
	}
	const reader = entry.createReader();

	for (let more; (more = await new Promise((resolve, reject) =>
		reader.readEntries(resolve, reject))).length;)
		for (const inner of more)
			await readEntry(inner, found);
}

function takeList(list) {
	return [...list].map((content) => ({ content,
		name: content.webkitRelativePath || content.name }));
}

// Names that a command could take for an option or for standard input.
function take(files) {
	files.sort((a, b) => (a.name < b.name ? -1 : 1));
	return lookAt(files.map(({ name, content }) =>
		({ content, name: name === '-' ? './-' : name })));
}

async function takeDrop({ dataTransfer }) {
	const entries = [...dataTransfer.items]
		.map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
	const found = [];

	if (!entries.length && dataTransfer.files.length)
		return take(takeList(dataTransfer.files));
	if (!entries.length)
		return take([{ name: 'pasted',
			content: new Blob([dataTransfer.getData('text')]) }]);
	for (const entry of entries)
		await readEntry(entry, found);
	return take(found);
}

function selectTab(tab) {
	for (const other of document.querySelectorAll('[role=tab]')) {
		other.setAttribute('aria-selected', other === tab);
		other.tabIndex = other === tab ? 0 : -1;
		$(other.getAttribute('aria-controls')).hidden = other !== tab;
	}
}

function moveTab(event) {
	const tabs = [...document.querySelectorAll('[role=tab]')];
	const at = tabs.indexOf(event.target);
	const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0,
		End: tabs.length - 1 }[event.key];

	if (to === undefined)
		return;
	event.preventDefault();
	selectTab(tabs[to % tabs.length]);
	tabs[to % tabs.length].focus();
}

function listen() {
	$('files').onclick = () => $('file-input').click();
	$('folder').onclick = () => $('folder-input').click();
	$('file-input').onchange = ({ target }) => take(takeList(target.files));
	$('folder-input').onchange = ({ target }) => take(takeList(target.files));
	$('paste').onclick = () => {
		$('pasted').hidden = !$('pasted').hidden;
		$('paste').setAttribute('aria-expanded', !$('pasted').hidden);
		$('text').focus();
	};
	$('look').onclick = () => take([{ name: 'pasted',
		content: new Blob([$('text').value]) }]);
	$('cancel').onclick = cancel;
	document.onkeydown = ({ key }) => {
		if (key === 'Escape' && !$('working').hidden)
			cancel();
	};
	$('make-table').onclick = () => work(makeTable);
	$('make-redact').onclick = () => work(makeRedacted);
	$('make-convert').onclick = () => work(makeTrace);
	$('perfetto').onclick = openPerfetto;
	for (const tab of document.querySelectorAll('[role=tab]')) {
		tab.onclick = () => selectTab(tab);
		tab.onkeydown = moveTab;
	}
	document.ondragover = (event) => {
		event.preventDefault();
		$('drop').classList.add('over');
	};
	document.ondragleave = () => $('drop').classList.remove('over');
	document.ondrop = (event) => {
		event.preventDefault();
		$('drop').classList.remove('over');
		takeDrop(event);
	};
	document.onpaste = (event) => {
		if (event.target !== $('text') && event.clipboardData.files.length)
			take(takeList(event.clipboardData.files));
		else if (event.target !== $('text'))
			take([{ name: 'pasted',
				content: new Blob([event.clipboardData.getData('text')]) }]);
	};
}

listen();
// All is ready when a log comes; what is wrong is told then. The worker starts
// while the module, the last and longest part of the page, is still read.
state.worker = startWorker();
document.addEventListener('DOMContentLoaded', () => {
	state.module ??= unpackModule();
	state.module.catch(() => {});
});
