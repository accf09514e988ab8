/* The page: what is chosen, what is filtered, and who has to be told. */

const by = (id) => document.getElementById(id);
const data = JSON.parse(by("data").textContent);
const RANK = { error: 2, warn: 1, info: 0 };

const model = makeModel(data);
const state = { chosen: null, hovered: null, words: "", hidden: new Set(), onlyIssues: false, table: false };
const canvas = by("canvas");
const layout = makeLayout(model.all.length, model.edges.map((e) => [e.a, e.b]), model.all.map((_, i) => (model.in(i).length + model.out(i).length ? 10 : -14) + 8 * model.radius(i)));
const camera = makeCamera(canvas);
const picture = makePicture(canvas, model, layout, camera);
const table = makeTable(model, (i) => choose(i));
let asked = false, guided = true;

start();

/* Everything that is pointed at and not there becomes a ghost, so that it can be seen and clicked. */
function makeModel(data) {
  const all = data.nodes.map((node) => ({ ...node, ghost: false }));
  const ghosts = new Map(), edges = [], out = [], into = [], found = all.map(() => []);
  for (const link of data.links) {
    let to = link.to;
    if (to === undefined) {
      if (!["broken", "mismatch", "ambiguous"].includes(link.state)) continue;
      if (!ghosts.has(link.target)) {
        ghosts.set(link.target, all.length);
        all.push({ path: link.target, title: link.target, kind: -1, ghost: true });
      }
      to = ghosts.get(link.target);
    }
    if (to !== link.from) edges.push({ a: link.from, b: to, kind: link.kind, line: link.line });
  }
  all.forEach((_, i) => { out[i] = []; into[i] = []; });
  for (const edge of edges) { out[edge.a].push(edge); into[edge.b].push(edge); }
  for (const issue of data.issues) for (const i of issue.nodes) found[i].push(issue);
  const kinds = {};
  for (const edge of edges) (kinds[edge.kind] ||= []).push(edge);
  const worst = found.map((list) => list.reduce((w, x) => (w === null || RANK[x.severity] > RANK[w] ? x.severity : w), null));
  return {
    all, edges,
    edgesOf: (kind) => kinds[kind] || [],
    out: (i) => out[i],
    in: (i) => into[i],
    issues: (i) => found[i] || [],
    worst: (i) => worst[i] || null,
    radius: (i) => (all[i].ghost ? 4.5 : 5 + Math.min(15, 2.1 * Math.sqrt(into[i].length + out[i].length * 0.4))),
    color: (i) => (all[i].ghost ? "var(--error)" : data.kinds[all[i].kind].color),
    kindLabel: (i) => (all[i].ghost ? "Missing" : data.kinds[all[i].kind].label),
    short: (i) => (all[i].title.length > 34 ? all[i].title.slice(0, 33) + "…" : all[i].title),
  };
}

function matches(i) {
  const node = model.all[i];
  const text = `${node.title}\n${node.path}\n${(node.tags || []).join(" ")}`.toLowerCase();
  return state.words.split(/\s+/).every((word) => text.includes(word));
}

function visible(i) {
  if (i === state.chosen) return true;
  return !state.hidden.has(model.all[i].kind) && (!state.onlyIssues || model.all[i].ghost || model.issues(i).length > 0);
}

/* What stands out: the neighbourhood of the node in question, else what the search matches, else everything. */
function makeLook() {
  const center = state.hovered ?? state.chosen;
  if (center !== null) {
    const near = new Set([center]);
    for (const e of model.out(center)) near.add(e.b);
    for (const e of model.in(center)) near.add(e.a);
    return { ...state, visible, dim: true, shown: (i) => near.has(i), lit: (e) => e.a === center || e.b === center };
  }
  if (state.words) {
    const hits = new Set(model.all.map((_, i) => i).filter(matches));
    return { ...state, visible, dim: true, shown: (i) => hits.has(i), lit: () => false };
  }
  return { ...state, visible, dim: false, shown: () => true, lit: () => false };
}

function ask() {
  if (!asked) { asked = true; requestAnimationFrame(frame); }
}

function frame() {
  asked = false;
  const began = performance.now();
  let moving = false;
  while (!layout.settled()) {
    layout.tick();
    moving = true;
    if (performance.now() - began > 11) break;
  }
  if (moving && guided) camera.fit(points(), true);
  const flying = camera.step();
  if (!state.table) picture.draw(makeLook());
  document.documentElement.dataset.settled = String(layout.settled());
  if (moving || flying) ask();
}

function points() {
  return model.all.map((_, i) => i).filter(visible).map((i) => [layout.x[i], layout.y[i]]);
}

function choose(i) {
  state.chosen = i;
  document.body.classList.toggle("chosen", i !== null);
  const panel = by("panel");
  panel.hidden = i === null;
  if (i !== null) {
    guided = false;
    fillPanel(panel, model, i, choose, () => choose(null));
    panel.scrollTop = 0;
    const around = [...model.out(i).map((e) => e.b), ...model.in(i).map((e) => e.a), i];
    camera.fit(around.map((n) => [layout.x[n], layout.y[n]]), false, 1.5);
    if (state.table) panel.focus();
    by("said").textContent = `${model.all[i].title}: ${count(model.issues(i).length, "issue", "issues")}`;
  }
  remember();
  ask();
}

function remember() {
  const hash = state.chosen === null ? " " : "#" + encodeURIComponent(model.all[state.chosen].path);
  try { history.replaceState(null, "", hash === " " ? location.pathname + location.search : hash); } catch { /* opened from a place without an address */ }
}

function refresh() {
  if (state.table) table.show(model.all.map((_, i) => i).filter((i) => !model.all[i].ghost && visible(i) && (!state.words || matches(i))));
  ask();
}

/* --- search ------------------------------------------------------------------------------------------------------- */

function search() {
  const box = by("search"), list = by("hits");
  state.words = box.value.trim().toLowerCase();
  const hits = state.words ? model.all.map((_, i) => i).filter((i) => visible(i) && matches(i)) : [];
  hits.sort((a, b) => rank(b) - rank(a) || a - b);
  list.replaceChildren(...hits.slice(0, 7).map((i, n) => hitRow(i, n)));
  list.hidden = !hits.length || state.table;
  box.setAttribute("aria-expanded", String(!list.hidden));
  mark(0);
  by("said").textContent = state.words ? count(hits.length, "match", "matches") : "";
  refresh();
}

function rank(i) {
  const title = model.all[i].title.toLowerCase();
  return (title.startsWith(state.words) ? 100 : title.includes(state.words) ? 50 : 0) + model.radius(i);
}

function hitRow(i, n) {
  const row = make("li", { role: "option", id: "hit-" + n, "aria-selected": "false" }, make("b", {}, model.all[i].title), make("span", { class: "path" }, model.all[i].path));
  row.addEventListener("mousedown", (event) => { event.preventDefault(); take(i); });
  row.node = i;
  return row;
}

function mark(n) {
  const rows = [...by("hits").children];
  rows.forEach((row, at) => row.setAttribute("aria-selected", String(at === n)));
  if (rows[n]) by("search").setAttribute("aria-activedescendant", rows[n].id);
  else by("search").removeAttribute("aria-activedescendant");
}

function take(i) {
  by("search").value = "";
  search();
  by("search").blur();
  choose(i);
}

function searchKey(event) {
  const rows = [...by("hits").children], at = rows.findIndex((row) => row.getAttribute("aria-selected") === "true");
  if (event.key === "ArrowDown") mark(Math.min(at + 1, rows.length - 1));
  else if (event.key === "ArrowUp") mark(Math.max(at - 1, 0));
  else if (event.key === "Enter" && rows[at]) take(rows[at].node);
  else return;
  event.preventDefault();
}

/* --- pointer ------------------------------------------------------------------------------------------------------ */

function pointers() {
  const fingers = new Map();
  let grabbed = null, moved = 0, spread = 0;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
    grabbed = fingers.size === 1 ? picture.hit(event.offsetX, event.offsetY, visible) : null;
    moved = 0;
    spread = 0;
    by("tip").hidden = true;
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return hover(event.offsetX, event.offsetY);
    const dx = event.offsetX - last[0], dy = event.offsetY - last[1];
    fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
    moved += Math.abs(dx) + Math.abs(dy);
    if (fingers.size === 2) spread = pinch([...fingers.values()], spread);
    else if (moved > 3) drag(grabbed, event, dx, dy);
    ask();
  });
  const release = (event) => {
    fingers.delete(event.pointerId);
    canvas.classList.remove("dragging");
    if (grabbed !== null) layout.pinned.delete(grabbed);
    if (event.type === "pointerup" && moved <= 3) choose(grabbed);
    grabbed = null;
    ask();
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => { state.hovered = null; by("tip").hidden = true; ask(); });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    guided = false;
    camera.zoomAt(event.offsetX, event.offsetY, Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)));
    ask();
  }, { passive: false });
}

function drag(grabbed, event, dx, dy) {
  guided = false;
  canvas.classList.add("dragging");
  if (grabbed === null) {
    camera.goal = null;
    camera.x -= dx / camera.scale;
    camera.y -= dy / camera.scale;
    return;
  }
  const [px, py] = camera.toPlane(event.offsetX, event.offsetY);
  layout.pinned.add(grabbed);
  layout.x[grabbed] = px;
  layout.y[grabbed] = py;
  layout.warm(0.22);
}

function pinch([a, b], before) {
  const now = Math.hypot(a[0] - b[0], a[1] - b[1]);
  guided = false;
  if (before) camera.zoomAt((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, now / before);
  return now;
}

function hover(sx, sy) {
  const over = picture.hit(sx, sy, visible);
  canvas.classList.toggle("pointing", over !== null);
  if (over === null) by("tip").hidden = true;
  else fillTip(by("tip"), model, over, sx, sy);
  if (over === state.hovered) return;
  state.hovered = over;
  ask();
}

/* --- controls ----------------------------------------------------------------------------------------------------- */

function filters() {
  const sizes = new Map();
  for (const node of model.all) sizes.set(node.kind, (sizes.get(node.kind) || 0) + 1);
  const chip = (kind, label, color) => {
    const button = make("button", { type: "button", class: "chip", "aria-pressed": "true", color }, make("i"), label, make("span", {}, String(sizes.get(kind))));
    button.addEventListener("click", () => {
      const off = state.hidden.delete(kind);
      if (!off) state.hidden.add(kind);
      button.setAttribute("aria-pressed", String(off));
      refresh();
    });
    return button;
  };
  data.kinds.forEach((kind, i) => by("filters").append(chip(i, kind.label, kind.color)));
  if (sizes.has(-1)) by("filters").append(chip(-1, "Missing", "var(--error)"));
  const sick = data.nodes.filter((_, i) => model.issues(i).length).length;
  if (!sick) return;
  const only = make("button", { type: "button", class: "chip issues", "aria-pressed": "false" }, "Only with issues", make("span", {}, String(sick)));
  only.addEventListener("click", () => {
    state.onlyIssues = !state.onlyIssues;
    only.setAttribute("aria-pressed", String(state.onlyIssues));
    refresh();
  });
  by("filters").append(only);
}

function show(asTable) {
  state.table = asTable;
  document.body.classList.toggle("table", asTable);
  by("table-view").hidden = !asTable;
  by("show-graph").setAttribute("aria-pressed", String(!asTable));
  by("show-table").setAttribute("aria-pressed", String(asTable));
  by("hits").hidden = true;
  refresh();
}

function theme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  picture.recolor();
  ask();
}

function zoomBy(factor) {
  guided = false;
  const [sx, sy] = camera.toScreen(camera.x, camera.y);
  camera.zoomAt(sx, sy, factor);
  ask();
}

function keys(event) {
  if (event.key === "Escape") {
    if (by("search").value) { by("search").value = ""; search(); } else choose(null);
    return;
  }
  if (event.target.closest("input, button") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") { event.preventDefault(); by("search").focus(); }
  else if (event.key === "+" || event.key === "=") zoomBy(1.3);
  else if (event.key === "-") zoomBy(1 / 1.3);
  else if (event.key === "0") { camera.fit(points()); ask(); }
}

function start() {
  const errors = data.issues.filter((issue) => issue.severity === "error").length;
  const shared = [count(data.nodes.length, "node", "nodes"), count(data.links.length, "link", "links")];
  by("counts").textContent = [...shared, data.issues.length ? `${count(data.issues.length, "issue", "issues")}${errors ? ` (${count(errors, "error", "errors")})` : ""}` : "no issues"].join(" · ");
  if (!data.nodes.length) {
    document.body.classList.add("empty");
    by("empty").hidden = false;
    return;
  }
  filters();
  pointers();
  by("search").addEventListener("input", search);
  by("search").addEventListener("keydown", searchKey);
  by("search").addEventListener("blur", () => { by("hits").hidden = true; });
  by("show-graph").addEventListener("click", () => show(false));
  by("show-table").addEventListener("click", () => show(true));
  by("skip").addEventListener("click", () => { show(true); by("table-view").focus(); });
  by("theme").addEventListener("click", theme);
  by("zoom-in").addEventListener("click", () => zoomBy(1.3));
  by("zoom-out").addEventListener("click", () => zoomBy(1 / 1.3));
  by("zoom-fit").addEventListener("click", () => { camera.fit(points()); ask(); });
  addEventListener("keydown", keys);
  addEventListener("resize", () => { picture.resize(); ask(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { picture.recolor(); ask(); });
  open();
  ask();
}

/* A page about one node opens on it, and so does an address that names one. */
function open() {
  let wanted = "";
  try { wanted = decodeURIComponent(location.hash.slice(1)); } catch { /* a broken address names nothing */ }
  const named = wanted ? model.all.findIndex((node) => node.path === wanted) : -1;
  const first = named >= 0 ? named : data.root;
  if (first === null) return;
  for (let i = 0; i < 400 && !layout.settled(); i++) layout.tick();
  choose(first);
}
