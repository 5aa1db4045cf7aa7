/* The graph of a function at one of its stages. */
const graphStages = () => stages.filter(s => s.kind !== 'source' && s.kind !== 'tables');

class Graph {
	constructor() {
		this.stages = graphStages();
		this.names = [...new Set(this.stages.filter(s => s.functions).flatMap(s => s.functions.map(f => f.name)))];
		this.name = this.names[0] || '';
		this.stage = this.stages.find(s => s.kind === 'flat') || this.stages[0];
		this.functionBox = element('select', {}, ...this.names.slice(0, 5000).map(n => element('option', { value: n, textContent: shownText(n).slice(0, 120) })));
		this.stageBox = element('select', {}, ...this.stages.map((s, i) => element('option', { value: i, textContent: s.name })));
		this.functionBox.setAttribute('aria-label', 'Function');
		this.stageBox.setAttribute('aria-label', 'Stage of the graph');
		this.stageBox.value = this.stages.indexOf(this.stage);
		this.functionBox.addEventListener('change', () => { this.name = this.functionBox.value; this.show([]); });
		this.stageBox.addEventListener('change', () => { this.stage = this.stages[this.stageBox.value]; this.show([]); });
		this.tools = element('div', { className: 'tools' }, this.functionBox, this.stageBox);
		this.body = element('div', { className: 'body', tabIndex: 0 });
		this.body.setAttribute('aria-label', 'Graph');
		this.body.addEventListener('scroll', () => this.draw());
		new ResizeObserver(() => this.draw()).observe(this.body);
	}

	/* The function that has an op. */
	functionOf(op) {
		for (const stage of this.stages)
			for (const line of stage.linesOf(op).slice(0, 1)) {
				const f = functionAt(stage, line);
				if (f && describeBlocks(stage, f).some(b => b.ops.includes(op)))
					return f.name;
			}
		return null;
	}

	get blocks() { return layoutOf(this.name).blocks.get(this.stage); }

	show(ops) {
		const name = ops.length ? this.functionOf(ops[0]) : null;
		if (name !== null && name !== this.name) {
			this.name = name;
			this.functionBox.value = name;
		}
		if (!this.isStepping)
			this.current = this.blocks.findIndex(isChosen);
		this.draw();
		const current = this.blocks[this.current], at = current && layoutOf(this.name).nodes.get(current.id);
		if (at && (this.isStepping || name !== null))
			this.body.scrollTo(at.x - this.body.clientWidth / 2, at.y - this.body.clientHeight / 3);
	}

	/* The blocks in the order of the text. */
	step(by) {
		this.goTo(Math.max(0, Math.min(this.blocks.length - 1, this.current + by)));
	}

	/* Chooses a call of the block that can throw, else its first op. */
	goTo(index) {
		const ops = this.blocks.length ? this.blocks[index].ops : none, op = ops.find(o => sitesOf(o).length) || ops[0];
		this.current = index;
		this.isStepping = true;
		choose(op ? [op] : [], null);
		this.isStepping = false;
	}

	/* isWhole: all of it, else what is in view. */
	draw(isWhole) {
		if (this.isPrinted && !isWhole)
			return;
		const { size, nodes } = layoutOf(this.name), blocks = this.blocks;
		const canvas = element('div', { className: 'graph' }), svg = document.createElementNS(svgSpace, 'svg');
		for (const [name, length] of Object.entries(size)) {
			canvas.style[name] = length + 'px';
			svg.setAttribute(name, length);
		}
		canvas.append(svg);
		const layerAt = y => Math.floor((y - gapY) / layerHeight);
		const first = isWhole ? 0 : layerAt(this.body.scrollTop) - 2, last = isWhole ? Infinity : layerAt(this.body.scrollTop + this.body.clientHeight) + 2;
		const ways = waysOf(this.stage).filter(way => way.all === blocks), drawn = new Set();
		for (const b of blocks) {
			const from = nodes.get(b.id);
			for (let i = 0; i < b.edges.length; i += 2) {
				const to = nodes.get(blocks[b.edges[i]].id), line = edgeLine(from, to, first, last);
				const name = edgeNames[b.edges[i + 1]] + (ways.some(way => way.edges.has(b.index + '>' + b.edges[i])) ? ' lit' : '');
				if (line && !drawn.has(name + line))
					svg.append(edgePath(line, name));
				drawn.add(name + line);
			}
			if (first <= from.layer && from.layer <= last)
				canvas.append(this.node(b, from));
		}
		this.body.replaceChildren(canvas);
	}

	node(b, at) {
		const lines = this.stage.lines, own = [];
		for (let row = b.row; row <= b.end && own.length < 4; row++)
			own.push(shownText(lines[row].trim().replace(/\s+/g, ' ')).slice(0, 200));
		const marks = [...new Set(b.ops.map(op => markAt(this.stage, b.row, op)).filter(Boolean))];
		if (marks.length)
			own[0] = marks.join(' ') + '  ' + own[0];
		const node = element('div', { className: 'node', title: own.join('\n') }, ...own.map(t => element('div', { textContent: t })));
		node.style.cssText = `left:${at.x - nodeWidth / 2}px;top:${at.y}px;width:${nodeWidth}px;height:${nodeHeight}px`;
		node.dataset.id = b.id;
		if (b.pad)
			node.classList.add('pad');
		if (b.role)
			node.style.borderLeftColor = scopeColour(b.role.scope);
		if (isChosen(b))
			node.classList.add('chosen');
		if (marks.length)
			node.classList.add('lit');
		if (b.index === this.current)
			node.classList.add('current');
		node.addEventListener('click', () => this.goTo(b.index));
		return node;
	}

	print(on) {
		this.isPrinted = on;
		this.draw(on);
		const pageWidth = 680; /* of A4 and of Letter, without their margins */
		this.body.firstChild.style.zoom = on ? Math.min(1, pageWidth / layoutOf(this.name).size.width) : '';
	}
}

function isChosen(b) {
	return b.ops.some(op => choice.ops.has(op));
}

const svgSpace = 'http://www.w3.org/2000/svg', edgeNames = ['normal', 'unwind', 'inside'];

function edgePath(line, name) {
	const path = document.createElementNS(svgSpace, 'path');
	path.setAttribute('d', line);
	path.setAttribute('class', name);
	return path;
}
