/* The way of the exception through the blocks of a stage. A cleanup that also runs without an exception may have several copies of
 * one number: those that unwinding does not come to are not of the path. */

/* The path of the stage's target; of a stage that is all targets', the first one's. */
function pathOf(stage) {
	return choice.paths.get(stage.target) || choice.paths.values().next().value;
}

const stagesWithoutWays = ['source', 'structured', 'tables'];

/* For each frame of the path: {edges: "from>to", blocks: indices, all: the blocks of the function}. */
function waysOf(stage) {
	if (!choice.ways.has(stage)) {
		const path = stagesWithoutWays.includes(stage.kind) ? null : pathOf(stage);
		choice.ways.set(stage, path ? path.frames.map(frame => findWay(stage, frame)).filter(Boolean) : none);
	}
	return choice.ways.get(stage);
}

function findWay(stage, { site, ops }) {
	for (const line of stage.linesOf(site)) {
		const f = functionAt(stage, line), all = f ? describeBlocks(stage, f) : none;
		const from = all.find(b => b.row <= line && line <= b.end);
		if (from && from.edges.some((kind, i) => i % 2 && kind === unwindEdge))
			return { all, ...walkPath(all, from, ops) };
	}
	return null;
}

/* To each of the ops in their order, the shortest way; the first edge is one of unwinding. */
function walkPath(all, from, ops) {
	const edges = new Set(), blocks = new Set();
	let isUnwinding = true;
	for (const op of ops) {
		const way = !isUnwinding && from.ops.includes(op) ? none : shortestWay(all, from, op, isUnwinding);
		if (!way.length)
			continue;
		isUnwinding = false;
		for (let i = 1; i < way.length; i++)
			edges.add(way[i - 1] + '>' + way[i]);
		from = all[way[way.length - 1]];
		blocks.add(from.index);
	}
	return { edges, blocks };
}

/* Indices of blocks, the first one `from`; empty: there is no way. */
function shortestWay(all, from, op, isUnwinding) {
	const came = new Map(), queue = [from];
	for (let at = 0; at < queue.length; at++) {
		const b = queue[at];
		if (at && b.ops.includes(op)) {
			const way = [b.index];
			for (let i = b.index; came.has(i) && (i !== from.index || way.length === 1);)
				way.unshift(i = came.get(i));
			return way;
		}
		for (let i = 0; i < b.edges.length; i += 2) {
			const leaves = b !== from || !isUnwinding || b.edges[i + 1] === unwindEdge;
			if (leaves && !came.has(b.edges[i]) && b.edges[i] !== from.index) {
				came.set(b.edges[i], b.index);
				queue.push(all[b.edges[i]]);
			}
		}
	}
	return none;
}

/* The mark of an op at a line; undefined: it is not of the path there. */
function markAt(stage, line, op) {
	const path = stage.kind === 'tables' ? undefined : pathOf(stage), mark = path && path.marks.get(op);
	if (!mark || stagesWithoutWays.includes(stage.kind))
		return mark;
	const isThere = ({ all, blocks }) => [...blocks].some(i => all[i].row <= line && line <= all[i].end);
	return waysOf(stage).some(isThere) ? mark : undefined;
}
