/* Where the nodes stand: springs along links, repulsion between all (Barnes-Hut), a light pull to the middle. */

function makeLayout(count, edges, charge) {
  const x = new Float64Array(count), y = new Float64Array(count);
  const vx = new Float64Array(count), vy = new Float64Array(count);
  const degree = new Float64Array(count);
  for (const [a, b] of edges) { degree[a]++; degree[b]++; }
  const pinned = new Set();
  const layout = { x, y, pinned, alpha: 1, tick, settled: () => layout.alpha < 0.012, warm };
  seed();
  return layout;

  // A sunflower, the best linked in the middle: the same graph always starts, and so always ends, the same way.
  function seed() {
    const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => degree[b] - degree[a] || a - b);
    order.forEach((node, i) => {
      const radius = 16 * Math.sqrt(i + 0.5), angle = i * Math.PI * (3 - Math.sqrt(5));
      x[node] = radius * Math.cos(angle);
      y[node] = radius * Math.sin(angle);
    });
  }

  function warm(alpha) { layout.alpha = Math.max(layout.alpha, alpha); }

  function tick() {
    layout.alpha *= 0.977;
    pullLinks(layout.alpha);
    pushApart(layout.alpha);
    for (let i = 0; i < count; i++) {
      const home = 0.06 * layout.alpha;
      vx[i] -= x[i] * home;
      vy[i] -= y[i] * home;
      vx[i] *= 0.6;
      vy[i] *= 0.6;
      if (!pinned.has(i)) { x[i] += vx[i]; y[i] += vy[i]; }
    }
  }

  function pullLinks(alpha) {
    for (const [a, b] of edges) {
      const dx = x[b] + vx[b] - x[a] - vx[a] || 0.01, dy = y[b] + vy[b] - y[a] - vy[a] || 0.01;
      const distance = Math.sqrt(dx * dx + dy * dy);
      const pull = (distance - 46) / distance * alpha / Math.min(degree[a], degree[b]);
      const share = degree[a] / (degree[a] + degree[b]);
      vx[b] -= dx * pull * share;
      vy[b] -= dy * pull * share;
      vx[a] += dx * pull * (1 - share);
      vy[a] += dy * pull * (1 - share);
    }
  }

  function pushApart(alpha) {
    const tree = makeTree(x, y, charge);
    const stack = [];
    for (let i = 0; i < count; i++) {
      stack.push(0);
      while (stack.length) {
        const cell = stack.pop();
        if (tree.mass[cell] === 0) continue;
        let dx = tree.cx[cell] - x[i], dy = tree.cy[cell] - y[i];
        const square = dx * dx + dy * dy, first = tree.child[cell];
        if (first >= 0 && tree.size[cell] ** 2 > 0.8 * square) {
          stack.push(first, first + 1, first + 2, first + 3);
          continue;
        }
        if (first < 0 && tree.body[cell] === i) continue;
        const push = tree.mass[cell] * alpha / Math.max(square, 16);
        vx[i] -= dx * push;
        vy[i] -= dy * push;
      }
    }
  }
}

/* A quadtree in flat arrays. A cell is a leaf (child < 0, body >= 0), empty (mass 0), or has four children in a row. */
function makeTree(x, y, charge) {
  const count = x.length;
  let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
  for (let i = 0; i < count; i++) {
    left = Math.min(left, x[i]); right = Math.max(right, x[i]);
    top = Math.min(top, y[i]); bottom = Math.max(bottom, y[i]);
  }
  const side = Math.max(right - left, bottom - top, 1) * 1.001;
  const tree = { child: [-1], body: [-1], mass: [0], cx: [0], cy: [0], size: [side], x0: [left], y0: [top] };
  for (let i = 0; i < count; i++) insert(tree, i, x, y, charge);
  weigh(tree);
  return tree;
}

function insert(tree, node, x, y, charge) {
  let cell = 0;
  for (let depth = 0; ; depth++) {
    if (tree.child[cell] >= 0) { cell = tree.child[cell] + quarter(tree, cell, x[node], y[node]); continue; }
    if (tree.mass[cell] === 0) return settle(tree, cell, node, x[node], y[node], charge[node]);
    if (depth > 28) { tree.mass[cell] += charge[node]; return; }
    const lodger = tree.body[cell], weight = tree.mass[cell];
    split(tree, cell);
    const room = tree.child[cell] + quarter(tree, cell, x[lodger], y[lodger]);
    settle(tree, room, lodger, x[lodger], y[lodger], weight);
  }
}

function quarter(tree, cell, px, py) {
  const half = tree.size[cell] / 2;
  return (px >= tree.x0[cell] + half ? 1 : 0) + (py >= tree.y0[cell] + half ? 2 : 0);
}

function settle(tree, cell, node, px, py, weight) {
  tree.body[cell] = node;
  tree.mass[cell] = weight;
  tree.cx[cell] = px;
  tree.cy[cell] = py;
}

function split(tree, cell) {
  const half = tree.size[cell] / 2;
  tree.child[cell] = tree.child.length;
  tree.body[cell] = -1;
  for (let q = 0; q < 4; q++) {
    tree.child.push(-1); tree.body.push(-1); tree.mass.push(0); tree.cx.push(0); tree.cy.push(0); tree.size.push(half);
    tree.x0.push(tree.x0[cell] + (q & 1 ? half : 0));
    tree.y0.push(tree.y0[cell] + (q & 2 ? half : 0));
  }
}

/* Children come after their parents, so one pass from the end sums everything up. */
function weigh(tree) {
  for (let cell = tree.child.length - 1; cell >= 0; cell--) {
    const first = tree.child[cell];
    if (first < 0) continue;
    let mass = 0, sx = 0, sy = 0;
    for (let q = first; q < first + 4; q++) {
      mass += tree.mass[q];
      sx += tree.cx[q] * tree.mass[q];
      sy += tree.cy[q] * tree.mass[q];
    }
    tree.mass[cell] = mass;
    tree.cx[cell] = sx / mass;
    tree.cy[cell] = sy / mass;
  }
}
