/* The graph of a function, in layers. One layout is made for all stages together, of the union of their blocks, so that a block
 * has its place whichever stage is shown. */
const nodeWidth = 236, nodeHeight = 70, gapX = 28, gapY = 46;

/* The blocks of all stages, by key: the number of the first op in them. A second block with the same key is its n-th. */
function unionOf(parts) {
	const nodes = new Map();
	for (const { stage, blocks } of parts) {
		const seen = new Map();
		for (const b of blocks) {
			const n = seen.get(b.key) || 0;
			seen.set(b.key, n + 1);
			b.id = b.key + '/' + n;
			if (!nodes.has(b.id))
				nodes.set(b.id, { id: b.id, next: new Set(), order: nodes.size, from: stage });
		}
		for (const b of blocks)
			for (let i = 0; i < b.edges.length; i += 2)
				if (blocks[b.edges[i]].id !== b.id && ordersLayers(stage, nodes.get(b.id), nodes.get(blocks[b.edges[i]].id)))
					nodes.get(b.id).next.add(blocks[b.edges[i]].id);
	}
	return nodes;
}

/* Code falls through where it likes: assembly orders only those blocks that no stage before it has. */
function ordersLayers(stage, from, to) {
	return stage.kind !== 'assembly' || from.from === stage || to.from === stage;
}

/* Reverse postorder without recursion; edges that lead back are left out of the layers. */
function layersOf(nodes) {
	const state = new Map(), finished = [];
	for (const root of nodes.values()) {
		const stack = state.has(root.id) ? [] : [[root, [...root.next]]];
		state.set(root.id, state.get(root.id) || 1);
		while (stack.length) {
			const [node, rest] = stack[stack.length - 1];
			const next = rest.length ? nodes.get(rest.shift()) : null;
			if (!next) {
				state.set(node.id, 2);
				finished.push(node);
				stack.pop();
			} else if (!state.has(next.id)) {
				state.set(next.id, 1);
				stack.push([next, [...next.next]]);
			} else if (state.get(next.id) === 1) {
				(node.back = node.back || new Set()).add(next.id);
			}
		}
	}
	const layers = [];
	for (const node of finished.reverse()) {
		node.layer = node.layer || 0;
		(layers[node.layer] = layers[node.layer] || []).push(node);
		for (const id of node.next)
			if (!(node.back && node.back.has(id)))
				nodes.get(id).layer = Math.max(nodes.get(id).layer || 0, node.layer + 1);
	}
	return layers;
}

/* Within a layer: under the middle of what leads there. */
function placeLayers(nodes, layers) {
	const widest = Math.max(...layers.map(l => l.length));
	const came = new Map();
	for (const node of nodes.values())
		for (const id of node.next)
			append(came, id, node);
	layers.forEach((layer, depth) => {
		const middle = n => {
			const above = (came.get(n.id) || none).filter(p => p.layer < depth);
			return above.length ? above.reduce((sum, p) => sum + p.x, 0) / above.length : 0;
		};
		for (const n of layer)
			n.wish = middle(n);
		layer.sort((a, b) => a.wish - b.wish || a.order - b.order);
		const left = (widest - layer.length) * (nodeWidth + gapX) / 2;
		layer.forEach((n, i) => {
			n.x = left + i * (nodeWidth + gapX);
			n.y = depth * (nodeHeight + gapY);
		});
	});
	return { width: widest * (nodeWidth + gapX), height: layers.length * (nodeHeight + gapY) };
}

function functionNamed(stage, name) {
	if (!stage.byName)
		stage.byName = new Map(functionsOf(stage).map(f => [f.name, f]));
	return stage.byName.get(name);
}

const layouts = new Map();
function layoutOf(name) {
	if (layouts.has(name))
		return layouts.get(name);
	const parts = stages.filter(s => s.kind !== 'source' && s.kind !== 'tables').map(stage => {
		const f = functionNamed(stage, name);
		return { stage, f, blocks: f ? describeBlocks(stage, f) : none };
	});
	const nodes = unionOf(parts);
	const size = nodes.size ? placeLayers(nodes, layersOf(nodes)) : { width: 0, height: 0 };
	layouts.set(name, { nodes, size, parts: new Map(parts.map(p => [p.stage, p])) });
	return layouts.get(name);
}

class Graph {
	constructor() {
		this.stages = stages.filter(s => s.kind !== 'source' && s.kind !== 'tables');
		this.names = [...new Set(this.stages.filter(s => s.functions).flatMap(s => s.functions.map(f => f.name)))];
		this.name = this.names[0] || '';
		this.stage = this.stages.find(s => s.kind === 'flat') || this.stages[0];
		this.functionBox = element('select', {}, ...this.names.slice(0, 5000).map(n => element('option', { value: n, textContent: shownText(n).slice(0, 120) })));
		this.stageBox = element('select', {}, ...this.stages.map((s, i) => element('option', { value: i, textContent: s.name })));
		this.functionBox.setAttribute('aria-label', 'Function');
		this.stageBox.setAttribute('aria-label', 'Stage of the graph');
		this.stageBox.value = this.stages.indexOf(this.stage);
		this.functionBox.addEventListener('change', () => { this.name = this.functionBox.value; this.draw(); });
		this.stageBox.addEventListener('change', () => { this.stage = this.stages[this.stageBox.value]; this.draw(); });
		this.tools = element('div', { className: 'tools' }, this.functionBox, this.stageBox);
		this.body = element('div', { className: 'body', tabIndex: 0 });
		this.body.addEventListener('scroll', () => this.draw());
		new ResizeObserver(() => this.draw()).observe(this.body);
	}

	/* The function that has an op. */
	functionOf(op) {
		for (const stage of this.stages)
			for (const line of stage.linesOf(op).slice(0, 1)) {
				const f = functionsOf(stage).filter(g => g.row <= line).pop();
				if (f && describeBlocks(stage, f).some(b => b.ops.includes(op)))
					return f.name;
			}
		return null;
	}

	show(ops) {
		const name = ops.length ? this.functionOf(ops[0]) : null;
		if (name && name !== this.name) {
			this.name = name;
			this.functionBox.value = name;
		}
		this.draw();
		const chosen = this.part && this.part.blocks.find(b => b.ops.some(op => choice.ops.has(op)));
		const at = chosen && layoutOf(this.name).nodes.get(chosen.id);
		if (at && name)
			this.body.scrollTo(at.x - this.body.clientWidth / 2 + nodeWidth / 2, at.y - this.body.clientHeight / 3);
	}

	draw() {
		const layout = layoutOf(this.name), part = this.part = layout.parts.get(this.stage);
		const canvas = element('div', { className: 'graph' });
		canvas.style.width = layout.size.width + 'px';
		canvas.style.height = layout.size.height + 'px';
		const top = this.body.scrollTop - 300, end = this.body.scrollTop + this.body.clientHeight + 300;
		const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
		svg.setAttribute('width', layout.size.width);
		svg.setAttribute('height', layout.size.height);
		canvas.append(svg);
		const way = wayOf(this.stage);
		const lit = way ? way.edges : new Set();
		for (const b of part.blocks) {
			const at = layout.nodes.get(b.id);
			for (let i = 0; i < b.edges.length; i += 2) {
				const to = layout.nodes.get(part.blocks[b.edges[i]].id);
				if (Math.max(at.y, to.y) >= top && Math.min(at.y, to.y) <= end)
					svg.append(edgePath(at, to, b.edges[i + 1], lit.has(b.index + '>' + b.edges[i])));
			}
			if (at.y + nodeHeight >= top && at.y <= end)
				canvas.append(this.node(b, at));
		}
		this.body.replaceChildren(canvas);
	}

	node(b, at) {
		const lines = this.stage.lines, own = [];
		for (let row = b.row; row <= b.end && own.length < 4; row++)
			own.push(shownText(lines[row].trim()).slice(0, 200));
		const marks = [...new Set(b.ops.map(op => markAt(this.stage, b.row, op)).filter(Boolean))];
		if (marks.length)
			own[0] = marks.join(' ') + '  ' + own[0];
		const node = element('div', { className: 'node', title: own.join('\n') }, ...own.map(t => element('div', { textContent: t })));
		node.style.cssText = `left:${at.x}px;top:${at.y}px;width:${nodeWidth}px;height:${nodeHeight}px`;
		node.dataset.id = b.id;
		if (b.pad)
			node.classList.add('pad');
		if (b.role)
			node.style.borderLeftColor = scopeColour(b.role.scope);
		if (b.ops.some(op => choice.ops.has(op)))
			node.classList.add('chosen');
		if (marks.length)
			node.classList.add('lit');
		node.addEventListener('click', () => choose(b.ops.filter(op => sitesOf(op).length).slice(0, 1).concat(b.ops.slice(0, 1)).slice(0, 1)));
		return node;
	}
}

function edgePath(from, to, kind, lit) {
	const x = from.x + nodeWidth / 2, y = from.y + nodeHeight, x2 = to.x + nodeWidth / 2, y2 = to.y;
	const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
	const side = to.y <= from.y ? nodeWidth / 2 + gapX / 2 : 0; /* back: around the side */
	path.setAttribute('d', side
		? `M${x} ${y} C${x + side} ${y + gapY} ${x + side} ${y} ${x + side} ${(y + y2) / 2} S${x2 + side} ${y2 - gapY} ${x2} ${y2}`
		: `M${x} ${y} C${x} ${y + gapY * 0.7} ${x2} ${y2 - gapY * 0.7} ${x2} ${y2}`);
	path.setAttribute('class', [['normal', 'unwind', 'inside'][kind], lit ? 'lit' : ''].join(' '));
	return path;
}
