/* Blocks and edges of a function at a stage: {name, row, end, edges: [to, kind, …]}. CIR comes with them; those of LLVM IR and
 * assembly are read from the text. */
const normalEdge = 0, unwindEdge = 1, insideEdge = 2;

function functionsOf(stage) {
	if (!stage.functions)
		stage.functions = stage.kind === 'llvm' ? llvmFunctions(stage) : stage.kind === 'assembly' ? assemblyFunctions(stage) : [];
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

const jumps = /^\t(j\w+|b|b\.\w+|cbz|cbnz|tbz|tbnz|j\w*)\t(?:.*, ?)?"?(\.?L[\w$.]+|"[^"]*")/;
const noFall = /^\t(jmp\w*|ret\w*|ud2|b|br|brk|hlt|int3)\b/;

function assemblyFunctions(stage) {
	const found = [];
	let f = null, block = null, labels, falls = false, name = '';
	const open = row => {
		block = { row, end: row, targets: [] };
		f.blocks.push(block);
	};
	stage.lines.forEach((line, row) => {
		const label = /^("[^"]*"|[\w$.@?]+):/.exec(line);
		if (label && !label[1].startsWith('.L'))
			name = unquoted(label[1]);
		if (/^\t\.(cfi_startproc|seh_proc)/.test(line)) {
			f = { name, row, blocks: [] };
			labels = new Map();
			open(row);
			falls = false;
		} else if (f && /^\t\.(cfi_endproc|seh_endproc)/.test(line)) {
			found.push(finishEdges(f, labels));
			f = null;
		} else if (f && label && /^\.LBB/.test(label[1])) {
			const before = block;
			open(row);
			labels.set(label[1], f.blocks.length - 1);
			if (falls)
				before.targets.push([label[1], normalEdge]);
		} else if (f && /^\t[a-z]/i.test(line)) {
			const jump = jumps.exec(line);
			block.end = row;
			if (jump)
				block.targets.push([jump[2], normalEdge]);
			falls = !noFall.test(line);
		}
	});
	return found;
}

/* Of a block: the op that stands for it at every stage, and what it belongs to. */
function describeBlocks(stage, f) {
	for (const [index, b] of f.blocks.entries()) {
		if (b.ops)
			continue;
		b.ops = [];
		for (let row = b.row; row <= b.end; row++)
			b.ops.push(...stage.opsAt(row));
		b.key = b.ops.find(op => op !== f.op) || 0;
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
