// ---- what failed, and the answer

function showFailures(parent) {
	if (!data.failure) return;
	const banner = add(parent, 'div', undefined, 'banner');
	banner.setAttribute('role', 'alert');
	add(banner, 'p', clean(data.failure.trim()));
	const list = processes.sid.map((_, p) => p).filter(failed);
	for (const p of list.slice(0, 8)) {
		const why = processes.signal[p] ? `signal ${processes.signal[p]}` : `exit code ${processes.code[p]}`;
		const line = formatWords(processes.argv[p]).replace(/^\S*\//, '') || nameProcess(p);
		addLink(banner, `${line.length > 60 ? line.slice(0, 59) + '…' : line}, ${why}`, () => { showProcess(p); jump(); });
		banner.append(' ');
	}
	if (list.length > 8) add(banner, 'span', `and ${list.length - 8} more`, 'soft');
}

function listOwners() {
	const {commands, regions, children} = data.summary;
	return [
		...commands.map(row => ({us: row.self_us, name: clean(row.name) + ', outside of regions and children',
			go: () => showLongest('commands', row)})),
		...regions.map(row => ({us: row.self_us, name: `region ${clean(row.category)}/${clean(row.label)}`,
			go: () => showLongest('regions', row)})),
		...children.map(row => ({us: row.self_us, name: `child ${clean(row.command)}, outside of its own log`,
			go: () => showLongest('children', row)})),
	].filter(one => one.us > 0).sort((a, b) => b.us - a.us);
}

function showAnswer() {
	const parent = byId('answer'), wall = data.summary.wall_us || 1, owners = listOwners();
	const many = data.summary.roots > 1;
	showFailures(parent);
	add(parent, 'h2', many ? `${data.summary.roots} commands took ${formatTime(wall)}; ` +
		`the slowest, ${nameProcess(slowest)}, took ${formatTime(processes.length[slowest])}.`
		: `${nameProcess(slowest)} took ${formatTime(wall)}${clean(data.stuck)}. This is where the time went:`);
	const list = add(parent, 'ol');
	for (const one of owners.slice(0, 6)) {
		const line = add(list, 'li'), share = one.us / wall;
		add(line, 'span', formatShare(one.us, wall), 'number');
		add(line, 'span', formatTime(one.us), 'number');
		const bar = add(line, 'meter');
		bar.value = share;
		bar.setAttribute('aria-hidden', 'true');
		addLink(line, one.name, one.go);
	}
	const rest = owners.slice(6).reduce((sum, one) => sum + one.us, 0);
	if (rest) add(parent, 'p', `${formatTime(rest)} in ${count(owners.length - 6, 'other')}; see the tables.`, 'soft');
	for (const line of data.advice.split('\n').filter(Boolean))
		add(parent, 'p', clean(line), 'advice');
	addBar(parent, 'Phases', listSelf('phases'));
	addBar(parent, 'Server, network and client', listSelf('sides'));
	showCrowds(parent);
}

// What ran at once in a repository, as `summary` tells it.
function showCrowds(parent) {
	for (const line of data.crowds.split('\n').filter(Boolean))
		add(parent, line.startsWith('At once in ') ? 'h2' : 'p', clean(line.trim()),
			line.includes(' failed because of ') ? 'bad' : undefined);
}

// ---- the tree of processes, built as far as it is open

function addProcess(parent, p) {
	const item = add(parent, 'li'), inner = childrenOf.get(p);
	const line = inner ? add(add(item, 'details'), 'summary') : add(item, 'div', undefined, 'leaf');
	addLink(line, nameProcess(p), event => { event.preventDefault(); showProcess(p); jump(); });
	add(line, 'span', ` ${formatTime(processes.length[p])}`, 'soft');
	if (processes.code[p] > 0) add(line, 'span', ` exit code ${processes.code[p]}`, 'bad');
	if (processes.signal[p]) add(line, 'span', ` signal ${processes.signal[p]}`, 'bad');
	if (!processes.ended[p]) add(line, 'span', ' no end in the log', 'bad');
	if (!inner) return null;
	add(line, 'span', ` (ran ${inner.length})`, 'soft');
	line.parentNode.addEventListener('toggle', function build() {
		line.parentNode.removeEventListener('toggle', build);
		addProcesses(add(line.parentNode, 'ul'), inner);
	});
	return line.parentNode;
}
function addProcesses(list, numbers, from = 0) {
	const MOST = 200;
	for (const p of numbers.slice(from, from + MOST)) addProcess(list, p);
	if (numbers.length <= from + MOST) return;
	const more = addLink(add(list, 'li'), `Show more of ${numbers.length}`,
		() => { more.parentNode.remove(); addProcesses(list, numbers, from + MOST); }, 'plain more');
}

function showFindings() {
	const parent = byId('findings'), {findings, summary} = data.findings;
	const counts = summary.findings;
	add(parent, 'h2', 'Findings');
	add(parent, 'p', ['error', 'warning', 'info'].map(level => `${level}: ${counts[level]}`).join(', '));
	if (!findings.length) return;
	const list = add(parent, 'ul');
	for (const one of findings.slice(0, 100))
		add(list, 'li', clean(`${one.file}:${one.line}:${one.column}: ${one.level}: ${one.message} [${one.id}]`));
	const more = counts.error + counts.warning + counts.info - 100;
	if (more > 0) add(parent, 'p', `${more} more: run 'trace2 validate'.`);
}

function showGaps(gaps) {
	const words = {unfinished: ['process', 'processes', 'without an end'],
		untimed: ['process', 'processes', 'without times'], unclosed: ['span', 'spans', 'without an end'],
		unlogged: ['child', 'children', 'without a log'],
		cut: ['process', 'processes', 'whose parent is in no log'],
		late: ['event', 'events', 'after the end of its process'], unread: ['line', 'lines', 'with an error']};
	const list = Object.keys(words).filter(key => gaps[key])
		.map(key => `${count(gaps[key], words[key][0], words[key][1])} ${words[key][2]}`);
	if (list.length) add(byId('answer'), 'p', 'Not in the logs: ' + list.join(', ') + '.', 'soft');
}
