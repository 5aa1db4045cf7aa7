/* Blocks and edges of functions in assembly of x86-64 and AArch64, as LLVM writes it with its comments. Where unwinding enters a block is in
 * the tables behind a function: the call sites of an LSDA, the states of __CxxFrameHandler3, the scopes of __C_specific_handler. Funclets are
 * blocks of their function. */
const assemblyLabel = /^("(?:[^"\\]|\\.)*"|[\w$.@?]+):/;
const symbolText = '("(?:[^"\\\\]|\\\\.)*"|[^\\s@(,]+)';
const jump = new RegExp('^\\t(?:j\\w+|b(?:\\.\\w+)?)\\t' + symbolText), call = new RegExp('^\\t(?:callq?|blr?)\\t' + symbolText);
const jumpOfBit = /^\t[ct]bn?z\t.*, (\.LBB\w+)/; /* AArch64's, which compare, too */
const jumpTable = /(\.LBB\w+|\.LJTI\w+)\(|^\tadrp?\t\w+, (\.LJTI\w+)/;
const noFall = /^\t(jmp|ret|ud2|int3|hlt|br?\t|brk|udf)/;
const word = new RegExp('^\\t\\.(?:long|quad|byte|hword|x?word)\\t\\(?' + symbolText);

function assemblyName(label) {
	return label.startsWith('"') ? label.slice(1, -1).replace(/\\(.)/g, (_, c) => c === 'n' ? '\n' : c) : label;
}

/* Callees that LLVM IR has before `unreachable`: code behind them is somebody else's. */
function neverReturning(target) {
	const names = new Set(), llvm = stages.find(s => s.kind === 'llvm' && s.target === target);
	for (let row = 1; llvm && row < llvm.lines.length; row++) {
		const callee = llvm.lines[row] === '  unreachable' && /@("[^"]*"|[-\w$.]+)\(/.exec(llvm.lines[row - 1]);
		if (callee)
			names.add(unquoted(callee[1]));
	}
	return names;
}

class AssemblyReader {
	constructor({ lines, target }) {
		this.lines = lines;
		this.rows = new Map(); /* of labels */
		this.functions = [];
		this.blocks = []; /* of all functions, by row */
		this.neverReturning = neverReturning(target);
	}

	read() {
		this.f = null;
		this.lines.forEach((line, row) => this.readLine(line, row));
		for (const b of this.blocks)
			for (const label of b.jumps.flatMap(l => l.startsWith('.LJTI') ? this.jumpTable(l) : [l]))
				connect(b, this.blockAt(label), normalEdge);
		this.lines.forEach((line, row) => this.readTables(line, row));
		return this.functions;
	}

	readLine(line, row) {
		const label = assemblyLabel.exec(line);
		if (label)
			this.rows.set(label[1], row);
		if (/(?:#|\/\/) -- Begin function /.test(line))
			this.beginFunction(row);
		else if (/(?:#|\/\/) -- End function/.test(line))
			this.f = null;
		else if (this.f && /^\t[a-z]/i.test(line))
			this.readInstruction(line, row);
		else if (this.f)
			this.readBoundary(line, row, label);
	}

	beginFunction(row) {
		this.f = { name: '', row, blocks: [] };
		this.functions.push(this.f);
		Object.assign(this, { block: null, begin: null, falls: false, part: 0 });
	}

	/* A block begins at its label, or where LLVM says that it would; a funclet is a part of its own. */
	readBoundary(line, row, label) {
		const isPart = /^\s*\.seh_proc/.test(line), isBlock = isPart || /^((?:#|\/\/) %bb\.\d|\.LBB)/.test(line);
		if (label && !this.f.name && !label[1].startsWith('.L'))
			this.f.name = assemblyName(label[1]);
		if (this.begin === null && (isBlock || (label && !/^"?(\.Ltmp|\.Lfunc|\$)/.test(line))))
			this.begin = row;
		if (isPart) {
			this.part++;
			this.falls = false;
		}
	}

	openBlock(row) {
		const { f, part } = this, before = this.block;
		this.block = { f, index: f.blocks.length, row: this.begin === null ? row : this.begin, end: row, edges: [], jumps: [], calls: [], part };
		f.blocks.push(this.block);
		this.blocks.push(this.block);
		if (before && this.falls)
			connect(before, this.block, normalEdge);
		this.begin = null;
	}

	readInstruction(line, row) {
		if (!this.block || this.begin !== null)
			this.openBlock(row);
		const b = this.block, to = jump.exec(line) || jumpOfBit.exec(line) || jumpTable.exec(line), callee = call.exec(line);
		b.end = row;
		if (to)
			b.jumps.push(to[1] || to[2]);
		if (callee)
			b.calls.push(row);
		b.returns = /^\tret/.test(line);
		this.falls = !noFall.test(line) && !(callee && this.neverReturning.has(assemblyName(callee[1])));
	}

	/* The first block that does not end before a row. */
	firstBlock(row) {
		let low = 0, high = this.blocks.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.blocks[middle].end < row)
				low = middle + 1;
			else
				high = middle;
		}
		return this.blocks[low];
	}

	/* The block that has a label. */
	blockAt(label) {
		const row = this.rows.get(label), b = this.firstBlock(row);
		return b && b.row <= row ? b : null;
	}

	/* Those of one function that have code between two rows; with calls, where any has. */
	leaving(from, to) {
		const found = [];
		for (let b = this.firstBlock(from); b && b.row < to; b = b.f.blocks[b.index + 1])
			found.push(b);
		const calling = found.filter(b => b.calls.some(row => from < row && row < to));
		return calling.length ? calling : found;
	}

	/* Tables */

	readTables(line, row) {
		const site = /^\t\.uleb128 (\S+)-\S+\s+(?:#|\/\/) >> Call Site/.exec(line);
		if (site)
			this.readCallSite(site[1], row);
		else if (/^"?\$cppxdata\$/.test(line))
			this.readStates(this.words(row));
		else if (/^\.Llsda_begin/.test(line))
			this.readScopes(this.words(row));
	}

	/* The words behind a row: numbers, or labels. */
	words(row) {
		const found = [];
		for (let at = row + 1; ; at++) {
			const is = word.exec(this.lines[at] || '');
			if (!is)
				return found;
			found.push(/^-?\d+$/.test(is[1]) ? Number(is[1]) : is[1]);
		}
	}

	/* ".LBB0_3-.LJTI0_0"; ".LBB0_3" where addresses are absolute; "(.LBB0_3-.LBB0_1)>>2" of AArch64. */
	jumpTable(label) {
		return this.wordsAt(label).map(w => String(w).split('-')[0]);
	}

	wordsAt(label) {
		return this.rows.has(label) ? this.words(this.rows.get(label)) : [];
	}

	readCallSite(begin, row) {
		const [end, pad] = [1, 2].map(i => /^\t\.uleb128 (\S+)-/.exec(this.lines[row + i] || ''));
		if (end && pad)
			this.connectAll(this.leaving(this.rows.get(begin), this.rows.get(end[1])), [[pad[1], 'all']]);
	}

	/* Entries tried in their order, up to a cleanup, which goes on to the rest when it returns: [[label, what it is], …]. */
	connectAll(from, entries) {
		for (const [i, [label, is]] of entries.entries()) {
			const to = this.blockAt(label);
			from.forEach(b => connect(b, to, unwindEdge));
			if (to && is === 'cleanup')
				this.connectAll(to.f.blocks.filter(b => b.part === to.part && b.returns), entries.slice(i + 1));
			if (is !== 'catch')
				return;
		}
	}

	readScopes(words) {
		const scopes = new Map();
		for (let i = 0; i + 3 < words.length; i += 4) {
			const [begin, end, filter, handler] = words.slice(i, i + 4);
			const entry = handler === 0 ? [filter, 'cleanup'] : [handler, filter === 1 ? 'all' : 'catch'];
			const key = begin + ' ' + end;
			if (!scopes.has(key))
				scopes.set(key, { begin, end, entries: [] });
			scopes.get(key).entries.push(entry);
		}
		for (const { begin, end, entries } of scopes.values())
			this.connectAll(this.leaving(this.rows.get(begin), this.rows.get(end)), entries);
	}

	/* FuncInfo: magic, states, unwind map, tries, try map, IPs, IP map. */
	readStates([, , unwindLabel, , tryLabel, , ipLabel]) {
		const unwind = this.wordsAt(unwindLabel), tries = this.wordsAt(tryLabel), ips = this.wordsAt(ipLabel);
		for (let i = 0; i + 1 < ips.length; i += 2) {
			const end = i + 2 < ips.length ? this.rows.get(ips[i + 2]) : Infinity;
			if (ips[i + 1] >= 0)
				this.connectAll(this.leaving(this.rows.get(ips[i]), end), this.entriesOf(ips[i + 1], unwind, tries));
		}
	}

	/* From a state outwards. */
	entriesOf(state, unwind, tries) {
		const found = [];
		for (let s = state; s >= 0 && 2 * s + 1 < unwind.length; s = unwind[2 * s]) {
			if (unwind[2 * s + 1] !== 0)
				found.push([unwind[2 * s + 1], 'cleanup']);
			for (let t = 0; t + 4 < tries.length; t += 5)
				if (tries[t] === s)
					found.push(...this.handlersOf(tries[t + 4]));
		}
		return found;
	}

	handlersOf(label) {
		const words = this.wordsAt(label), found = [];
		for (let i = 0; i + 4 < words.length; i += 5)
			found.push([words[i + 3], words[i + 1] === 0 ? 'all' : 'catch']);
		return found;
	}
}

function connect(from, to, kind) {
	if (!to || to.f !== from.f || from.edges.some((e, i) => i % 2 === 0 && e === to.index && from.edges[i + 1] === kind))
		return;
	from.edges.push(to.index, kind);
}
