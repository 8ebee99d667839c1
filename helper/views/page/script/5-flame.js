// ---- the flame graph: who owned the time, stack by stack
//
// All stacks of one name at one place are one bar, of all commands of the log;
// its width is the time that it owned with all that was inside. The other way
// round, the bottom row has those that owned time themselves, and above them
// who called them. Between two sets of logs each bar has two times, both for
// one command of the set.

const flame = {canvas: byId('flames'), tops: [], bars: [], root: null, focus: null, inverted: false};
const DEEPEST = 300; // rows of bars
const TABLE_NAMES = ['process', '', 'region', 'child'];

const makeNode = (key, name, kind, parent) =>
	({key, name, kind, parent, self: 0, total: 0, before: 0, beforeSelf: 0, count: 0, inside: new Map()});
function enterNode(parent, key, name, kind) {
	if (!parent.inside.has(key)) parent.inside.set(key, makeNode(key, name, kind, parent));
	return parent.inside.get(key);
}

// Add the nodes of a page's data. `share`: of how many commands they are.
function addFlame(top, {texts: words, flame: list}, share, past) {
	const nodes = [top];
	for (let i = 1; i < list.parent.length; i++) {
		const kind = list.table[i], first = words[list.first[i]], second = words[list.second[i]];
		const name = clean(kind === 0 ? first || '(none)' : kind === 3 && first !== 'hook' ? second
			: first + '/' + second);
		const node = enterNode(nodes[list.parent[i]], kind + name, name, TABLE_NAMES[kind]);
		nodes.push(node);
		if (past) node.beforeSelf += list.self[i] / share;
		else node.self += list.self[i] / share, node.count += list.count[i];
	}
}
function addUp(node) {
	const order = [node];
	for (let i = 0; i < order.length; i++) {
		const one = order[i];
		one.total = one.self;
		one.before = one.beforeSelf;
		for (const inner of one.inside.values()) order.push(inner);
	}
	for (let i = order.length - 1; i > 0; i--) {
		order[i].parent.total += order[i].total;
		order[i].parent.before += order[i].before;
	}
	return node;
}
const commandsOf = one => Math.max(1, one.summary.roots);
function readFlame() {
	const top = makeNode('', raw.compare ? 'one command' : 'all commands', '', null);
	const after = raw.compare ? raw.after : data;
	addFlame(top, after, raw.compare ? commandsOf(after) : 1, false);
	if (raw.compare) addFlame(top, raw.before, commandsOf(raw.before), true);
	return addUp(top);
}
// From each that owns time up to the root.
function invert(top) {
	const turned = makeNode('', top.name, '', null), waiting = [top];
	while (waiting.length) {
		const node = waiting.pop();
		for (const inner of node.inside.values()) waiting.push(inner);
		if ((!node.self && !node.beforeSelf) || !node.parent) continue;
		for (let at = turned, from = node; from.parent; from = from.parent) {
			at = enterNode(at, from.key, from.name, from.kind);
			at.total += node.self;
			at.before += node.beforeSelf;
			if (from === node) at.self += node.self, at.beforeSelf += node.beforeSelf, at.count += node.count;
		}
	}
	for (const one of turned.inside.values()) turned.total += one.total, turned.before += one.before;
	return turned;
}

const weigh = node => raw.compare ? Math.max(node.total, node.before) : node.total;
const pathOf = node => node && node.parent ? [...pathOf(node.parent), node.key] : [];
function findPath(path) {
	return path.reduce((node, key) => node && node.inside.get(key), flame.root);
}

// Bars from the focus on: those around it are as wide as all.
function placeBars(wide) {
	const bars = [], focus = flame.focus;
	let depth = 0;
	for (const around of pathNodes(focus)) bars.push({node: around, x: 0, wide, depth: depth++, around: around !== focus});
	const waiting = [bars[bars.length - 1]];
	while (waiting.length) {
		const bar = waiting.pop();
		if (bar.depth >= DEEPEST) continue;
		const inner = [...bar.node.inside.values()].sort((a, b) => weigh(b) - weigh(a));
		const sum = Math.max(weigh(bar.node), inner.reduce((all, one) => all + weigh(one), 0));
		let x = bar.x;
		for (const node of inner) {
			const one = {node, x, wide: sum ? bar.wide * weigh(node) / sum : 0, depth: bar.depth + 1};
			x += one.wide;
			if (one.wide < 0.7) continue;
			bars.push(one);
			waiting.push(one);
		}
	}
	return bars;
}
const pathNodes = node => node ? [...pathNodes(node.parent), node] : [];

// What grew is red, what shrank is blue, as far as it matters.
function fillChange(node) {
	const most = Math.max(1, flame.root.total, flame.root.before);
	const change = (node.total - node.before) / Math.max(node.total, node.before, most / 200);
	const strength = Math.round(Math.min(1, Math.abs(change)) * 100);
	const light = dark.matches ? 26 + strength * 0.16 : 92 - strength * 0.22;
	return `hsl(${change > 0 ? 4 : 212} ${strength * 0.75}% ${light}%)`;
}
function drawFlame() {
	readColors();
	const wide = flame.canvas.parentNode.clientWidth;
	flame.bars = placeBars(wide);
	const deepest = flame.bars.reduce((most, bar) => Math.max(most, bar.depth), 0);
	const on = prepare(flame.canvas, wide, (deepest + 1) * ROW + 2);
	for (const {node, x, wide: room, depth, around} of flame.bars) {
		on.globalAlpha = around ? 0.55 : found && !node.name.toLowerCase().includes(byId('search').value.toLowerCase()) ? 0.3 : 1;
		on.fillStyle = raw.compare ? fillChange(node) : !node.parent ? colors.line : fillOf(node.name.split('/')[0]);
		on.fillRect(x, depth * ROW, Math.max(0.7, room - (room > 3 ? 1 : 0)), ROW - 1);
		on.fillStyle = colors.text;
		if (room > 24) fitText(on, `${node.name}  ${formatTime(node.total)}`, x + 4, depth * ROW + 12, room - 6);
	}
	on.globalAlpha = 1;
}

function listNode(node) {
	const top = flame.root, times = [['took', `${formatTime(node.total)}, ${formatShare(node.total, top.total)} of all`],
		['of this itself', formatTime(node.self)], ['how often', node.count > 1 ? String(node.count) : '']];
	if (!raw.compare) return [[node.kind || 'all', node.name], ...times];
	const grown = node.total - node.before;
	return [[node.kind || 'all', node.name], ['before', formatTime(node.before)], ['after', formatTime(node.total)],
		['change', `${grown > 0 ? '+' : ''}${formatTime(grown)}` +
			(node.before ? `, ${grown > 0 ? '+' : ''}${(100 * grown / node.before).toFixed(1)}%` : ', new')]];
}
function focusFlame(node) {
	flame.focus = node || flame.root;
	remember('f', pathOf(flame.focus).map(encodeURIComponent).join('/'));
	byId('flame-details').replaceChildren();
	showFields(byId('flame-details'), listNode(flame.focus));
	drawFlame();
}
function turnFlame(inverted) {
	flame.inverted = inverted;
	flame.root = inverted ? invert(readFlame()) : readFlame();
	remember('i', inverted ? 1 : '');
	byId('invert').setAttribute('aria-pressed', String(inverted));
	focusFlame(null);
}
function findBar(event) {
	const place = flame.canvas.getBoundingClientRect();
	const x = event.clientX - place.left, depth = Math.floor((event.clientY - place.top) / ROW);
	return flame.bars.find(bar => bar.depth === depth && x >= bar.x && x <= bar.x + bar.wide);
}
// The same name on the timeline: its longest one.
function showOnTimeline(node) {
	if (node.kind === 'process') {
		const p = longest(processCount, i => nameProcess(i) === node.name, i => processes.length[i]);
		if (p >= 0) showProcess(p), jump();
		return;
	}
	const span = longest(spanCount, i => nameSpan(i) === node.name, i => ends[i] - starts[i]);
	if (span >= 0) showSpan(span), jump();
}
flame.canvas.addEventListener('click', event => {
	const bar = findBar(event);
	if (bar) focusFlame(bar.node);
});
flame.canvas.addEventListener('pointermove', event => {
	const bar = findBar(event);
	showTip(event, bar && listNode(bar.node));
});
flame.canvas.addEventListener('pointerleave', () => { byId('tip').hidden = true; });
flame.canvas.addEventListener('keydown', event => {
	const {focus} = flame, heaviest = [...focus.inside.values()].sort((a, b) => weigh(b) - weigh(a));
	const brothers = focus.parent ? [...focus.parent.inside.values()].sort((a, b) => weigh(b) - weigh(a)) : [];
	const next = step => brothers[brothers.indexOf(focus) + step] || focus;
	const to = {ArrowDown: () => heaviest[0] || focus, ArrowUp: () => focus.parent || focus, Escape: () => flame.root,
		ArrowLeft: () => next(-1), ArrowRight: () => next(1)}[event.key];
	if (!to) return;
	event.preventDefault();
	focusFlame(to());
});
byId('invert').addEventListener('click', () => turnFlame(!flame.inverted));
byId('whole').addEventListener('click', () => focusFlame(flame.root));
byId('locate').addEventListener('click', () => showOnTimeline(flame.focus));
dark.addEventListener('change', drawFlame);
