/* The way of the exception through the blocks of a stage. A cleanup that also runs without an exception may have several copies of
 * one number: those that unwinding does not come to are not of the path. */

/* {edges, blocks}: "from>to", and indices; null: the stage does not say where unwinding goes. */
function wayOf(stage) {
	if (!choice.ways.has(stage))
		choice.ways.set(stage, findWay(stage));
	return choice.ways.get(stage);
}

function findWay(stage) {
	if (!choice.path.size || ['source', 'structured', 'assembly', 'tables'].includes(stage.kind))
		return null;
	for (const line of stage.linesOf(choice.site)) {
		const f = functionsOf(stage).filter(g => g.row <= line).pop();
		const blocks = f ? describeBlocks(stage, f) : none;
		const from = blocks.find(b => b.row <= line && line <= b.end);
		if (from && from.edges.some((kind, i) => i % 2 && kind === unwindEdge))
			return Object.assign(walkPath(blocks, from), { all: blocks });
	}
	return { edges: new Set(), blocks: new Set(), all: none };
}

/* To each op of the path in its order, the shortest way; the first edge is one of unwinding. */
function walkPath(blocks, from) {
	const edges = new Set(), reached = new Set();
	let unwinding = true;
	for (const op of choice.path.keys()) {
		if (!unwinding && from.ops.includes(op))
			continue;
		const way = shortestWay(blocks, from, op, unwinding);
		if (!way.length)
			continue;
		unwinding = false;
		for (let i = 1; i < way.length; i++)
			edges.add(way[i - 1] + '>' + way[i]);
		from = blocks[way[way.length - 1]];
		reached.add(from.index);
	}
	return { edges, blocks: reached };
}

/* Indices of blocks, the first one `from`; empty: there is no way. */
function shortestWay(blocks, from, op, unwinding) {
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
			const leaves = b !== from || !unwinding || b.edges[i + 1] === unwindEdge;
			if (leaves && !came.has(b.edges[i]) && b.edges[i] !== from.index) {
				came.set(b.edges[i], b.index);
				queue.push(blocks[b.edges[i]]);
			}
		}
	}
	return none;
}

/* The mark of an op at a line; undefined: it is not of the path there. */
function markAt(stage, line, op) {
	const mark = stage.kind === 'tables' ? undefined : choice.path.get(op), way = mark && wayOf(stage);
	if (!mark || !way)
		return mark && mark.mark;
	for (const index of way.blocks)
		if (way.all[index].row <= line && line <= way.all[index].end)
			return mark.mark;
	return undefined;
}
