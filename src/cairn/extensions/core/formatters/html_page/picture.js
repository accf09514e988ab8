/* Draws the graph on the canvas, and finds what is under the pointer. */

const DASHES = { mentions: [5, 4], points: [1.5, 4] };

function makePicture(canvas, model, layout, camera) {
  const pen = canvas.getContext("2d");
  const important = model.all.map((_, i) => i).sort((a, b) => model.radius(b) - model.radius(a) || a - b);
  let colors = {};
  const picture = { draw, resize, hit, recolor };
  recolor();
  resize();
  return picture;

  function recolor() {
    const style = getComputedStyle(document.documentElement);
    const names = ["paper", "dots", "ink", "soft", "accent", "error", "warn", "invokes", "references", "mentions", "points"];
    colors = Object.fromEntries(names.map((name) => [name, style.getPropertyValue("--" + name).trim()]));
  }

  function resize() {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = canvas.clientHeight * ratio;
  }

  function size(i) { return model.radius(i) * Math.max(Math.min(camera.scale, 2.2), 0.34); }

  function draw(look) {
    const ratio = window.devicePixelRatio || 1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = colors.paper;
    pen.fillRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    dots();
    const places = model.all.map((_, i) => camera.toScreen(layout.x[i], layout.y[i]));
    edges(places, look);
    nodes(places, look);
    labels(places, look);
  }

  function dots() {
    let gap = 44 * camera.scale;
    while (gap < 22) gap *= 2;
    while (gap > 88) gap /= 2;
    const [ox, oy] = camera.toScreen(0, 0);
    pen.fillStyle = colors.dots;
    for (let sx = ox % gap; sx < canvas.clientWidth; sx += gap)
      for (let sy = oy % gap; sy < canvas.clientHeight; sy += gap) pen.fillRect(sx - 0.8, sy - 0.8, 1.6, 1.6);
  }

  function edges(places, look) {
    for (const kind of ["references", "points", "mentions", "invokes"]) {
      pen.setLineDash(DASHES[kind] || []);
      strokeEdges(places, kind, (e) => look.visible(e.a) && look.visible(e.b) && !look.lit(e), colors[kind], look.dim ? 0.07 : Math.min(0.6, 0.3 + camera.scale * 0.2), 1.1);
      strokeEdges(places, kind, (e) => look.lit(e) && look.visible(e.a) && look.visible(e.b), colors[kind], 0.95, 1.8, true);
    }
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  function strokeEdges(places, kind, wanted, color, alpha, width, arrows) {
    pen.beginPath();
    const heads = [];
    for (const edge of model.edgesOf(kind)) {
      if (!wanted(edge)) continue;
      const [ax, ay] = places[edge.a], [bx, by] = places[edge.b];
      if (outside(ax, ay, bx, by)) continue;
      const mx = (ax + bx) / 2 + (by - ay) * 0.08, my = (ay + by) / 2 - (bx - ax) * 0.08;
      pen.moveTo(ax, ay);
      pen.quadraticCurveTo(mx, my, bx, by);
      if (arrows) heads.push([mx, my, bx, by, size(edge.b)]);
    }
    pen.globalAlpha = alpha;
    pen.lineWidth = width;
    pen.strokeStyle = color;
    pen.stroke();
    if (heads.length) arrowheads(heads, color);
  }

  function arrowheads(heads, color) {
    pen.fillStyle = color;
    for (const [mx, my, bx, by, gap] of heads) {
      const angle = Math.atan2(by - my, bx - mx), tx = bx - Math.cos(angle) * (gap + 2), ty = by - Math.sin(angle) * (gap + 2);
      pen.beginPath();
      pen.moveTo(tx, ty);
      pen.lineTo(tx - 9 * Math.cos(angle - 0.38), ty - 9 * Math.sin(angle - 0.38));
      pen.lineTo(tx - 9 * Math.cos(angle + 0.38), ty - 9 * Math.sin(angle + 0.38));
      pen.fill();
    }
  }

  function outside(ax, ay, bx, by) {
    const w = canvas.clientWidth, h = canvas.clientHeight;
    return (ax < 0 && bx < 0) || (ay < 0 && by < 0) || (ax > w && bx > w) || (ay > h && by > h);
  }

  function nodes(places, look) {
    for (let i = places.length - 1; i >= 0; i--) {
      const [sx, sy] = places[i];
      if (!look.visible(i) || outside(sx - 30, sy - 30, sx + 30, sy + 30)) continue;
      pen.globalAlpha = look.shown(i) ? 1 : 0.13;
      const r = size(i), node = model.all[i];
      if (node.ghost) diamond(sx, sy, r);
      else disc(sx, sy, r, model.color(i), model.worst(i));
      if (look.chosen === i) ring(sx, sy, r + 5, colors.accent, 2.5);
    }
    pen.globalAlpha = 1;
  }

  function disc(sx, sy, r, color, worst) {
    pen.beginPath();
    pen.arc(sx, sy, r, 0, 7);
    pen.fillStyle = color;
    pen.fill();
    if (r > 3) { pen.lineWidth = 1.5; pen.strokeStyle = colors.paper; pen.stroke(); }
    if (worst === "error" || worst === "warn") ring(sx, sy, r + 0.4 + Math.min(r / 4, 2), colors[worst], Math.min(2, 0.5 + r / 6));
  }

  function ring(sx, sy, r, color, width) {
    pen.beginPath();
    pen.arc(sx, sy, r, 0, 7);
    pen.lineWidth = width;
    pen.strokeStyle = color;
    pen.stroke();
  }

  function diamond(sx, sy, r) {
    pen.beginPath();
    pen.moveTo(sx, sy - r); pen.lineTo(sx + r, sy); pen.lineTo(sx, sy + r); pen.lineTo(sx - r, sy);
    pen.closePath();
    if (r < 3) { pen.fillStyle = colors.error; pen.fill(); return; }
    pen.fillStyle = colors.paper;
    pen.fill();
    pen.lineWidth = 1.3;
    pen.strokeStyle = colors.error;
    pen.setLineDash([2.5, 2]);
    pen.stroke();
    pen.setLineDash([]);
  }

  /* Names where there is room, the most linked first; what is chosen or under the pointer always. */
  function labels(places, look) {
    const taken = new Set(), must = (i) => i === look.chosen || i === look.hovered;
    const order = [look.hovered, look.chosen, ...important].filter((i) => i !== null && i !== undefined);
    pen.textAlign = "center";
    let room = 90;
    for (const i of order) {
      if (room === 0) break;
      const [sx, sy] = places[i], r = size(i);
      if (!look.visible(i) || !look.shown(i) || outside(sx, sy, sx, sy)) continue;
      if (!must(i) && !look.dim && r < 4.2) continue;
      if (write(model.short(i), sx, sy + r + 14, taken, must(i))) room--;
    }
  }

  function write(text, sx, sy, taken, anyway) {
    pen.font = `${anyway ? "600 13px" : "500 12px"} system-ui, sans-serif`;
    const width = pen.measureText(text).width, cells = [];
    for (let cx = Math.floor((sx - width / 2 - 4) / 12); cx <= (sx + width / 2 + 4) / 12; cx++)
      for (const cy of [Math.floor((sy - 12) / 12), Math.floor((sy + 2) / 12)]) cells.push(cx * 4096 + cy);
    if (!anyway && cells.some((cell) => taken.has(cell))) return false;
    cells.forEach((cell) => taken.add(cell));
    pen.lineWidth = 3.5;
    pen.lineJoin = "round";
    pen.strokeStyle = colors.paper;
    pen.strokeText(text, sx, sy);
    pen.fillStyle = colors.ink;
    pen.fillText(text, sx, sy);
    return true;
  }

  function hit(sx, sy, visible) {
    let best = null, nearest = Infinity;
    for (let i = 0; i < model.all.length; i++) {
      if (!visible(i)) continue;
      const [px, py] = camera.toScreen(layout.x[i], layout.y[i]);
      const distance = Math.hypot(px - sx, py - sy) - size(i);
      if (distance < 6 && distance < nearest) { best = i; nearest = distance; }
    }
    return best;
  }
}
