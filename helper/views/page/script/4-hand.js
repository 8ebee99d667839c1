// ---- what is in view, and what is selected

function setView(from, to) {
	const least = 10, length = Math.max(least, Math.min(to - from, (whole.to - whole.from) * 1.1));
	view.from = Math.min(Math.max(from, whole.from - length * 0.9), whole.to - length * 0.1);
	view.to = view.from + length;
	remember('v', `${Math.round(view.from)}_${Math.round(view.to)}`);
	redraw();
}
function zoom(factor, time = (view.from + view.to) / 2) {
	setView(time - (time - view.from) * factor, time + (view.to - time) * factor);
}
const pan = share => setView(view.from + share * (view.to - view.from), view.to + share * (view.to - view.from));
function showRow(row) {
	const y = row * ROW;
	if (y < scroll.scrollTop || y + ROW + TOP > scroll.scrollTop + scroll.clientHeight)
		scroll.scrollTop = Math.max(0, y - ROW);
}

function showFields(parent, fields) {
	const list = add(parent, 'dl');
	for (const [name, text] of fields)
		if (text) add(list, 'dt', name), add(list, 'dd', text);
}

// An argv as words; one that was cut is no JSON any more.
function formatWords(number) {
	try {
		return JSON.parse(data.texts[number]).map(word =>
			/^[\w@%+=:,./-]+$/.test(word) ? word : `'${clean(word)}'`).join(' ');
	} catch {
		return texts[number];
	}
}

function listProcess(p) {
	const code = processes.code[p];
	return [['process', nameProcess(p)], ['command line', formatWords(processes.argv[p])],
		['version', texts[processes.version[p]]], ['SID', texts[processes.sid[p]]],
		['took', formatTime(processes.length[p])],
		['exit code', code >= 0 ? String(code) : processes.ended[p] ? '' : 'no end in the log'],
		['signal', processes.signal[p] ? String(processes.signal[p]) : ''],
		['time', processes.timed[p] ? '' : 'its events have no time']];
}

function listMarks(span) {
	const t = threadOf[span], lines = [];
	for (let m = markFrom[t]; m < markFrom[t + 1] && lines.length < 20; m++)
		if (markTimes[m] >= starts[span] && markTimes[m] <= ends[span])
			lines.push([0, 1].map(n => texts[data.keys[2 * data.marks.key[m] + n]])
				.filter(Boolean).join('/') + ': ' + texts[data.marks.value[m]]);
	return lines.join('\n');
}

function listSpan(span) {
	const p = processOf(span), length = ends[span] - starts[span];
	const kind = ['region', 'child', 'thread'][kindOf(span)];
	const [does, settings] = explained.get(whats[span]) || [];
	return [[kind, nameSpan(span)],
		['class', kindOf(span) === CHILD ? firstOf(span) : ''],
		['what it is', does && `git ${does[1] === ' ' ? 'does ' : ''}${does}`],
		['settings', settings === 'none' ? '' : settings],
		['took', `${formatTime(length)}, ${formatShare(length, processes.length[p])} of ${nameProcess(p)}`],
		['began', formatTime(starts[span] - processes.start[p]) + ' after its process'],
		kindOf(span) === CHILD ? ['command line', formatWords(notes.get(span) || 0)]
			: ['message', texts[notes.get(span) || 0]],
		['exit code', codes.has(span) ? String(codes.get(span)) : ''],
		['end', unclosed.has(span) ? 'not in the log; shown until its process ends' : ''],
		['thread', texts[threads.name[threadOf[span]]]], ['data', listMarks(span)]];
}

function choose(span, p, fields) {
	selected = span;
	chosen = p;
	box = null;
	remember('s', span < 0 ? '' : span);
	remember('p', p < 0 ? '' : p);
	remember('box', '');
	byId('details').replaceChildren();
	if (fields) showFields(byId('details'), fields);
	redraw();
}
function select(span) {
	if (span >= 0) {
		unfold(processOf(span));
		if (folded.delete(processOf(span))) layOut();
		showRow(rowOf[span]);
	}
	choose(span, -1, span >= 0 && listSpan(span));
}
function selectProcess(p) {
	unfold(p);
	choose(-1, p, listProcess(p));
}
function showSpan(span) {
	const length = Math.max(20, ends[span] - starts[span]);
	setView(starts[span] - length * 0.15, ends[span] + length * 0.15);
	select(span);
}
function showProcess(p) {
	const length = Math.max(20, processes.length[p]);
	viewOrigin = processes.start[p];
	setView(viewOrigin - length * 0.01, viewOrigin + length * 1.01);
	selectProcess(p);
	scroll.scrollTop = rowOfProcess[p] * ROW;
}
const jump = () => byId('timeline').scrollIntoView({block: 'nearest'});
function showAll() {
	viewOrigin = 0;
	setView(whole.from - (whole.to - whole.from) * 0.01, whole.to + (whole.to - whole.from) * 0.01);
}

// ---- a box around spans, and what they add up to

function sumBox() {
	const sums = new Map();
	let spans = 0, time = 0;
	const put = (name, from, to) => {
		const sum = sums.get(name) || {name, count: 0, time: 0, most: 0};
		const part = Math.min(to, box.to) - Math.max(from, box.from);
		sum.count++;
		sum.time += part;
		sum.most = Math.max(sum.most, part);
		sums.set(name, sum);
		spans++;
		time += part;
	};
	for (let r = box.top; r <= Math.min(box.bottom, rows.length - 1); r++) {
		const {spans: list, processes: inRow} = rows[r];
		for (let i = findPlace(list, box.from); i < list.length && starts[list[i]] < box.to; i++)
			put(nameSpan(list[i]), starts[list[i]], ends[list[i]]);
		for (let i = findProcess(inRow, box.from); i < inRow.length && processes.start[inRow[i]] < box.to; i++)
			put('process ' + nameProcess(inRow[i]), processes.start[inRow[i]], endOf(inRow[i]));
	}
	return {spans, time, list: [...sums.values()].sort((a, b) => b.time - a.time)};
}

function takeBox(one) {
	choose(-1, -1, null);
	box = one;
	const {spans, time, list} = sumBox(), parent = byId('details');
	remember('box', [Math.round(box.from), Math.round(box.to), box.top, box.bottom].join('_'));
	add(parent, 'p', `${formatTime(box.to - box.from)} selected, from ${formatTime(box.from - viewOrigin)}: ` +
		`${count(spans, 'span')}, ${formatTime(time)} in all; spans inside others count twice`);
	const table = add(add(parent, 'div', undefined, 'wide'), 'table'), head = add(add(table, 'thead'), 'tr');
	for (const title of ['time', 'count', 'longest', 'name'])
		add(head, 'th', title, title === 'name' ? '' : 'number');
	const body = add(table, 'tbody');
	for (const sum of list.slice(0, 12)) {
		const line = add(body, 'tr');
		for (const text of [formatTime(sum.time), sum.count, formatTime(sum.most)]) add(line, 'td', String(text), 'number');
		add(line, 'td', sum.name);
	}
	if (list.length > 12) add(parent, 'p', `and ${count(list.length - 12, 'other name')}`, 'soft');
	addLink(parent, 'Zoom to the box', () => setView(box.from, box.to), 'plain');
}

// ---- pointers: one drags, or with Shift draws a box; two zoom

function findAt(event) {
	const place = canvas.getBoundingClientRect();
	const x = event.clientX - place.left, y = event.clientY - place.top;
	const row = rows[Math.floor((y - TOP + scroll.scrollTop) / ROW)];
	if (!row || y < TOP) return null;
	if (x < gutter) return row.processes.length ? {fold: row.processes} : null;
	const time = toTime(x), step = 2 * (view.to - view.from) / (width - gutter);
	const p = row.processes[findProcess(row.processes, time - step)];
	if (p !== undefined && processes.start[p] <= time + step) return {process: p};
	const span = row.spans[findPlace(row.spans, time - step)];
	return span !== undefined && starts[span] <= time + step ? {span} : null;
}
function makeBox(from, to) {
	const place = canvas.getBoundingClientRect();
	const times = [from.x, to.x].map(x => toTime(Math.max(gutter, x - place.left))).sort((a, b) => a - b);
	const lines = [from.y, to.y].map(y => Math.floor((y - place.top - TOP + scroll.scrollTop) / ROW))
		.map(r => Math.min(rows.length - 1, Math.max(0, r))).sort((a, b) => a - b);
	return {from: times[0], to: times[1], top: lines[0], bottom: lines[1]};
}

const down = new Map(); // pointers
let drag = null, boxing = false;
function setBoxing(on) {
	boxing = on;
	byId('box').setAttribute('aria-pressed', String(on));
	canvas.style.touchAction = on ? 'none' : 'pan-y';
}
canvas.addEventListener('pointerdown', event => {
	down.set(event.pointerId, event.clientX);
	drag = {x: event.clientX, y: event.clientY, from: view.from, to: view.to, moved: false,
		box: event.shiftKey || boxing, pinch: down.size > 1 ? [...down.values()] : null};
	canvas.setPointerCapture(event.pointerId);
});
function pinch() {
	const place = canvas.getBoundingClientRect(), [a, b] = [...down.values()];
	const scale = (drag.to - drag.from) / (width - gutter), old = drag.pinch;
	const at = x => drag.from + (x - place.left - gutter) * scale;
	const length = (drag.to - drag.from) * Math.abs(old[0] - old[1]) / Math.max(20, Math.abs(a - b));
	const share = ((a + b) / 2 - place.left - gutter) / (width - gutter);
	setView(at((old[0] + old[1]) / 2) - share * length, at((old[0] + old[1]) / 2) + (1 - share) * length);
}
function moveDrag(event) {
	if (Math.abs(event.clientX - drag.x) + (drag.box ? Math.abs(event.clientY - drag.y) : 0) <= 3 &&
	    !drag.pinch) return;
	drag.moved = true;
	if (drag.pinch) return pinch();
	if (drag.box) {
		box = makeBox(drag, {x: event.clientX, y: event.clientY});
		return redraw();
	}
	const shift = (drag.x - event.clientX) * (drag.to - drag.from) / (width - gutter);
	setView(drag.from + shift, drag.to + shift);
}
function showTip(event, fields) {
	const tip = byId('tip');
	tip.hidden = !fields;
	if (!fields) return;
	tip.replaceChildren();
	showFields(tip, fields);
	tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)) + 'px';
	tip.style.top = Math.max(4, Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)) + 'px';
}
canvas.addEventListener('pointermove', event => {
	if (down.has(event.pointerId)) down.set(event.pointerId, event.clientX);
	if (drag) moveDrag(event);
	const at = drag && drag.moved ? null : findAt(event);
	canvas.style.cursor = at && at.fold ? 'pointer' : boxing ? 'crosshair' : '';
	showTip(event, at && !at.fold && (at.span === undefined ? listProcess(at.process) : listSpan(at.span)));
});
canvas.addEventListener('pointerup', event => {
	const at = drag && !drag.moved ? findAt(event) : null;
	if (drag && drag.box && drag.moved) takeBox(makeBox(drag, {x: event.clientX, y: event.clientY}));
	down.delete(event.pointerId);
	drag = null;
	if (!at) return;
	if (at.fold) toggleFold(at.fold.filter(isFoldable));
	else if (at.span !== undefined) select(at.span);
	else selectProcess(at.process);
});
canvas.addEventListener('pointercancel', event => { down.delete(event.pointerId); drag = null; });
canvas.addEventListener('pointerleave', () => { byId('tip').hidden = true; });
canvas.addEventListener('dblclick', event => {
	const at = findAt(event);
	if (at && !at.fold) at.span === undefined ? showProcess(at.process) : showSpan(at.span);
});
canvas.addEventListener('wheel', event => {
	if (event.ctrlKey || event.metaKey) {
		event.preventDefault();
		zoom(Math.exp(event.deltaY / 300), toTime(event.clientX - canvas.getBoundingClientRect().left));
	} else if (event.deltaX) {
		pan(event.deltaX / width);
	}
}, {passive: false});
scroll.addEventListener('scroll', redraw);
dark.addEventListener('change', () => { fills.clear(); redraw(); });

// The overview: a press moves the view there, and it goes on with the pointer.
function moveOverview(event) {
	const place = overview.getBoundingClientRect(), half = (view.to - view.from) / 2;
	const time = whole.from + (event.clientX - place.left) / place.width * (whole.to - whole.from);
	setView(time - half, time + half);
}
overview.addEventListener('pointerdown', event => { overview.setPointerCapture(event.pointerId); moveOverview(event); });
overview.addEventListener('pointermove', event => { if (event.buttons) moveOverview(event); });

// ---- keys

function moveSideways(step) {
	if (selected < 0) return selectNear(0, 1);
	const span = rows[rowOf[selected]].spans[placeOf[selected] + step];
	if (span === undefined) return;
	select(span);
	if (starts[span] > view.to || ends[span] < view.from)
		setView(starts[span] - (view.to - view.from) / 3, starts[span] + (view.to - view.from) * 2 / 3);
}
// The span of the next row in this direction that is in view.
function selectNear(row, step) {
	const time = selected < 0 ? view.from : Math.max(view.from, (starts[selected] + ends[selected]) / 2);
	for (let r = row; r >= 0 && r < rows.length; r += step) {
		const span = rows[r].spans[findPlace(rows[r].spans, time)];
		if (span !== undefined && starts[span] < view.to) return select(span);
	}
}
const keys = {
	ArrowLeft: () => moveSideways(-1), ArrowRight: () => moveSideways(1),
	ArrowUp: () => selected >= 0 && selectNear(rowOf[selected] - 1, -1),
	ArrowDown: () => selectNear(selected < 0 ? Math.floor(scroll.scrollTop / ROW) : rowOf[selected] + 1, 1),
	Enter: () => selected >= 0 && showSpan(selected), Escape: () => select(-1),
	'+': () => zoom(0.7), '=': () => zoom(0.7), '-': () => zoom(1.4), w: () => zoom(0.7), s: () => zoom(1.4),
	a: () => pan(-0.2), d: () => pan(0.2), 0: showAll, b: () => setBoxing(!boxing),
	f: () => toggleFold(selected >= 0 ? [processOf(selected)] : chosen >= 0 ? [chosen] : []),
};
canvas.addEventListener('keydown', event => {
	const act = keys[event.key];
	if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
	event.preventDefault();
	act();
});
document.addEventListener('keydown', event => {
	if (event.key !== '/' || event.target.tagName === 'INPUT') return;
	event.preventDefault();
	byId('search').focus();
});
byId('closer').addEventListener('click', () => zoom(0.5));
byId('wider').addEventListener('click', () => zoom(2));
byId('all').addEventListener('click', showAll);
byId('box').addEventListener('click', () => setBoxing(!boxing));
byId('fold').addEventListener('click', () => {
	toggleFold(processes.sid.map((_, p) => p).filter(p => processes.caller[p] >= 0 && isFoldable(p)));
});

// ---- search

function search(word) {
	foundWhats = new Set();
	foundNotes = new Set();
	found = null;
	byId('matches').textContent = '';
	remember('q', word);
	word = word.trim().toLowerCase();
	if (!word) return redraw();
	const fits = texts.map(text => text.toLowerCase().includes(word));
	for (let w = 0; w * 3 < data.whats.length; w++) {
		const name = texts[data.whats[3 * w + 1]] + '/' + texts[data.whats[3 * w + 2]];
		if (name.toLowerCase().includes(word)) foundWhats.add(w);
	}
	for (const [span, note] of notes) if (fits[note]) foundNotes.add(span);
	found = [];
	for (let i = 0; i < spanCount; i++) if (isFound(i)) found.push(i);
	for (let p = 0; p < processCount; p++)
		if (nameProcess(p).toLowerCase().includes(word)) found.push(-1 - p);
	byId('matches').textContent = `${found.length} found`;
	redraw();
}
let searched = -1;
byId('search').addEventListener('input', event => { searched = -1; search(event.target.value); });
byId('search').addEventListener('keydown', event => {
	if (event.key !== 'Enter' || !found || !found.length) return;
	searched = (searched + (event.shiftKey ? found.length - 1 : 1)) % found.length;
	const one = found[searched];
	if (one >= 0) showSpan(one);
	else showProcess(-1 - one);
	byId('matches').textContent = `${searched + 1} of ${found.length}`;
});
