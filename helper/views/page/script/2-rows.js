// ---- rows of the timeline
//
// A process is a block: a row of its own, the lanes of its threads, and below
// them the blocks of the processes that it ran. Blocks of brothers that do not
// overlap share their rows, so that 60 filters one after the other are one
// block. A folded process is its own row alone.

const folded = new Set();
let rows = [], rowOfProcess = new Uint32Array(processCount);

// Spans of a lane do not overlap. A span has the first lane that is free, below
// those of the regions around it; children overlap in any way, and regions end
// inside out.
function makeLanes(thread, depth, block) {
	const around = [], until = [], lanes = [];
	for (let i = spanFrom[thread]; i < spanFrom[thread + 1]; i++) {
		while (around.length && around[around.length - 1].end <= starts[i]) around.pop();
		let lane = around.length ? around[around.length - 1].lane + 1 : 0;
		while (until[lane] > starts[i]) lane++;
		until[lane] = ends[i];
		block.end = Math.max(block.end, ends[i]);
		if (kindOf(i) !== CHILD) around.push({end: ends[i], lane});
		(lanes[lane] = lanes[lane] || []).push(i);
	}
	lanes.forEach((spans, lane) => block.rows.push({depth, spans, processes: [],
		label: lane || texts[threads.name[thread]] === 'main' ? '' : texts[threads.name[thread]]}));
}

// Rows of a block that comes later go on in those of one that has ended.
function joinRows(into, more) {
	more.forEach((row, i) => {
		if (!into[i]) { into[i] = row; return; }
		for (const span of row.spans) into[i].spans.push(span);
		for (const p of row.processes) into[i].processes.push(p);
		if (into[i].label !== row.label) into[i].label = '';
	});
}

// The first group that has ended takes the block.
function packBlocks(blocks) {
	const groups = [];
	for (const block of blocks.sort((a, b) => a.begin - b.begin)) {
		const group = groups.find(one => one.end <= block.begin);
		if (!group) groups.push(block);
		else joinRows(group.rows, block.rows), group.end = block.end;
	}
	return groups;
}

// A process is done after those that it ran, without recursion: logs may nest
// as deep as they like.
function listInside(tops) {
	const order = [], depths = new Map(tops.map(p => [p, 0]));
	for (const waiting = tops.slice(); waiting.length;) {
		const p = waiting.pop();
		order.push(p);
		if (folded.has(p)) continue;
		for (const child of childrenOf.get(p) || [])
			depths.set(child, depths.get(p) + 1), waiting.push(child);
	}
	return {order, depths};
}

function layOut() {
	const {order, depths} = listInside(roots), blocks = new Map();
	rowOf.fill(0);
	for (const p of order.reverse()) {
		const block = {begin: processes.start[p], end: endOf(p),
			rows: [{depth: depths.get(p), spans: [], processes: [p], label: ''}]};
		if (!folded.has(p)) {
			for (const thread of threadsOf[p]) makeLanes(thread, depths.get(p), block);
			const inner = (childrenOf.get(p) || []).map(child => blocks.get(child));
			for (const group of packBlocks(inner)) {
				block.begin = Math.min(block.begin, group.begin);
				block.end = Math.max(block.end, group.end);
				for (const row of group.rows) block.rows.push(row);
			}
			for (const child of childrenOf.get(p) || []) blocks.delete(child);
		}
		blocks.set(p, block);
	}
	rows = packBlocks(roots.map(p => blocks.get(p))).flatMap(group => group.rows);
	rows.forEach((row, r) => {
		row.spans.forEach((span, place) => { rowOf[span] = r; placeOf[span] = place; });
		for (const p of row.processes) rowOfProcess[p] = r;
	});
	byId('height').style.height = rows.length * ROW + TOP + 2 + 'px';
}

// The process is in a row, because none around it is folded.
function unfold(p) {
	let changed = false;
	for (let around = processes.caller[p]; around >= 0; around = processes.caller[around])
		changed = folded.delete(around) || changed;
	if (changed) layOut();
}
function toggleFold(list) {
	const close = list.some(p => !folded.has(p));
	for (const p of list) close ? folded.add(p) : folded.delete(p);
	layOut();
	redraw();
}
const isFoldable = p => childrenOf.has(p) || threadsOf[p].some(t => spanFrom[t + 1] > spanFrom[t]);

function labelRow(row) {
	const list = row.processes;
	if (!list.length) return row.label;
	const name = nameProcess(list[0]);
	const mark = isFoldable(list[0]) ? folded.has(list[0]) ? '▸ ' : '▾ ' : '';
	if (list.length === 1) return mark + name;
	return mark + (list.every(p => nameProcess(p) === name) ? `${list.length} × ${name}`
		: count(list.length, 'process', 'processes'));
}

// ---- how many processes run at once, as steps

const steps = (() => {
	const begins = processes.start.slice().sort((a, b) => a - b);
	const stops = processes.start.map((_, p) => endOf(p)).sort((a, b) => a - b);
	const times = [], counts = [];
	let most = 0, running = 0;
	for (let b = 0, e = 0; e < stops.length;) {
		const now = b < begins.length && begins[b] < stops[e] ? begins[b] : stops[e];
		for (; b < begins.length && begins[b] === now; b++) running++;
		for (; e < stops.length && stops[e] === now; e++) running--;
		times.push(now);
		counts.push(running);
		most = Math.max(most, running);
	}
	return {times, counts, most};
})();
function findStep(time) {
	let low = 0, high = steps.times.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (steps.times[middle] <= time) low = middle + 1;
		else high = middle;
	}
	return low - 1;
}
// The most that ran at once between two times.
function mostBetween(from, to) {
	let i = Math.max(0, findStep(from)), most = 0;
	if (steps.times[i] > to) return 0;
	for (; i < steps.times.length && steps.times[i] <= to; i++) most = Math.max(most, steps.counts[i]);
	return most;
}
