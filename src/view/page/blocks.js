/* Blocks and edges of a function at a stage: {name, row, end, edges: [to, kind, …]}. CIR comes with them; those of LLVM IR are
 * read from the text, those of assembly in assembly.js. */
const normalEdge = 0, unwindEdge = 1, insideEdge = 2;

function functionsOf(stage) {
	if (!stage.functions)
		stage.functions = stage.kind === 'llvm' ? llvmFunctions(stage) : stage.kind === 'assembly' ? new AssemblyReader(stage).read() : [];
	return stage.functions;
}

function unquoted(name) {
	return name.startsWith('"') ? name.slice(1, -1).replace(/\\([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))) : name;
}

/* Labels to numbers, once all are known. */
function finishEdges(f, labels) {
	for (const b of f.blocks)
		b.edges = b.targets.flatMap(([label, kind]) => labels.has(label) ? [labels.get(label), kind] : []);
	return f;
}

function llvmTargets(line, block) {
	for (const m of line.matchAll(/(unwind )?label %("[^"]*"|[-\w$.]+)/g))
		block.targets.push([unquoted(m[2]), m[1] ? unwindEdge : /= catchswitch/.test(line) ? unwindEdge : normalEdge]);
}

function llvmFunctions(stage) {
	const found = [];
	let f = null, block = null, labels;
	stage.lines.forEach((line, row) => {
		const begin = /^define .*?@("[^"]*"|[-\w$.]+)\(/.exec(line);
		if (begin) {
			f = { name: unquoted(begin[1]), row, blocks: [] };
			labels = new Map();
			block = null;
		} else if (f && line === '}') {
			found.push(finishEdges(f, labels));
			f = null;
		} else if (f) {
			const label = /^("[^"]*"|[-\w$.]+):/.exec(line);
			if (label || (!block && line.trim())) {
				block = { row, end: row, targets: [] };
				labels.set(label ? unquoted(label[1]) : '', f.blocks.length);
				f.blocks.push(block);
			}
			if (block && line.trim())
				block.end = row;
			if (block && line.startsWith(' '))
				llvmTargets(line, block);
		}
	});
	return found;
}

function functionNamed(stage, name) {
	if (!stage.byName)
		stage.byName = new Map(functionsOf(stage).map(f => [f.name, f]));
	return stage.byName.get(name);
}

/* The function that a line is in, or the last one before it. */
function functionAt(stage, line) {
	const all = functionsOf(stage);
	let low = 0, high = all.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (all[middle].row <= line)
			low = middle + 1;
		else
			high = middle;
	}
	return all[low - 1];
}

/* Of each block: its ops, the first one, and what it belongs to. */
function describeBlocks(stage, f) {
	if (f.isDescribed)
		return f.blocks;
	f.isDescribed = true;
	const cir = functionNamed(stages.find(s => s.isCir), f.name), ofFunction = cir && cir.op;
	for (const [index, b] of f.blocks.entries()) {
		b.ops = [];
		for (let row = b.row; row <= b.end; row++)
			b.ops.push(...stage.opsAt(row));
		b.first = b.ops.find(op => op !== ofFunction) || 0;
		b.role = b.ops.map(op => scopes.get(op)).find(s => s && s.role);
		b.index = index;
		b.pad = false;
	}
	for (const b of f.blocks)
		for (let i = 0; i < b.edges.length; i += 2)
			if (b.edges[i + 1] === unwindEdge)
				f.blocks[b.edges[i]].pad = true;
	return f.blocks;
}
