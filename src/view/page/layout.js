/* Where the blocks and edges of a function are, in layers. One layout is made for all stages together, of the union of their blocks, so
 * that a block has its place whichever stage is shown. An edge that passes a layer has a place of its own there, between the blocks. */
const nodeWidth = 236, nodeHeight = 70, laneWidth = 8, gapX = 20, gapY = 46, layerHeight = nodeHeight + gapY;
const mostLanePlaces = 100000; /* of a function; the longest lanes beyond are one, left of everything */

/* Blocks of two stages are one node if the later one has the first op of the earlier one, or the other way round. A second such block is
 * its n-th. */
function unionOf(parts) {
	const nodes = new Map(), firsts = new Set(), owners = new Map();
	for (const { stage, blocks } of parts) {
		const keys = blocks.map(b => keyOf(stage, b, firsts, owners)), seen = new Map();
		for (const [i, b] of blocks.entries()) {
			const n = seen.get(keys[i]) || 0;
			seen.set(keys[i], n + 1);
			b.id = keys[i] + '/' + n;
			if (!nodes.has(b.id))
				nodes.set(b.id, { id: b.id, next: new Set(), goesTo: new Set(), order: nodes.size, from: stage, layer: 0, width: nodeWidth });
			firsts.add(keys[i]);
			for (const op of b.ops)
				if (!owners.has(op))
					owners.set(op, keys[i]);
		}
		addEdges(stage, blocks, nodes);
	}
	return [...nodes.values()];
}

/* A structured block holds others, and is known by its own first op only. */
function keyOf(stage, b, firsts, owners) {
	const known = stage.kind === 'structured' ? undefined : b.ops.find(op => firsts.has(op)) || owners.get(b.first);
	return known || b.first;
}

/* Layers are those of the first stage that has both blocks: later ones change the order of what they move, and fall through where they like. */
function addEdges(stage, blocks, nodes) {
	for (const b of blocks)
		for (let i = 0; i < b.edges.length; i += 2) {
			const from = nodes.get(b.id), to = nodes.get(blocks[b.edges[i]].id);
			from.goesTo.add(to);
			if (from !== to && (from.from === stage || to.from === stage))
				from.next.add(to);
		}
}

/* Reverse postorder without recursion; edges that lead back are left out of the layers. */
function layersOf(nodes) {
	const state = new Map(), finished = [], back = new Map();
	for (const root of nodes) {
		const stack = state.has(root) ? [] : [[root, root.next.values()]];
		if (stack.length)
			state.set(root, 'open');
		while (stack.length) {
			const [node, rest] = stack[stack.length - 1], { value: next, done } = rest.next();
			if (done) {
				state.set(node, 'finished');
				finished.push(node);
				stack.pop();
			} else if (!state.has(next)) {
				state.set(next, 'open');
				stack.push([next, next.next.values()]);
			} else if (state.get(next) === 'open') {
				append(back, node, next);
			}
		}
	}
	const layers = [];
	for (const node of finished.reverse()) {
		(layers[node.layer] = layers[node.layer] || []).push(node);
		for (const next of node.next)
			if (!(back.get(node) || none).includes(next))
				next.layer = Math.max(next.layer, node.layer + 1);
	}
	return layers;
}

/* Lanes: for edges to a block that pass layers on their way down, and for those that come up to it, from its own layer or a lower one.
 * places: by layer. Edges to one block share its lanes. */
function lanesOf(nodes) {
	const lanes = [];
	const widen = (to, name, first, last) => {
		if (!to[name])
			lanes.push(to[name] = { to, isUp: name === 'up', first, last, places: new Map() });
		to[name].first = Math.min(to[name].first, first);
		to[name].last = Math.max(to[name].last, last);
	};
	for (const from of nodes)
		for (const to of from.goesTo)
			if (to.layer <= from.layer)
				widen(to, 'up', to.layer, from.layer);
			else if (to.layer > from.layer + 1)
				widen(to, 'down', from.layer + 1, to.layer - 1);
	return lanes;
}

function placeLanes(nodes, layers) {
	let left = mostLanePlaces;
	for (const lane of lanesOf(nodes).sort((a, b) => a.last - a.first - (b.last - b.first))) {
		left -= lane.last - lane.first + 1;
		for (let layer = lane.first; left >= 0 && layer <= lane.last; layer++) {
			const place = { lane, layer, order: lane.to.order, width: laneWidth };
			lane.places.set(layer, place);
			layers[layer].push(place);
		}
	}
}

/* The places above, in the layer before, that lead to each place. */
function placesAbove(nodes) {
	const above = new Map();
	const lead = (from, to) => {
		if (from && to)
			append(above, to, from);
	};
	for (const from of nodes)
		for (const to of from.goesTo)
			if (to.layer === from.layer + 1)
				lead(from, to);
			else if (to.layer > from.layer)
				lead(from, to.down.places.get(from.layer + 1));
	for (const to of nodes) {
		for (const place of to.down ? to.down.places.values() : none)
			lead(place, to.down.places.get(place.layer + 1) || to);
		for (const place of to.up ? to.up.places.values() : none)
			lead(place.layer === to.layer ? to : to.up.places.get(place.layer - 1), place);
	}
	return above;
}

/* As near to where each wants to be as its neighbours allow, in the sense of least squares: those that would overlap form a group,
 * which stands around the middle of their wishes. */
function spread(layer) {
	const groups = [];
	let offset = 0;
	layer.forEach((place, i) => {
		offset += i ? (layer[i - 1].width + place.width) / 2 + gapX : 0;
		place.offset = offset;
		let group = { sum: place.wish - offset, n: 1 };
		while (groups.length && groups[groups.length - 1].sum / groups[groups.length - 1].n >= group.sum / group.n) {
			const before = groups.pop();
			group = { sum: before.sum + group.sum, n: before.n + group.n };
		}
		groups.push(group);
	});
	let at = 0;
	for (const { sum, n } of groups)
		for (const end = at + n; at < end; at++)
			layer[at].x = sum / n + layer[at].offset;
}

/* Within a layer: under the middle of what leads there. x is the middle of a place. */
function placeLayers(nodes, layers) {
	const above = placesAbove(nodes), mean = list => list.length ? list.reduce((sum, p) => sum + p.x, 0) / list.length : 0;
	for (const layer of layers) {
		for (const place of layer)
			place.wish = mean((above.get(place) || none).filter(p => p.layer < place.layer));
		for (const place of layer)
			if (place.lane && place.lane.isUp && place.layer === place.lane.to.layer)
				place.wish = place.lane.to.wish + nodeWidth / 2;
		layer.sort((a, b) => a.wish - b.wish || a.order - b.order);
		spread(layer);
	}
	const all = layers.flat();
	const left = all.reduce((x, p) => Math.min(x, p.x - p.width / 2), Infinity) - 2 * gapX;
	for (const place of all) {
		place.x -= left;
		place.y = topOf(place.layer);
	}
	return { width: all.reduce((x, p) => Math.max(x, p.x + p.width / 2), 0) + gapX, height: topOf(layers.length) };
}

const topOf = layer => gapY + layer * layerHeight;

/* The line of an edge in SVG, as far as it is in some layers: it bends between layers only, where no block is. */
function edgeLine(from, to, first, last) {
	const lane = to.layer > from.layer ? to.down : to.up, bend = gapY * 0.7;
	if (lane && !lane.places.size)
		return `M${from.x} ${from.y + nodeHeight}v${gapY * 0.4}H${gapX}V${to.y - gapY * 0.4}H${to.x}V${to.y}`;
	const line = [];
	const go = (a, b) => {
		const y = a.y + nodeHeight, y2 = b.y;
		line.push(`M${a.x} ${y}C${a.x} ${y + bend} ${b.x} ${y2 - bend} ${b.x} ${y2}`);
	};
	if (to.layer > from.layer) {
		const at = layer => layer === from.layer ? from : layer === to.layer ? to : lane.places.get(layer);
		for (let layer = Math.max(from.layer, first); layer < Math.min(to.layer, last + 1); layer++) {
			go(at(layer), at(layer + 1));
			if (layer + 1 < to.layer)
				line.push(`v${nodeHeight}`);
		}
		return line.join('');
	}
	const turn = (a, b, y, by) => `M${a.x} ${y}C${a.x} ${y + by} ${b.x} ${y + by} ${b.x} ${y}`;
	for (let layer = Math.max(to.layer, first); layer <= Math.min(from.layer, last); layer++) {
		const place = lane.places.get(layer);
		line.push(`M${place.x} ${place.y}v${nodeHeight}`);
		if (layer === to.layer)
			line.push(turn(place, to, to.y, -bend));
		if (layer === from.layer)
			line.push(turn(from, place, from.y + nodeHeight, bend));
		else
			go(place, lane.places.get(layer + 1));
	}
	return line.join('');
}

const layouts = new Map();

function layoutOf(name) {
	if (layouts.has(name))
		return layouts.get(name);
	const parts = graphStages().map(stage => {
		const f = functionNamed(stage, name);
		return { stage, blocks: f ? describeBlocks(stage, f) : none };
	});
	parts.sort((a, b) => (a.stage.kind === 'structured') - (b.stage.kind === 'structured'));
	const nodes = unionOf(parts), layers = layersOf(nodes);
	placeLanes(nodes, layers);
	const size = nodes.length ? placeLayers(nodes, layers) : { width: 0, height: 0 };
	layouts.set(name, { size, nodes: new Map(nodes.map(n => [n.id, n])), blocks: new Map(parts.map(p => [p.stage, p.blocks])) });
	return layouts.get(name);
}
