/* The page: which group is open, which page is chosen, what is filtered, and what has to be drawn again. */

const by = (id) => document.getElementById(id);
const data = JSON.parse(by("data").textContent);
const RANK = { error: 2, warn: 1, info: 0 };
const SHOWN_KINDS = 9;

const model = makeModel(data);
const state = { at: null, rest: null, chosen: null, hovered: null, words: "", hidden: new Set(), onlyFindings: false, table: false };
const svg = by("map");
const map = makeMap(svg, model);
const table = makeTable(model, (i) => choose(i));

start();

function makeModel(data) {
  const all = data.nodes, edges = [], out = all.map(() => []), into = all.map(() => []), lost = all.map(() => []);
  const found = all.map(() => []), seen = new Set();
  for (const link of data.links) {
    if (link.to === undefined) {
      if (["broken", "mismatch", "ambiguous"].includes(link.state)) lost[link.from].push(link);
      continue;
    }
    const edge = { a: link.from, b: link.to, kind: link.kind, line: link.line };
    if (edge.a === edge.b) continue;
    out[edge.a].push(edge);
    into[edge.b].push(edge);
    if (!seen.has(edge.a * all.length + edge.b)) { seen.add(edge.a * all.length + edge.b); edges.push(edge); }
  }
  for (const finding of data.issues) for (const i of finding.nodes) found[i].push(finding);
  const worst = found.map((list) => list.reduce((w, x) => (w === null || RANK[x.severity] > RANK[w] ? x.severity : w), null));
  return {
    all, edges,
    out: (i) => out[i],
    in: (i) => into[i],
    lost: (i) => lost[i],
    edgesOf: (i) => [...out[i], ...into[i]],
    issues: (i) => found[i],
    worst: (i) => worst[i],
    color: (i) => data.kinds[all[i].kind].color,
    kindLabel: (i) => data.kinds[all[i].kind].label,
    kindOrder: (i) => all[i].kind,
    name: (i) => named(all[i]),
    about: (i) => all[i].text || all[i].path,
    rank: (i) => into[i].length + out[i].length * 0.3 + (all[i].text ? 2 : 0) + (/(^|\/)(readme|index)\.\w+$/i.test(all[i].path) ? 1000 : 0),
  };
}

/* A README without a title of its own goes by its folder. */
function named({ title, path }) {
  const folder = path.split("/").slice(-2, -1)[0];
  return folder && /^(readme|index)$/i.test(title) ? folder : title;
}

function matches(i) {
  const page = model.all[i];
  const text = `${page.title}\n${page.path}\n${(page.tags || []).join(" ")}`.toLowerCase();
  return state.words.split(/\s+/).every((word) => text.includes(word));
}

function visible(i) {
  return !state.hidden.has(model.all[i].kind) && (!state.onlyFindings || model.issues(i).length > 0);
}

/* What stands out: the page in question and its neighbours, else what the search matches, else nothing. */
function makeLook() {
  const center = state.hovered ?? state.chosen;
  if (center !== null) {
    const near = new Set([center]);
    for (const edge of model.edgesOf(center)) near.add(edge.a).add(edge.b);
    return { center, chosen: state.chosen, dim: true, shown: (i) => near.has(i) };
  }
  if (!state.words) return { center, chosen: null, dim: false, shown: () => true };
  return { center, chosen: null, dim: true, shown: matches };
}

/* --- what is drawn ------------------------------------------------------------------------------------------------ */

function draw() {
  const shown = model.all.map((_, i) => i).filter(visible);
  if (state.table) {
    table.show(shown.filter((i) => !state.words || matches(i)));
    return;
  }
  const root = makeGroups(model.all, shown, data.title);
  const open = opened(root);
  crumbs(root, open);
  map.show(open);
  light();
}

function light() {
  if (!state.table) map.light(makeLook());
}

/* The open group; `rest` are the paths of groups that were too small to be drawn in it. */
function opened(root) {
  const group = find(root, state.at) || root;
  const rest = state.rest ? group.groups.filter((child) => state.rest.includes(child.path)) : [];
  return rest.length ? together(rest, group, group.path === WEB ? group.pages : []) : group;
}

function find(group, path) {
  if (path === null || group.path === path) return group;
  for (const child of group.groups) {
    const found = path === child.path || path.startsWith(child.path + "/") ? find(child, path) : null;
    if (found) return found;
  }
  return null;
}

function crumbs(root, open) {
  const trail = [];
  for (let group = open; group; group = group.up) trail.unshift(group);
  const parts = trail.map((group) => make("button", { type: "button", onclick: () => enter(group), "aria-current": group === open ? "location" : null }, group.name));
  by("crumbs").replaceChildren(...parts);
  by("crumbs").hidden = open === root;
}

function enter(group) {
  state.at = group.path || null;
  state.rest = group.more ? group.groups.map((child) => child.path) : null;
  state.hovered = null;
  by("tip").hidden = true;
  draw();
  by("said").textContent = `${group.path || group.name}: ${count(group.size, "document", "documents")}`;
}

function leave() {
  const buttons = [...by("crumbs").children];
  if (buttons.length > 1) buttons[buttons.length - 2].click();
}

function choose(i) {
  state.chosen = i;
  const panel = by("panel");
  panel.hidden = i === null;
  if (i !== null) {
    fillPanel(panel, model, i, choose, () => choose(null));
    panel.scrollTop = 0;
    if (!state.table) reveal(i);
    const place = map.place(i);
    panel.classList.toggle("left", !state.table && Boolean(place) && place.x > svg.clientWidth / 2);
    if (state.table) panel.focus();
    by("said").textContent = `${model.all[i].title}: ${count(model.issues(i).length, "finding", "findings")}`;
  }
  remember();
  light();
}

/* Opens folders until the page itself is drawn. */
function reveal(i) {
  if (!map.place(i)) { state.at = state.rest = null; draw(); }
  for (let at = map.place(i); at && at.group; at = map.place(i)) enter(at.group);
}

function remember() {
  const hash = state.chosen === null ? " " : "#" + encodeURIComponent(model.all[state.chosen].path);
  try { history.replaceState(null, "", hash === " " ? location.pathname + location.search : hash); } catch { /* opened from a place without an address */ }
}

/* --- search ------------------------------------------------------------------------------------------------------- */

function search() {
  const box = by("search"), list = by("hits");
  state.words = box.value.trim().toLowerCase();
  const hits = state.words ? model.all.map((_, i) => i).filter((i) => visible(i) && matches(i)) : [];
  hits.sort((a, b) => fit(b) - fit(a) || a - b);
  list.replaceChildren(...hits.slice(0, 7).map((i, n) => hitRow(i, n)));
  list.hidden = !hits.length || state.table;
  box.setAttribute("aria-expanded", String(!list.hidden));
  mark(0);
  by("said").textContent = state.words ? count(hits.length, "match", "matches") : "";
  if (state.table) draw(); else light();
}

function fit(i) {
  const title = model.all[i].title.toLowerCase();
  return (title.startsWith(state.words) ? 1e6 : title.includes(state.words) ? 5e5 : 0) + model.rank(i);
}

function hitRow(i, n) {
  const row = make("li", { role: "option", id: "hit-" + n, "aria-selected": "false" }, make("b", {}, model.all[i].title), make("span", { class: "path" }, model.all[i].path));
  row.addEventListener("mousedown", (event) => { event.preventDefault(); take(i); });
  row.page = i;
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
  else if (event.key === "Enter" && rows[at]) take(rows[at].page);
  else return;
  event.preventDefault();
}

/* --- pointer and keys --------------------------------------------------------------------------------------------- */

function at(event) {
  const frame = svg.getBoundingClientRect();
  return [event.clientX - frame.left, event.clientY - frame.top];
}

function pointers() {
  svg.addEventListener("pointermove", (event) => hover(...at(event), event));
  svg.addEventListener("pointerleave", () => { state.hovered = null; by("tip").hidden = true; light(); });
  svg.addEventListener("click", (event) => {
    const page = map.hit(...at(event)), group = map.groupAt(...at(event));
    if (page !== null) choose(page);
    else if (state.chosen !== null) choose(null);
    else if (group && !group.loose) enter(group);
  });
  svg.addEventListener("keydown", (event) => {
    const group = event.target.group;
    if (!group || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    enter(group);
  });
}

function hover(x, y, event) {
  const over = map.hit(x, y);
  svg.classList.toggle("pointing", over !== null || Boolean(map.groupAt(x, y)));
  if (over === null) by("tip").hidden = true;
  else fillTip(by("tip"), model, over, event.clientX, event.clientY);
  if (over === state.hovered) return;
  state.hovered = over;
  light();
}

function keys(event) {
  if (event.key === "Escape") {
    if (by("search").value) { by("search").value = ""; search(); } else if (state.chosen !== null) choose(null); else leave();
    return;
  }
  if (event.target.closest("input, button") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") { event.preventDefault(); by("search").focus(); }
  else if (event.key === "Backspace") leave();
}

/* --- controls ----------------------------------------------------------------------------------------------------- */

/* The legend is the filter: one button for each kind, the most frequent first. */
function filters() {
  const sizes = data.kinds.map(() => 0);
  for (const page of model.all) sizes[page.kind]++;
  const cited = new Set(model.all.filter((page) => page.url).map((page) => page.kind));
  const order = data.kinds.map((_, i) => i).sort((a, b) => cited.has(a) - cited.has(b) || sizes[b] - sizes[a]);
  const chips = order.map((kind) => chip(kind, sizes[kind]));
  by("filters").append(...chips.slice(0, SHOWN_KINDS));
  if (chips.length > SHOWN_KINDS) {
    const more = make("button", { type: "button", class: "chip" }, `${chips.length - SHOWN_KINDS} more kinds`);
    more.addEventListener("click", () => { more.replaceWith(...chips.slice(SHOWN_KINDS)); draw(); });
    by("filters").append(more);
  }
  const sick = data.nodes.filter((_, i) => model.issues(i).length).length;
  by("only").hidden = !sick;
  by("only").textContent = `Only documents with findings (${sick.toLocaleString("en")})`;
  by("only").addEventListener("click", () => {
    state.onlyFindings = !state.onlyFindings;
    by("only").setAttribute("aria-pressed", String(state.onlyFindings));
    draw();
  });
  const severities = new Set(data.issues.map((finding) => finding.severity));
  by("has-error").hidden = !severities.has("error");
  by("has-warning").hidden = !severities.has("warn");
}

function chip(kind, size) {
  const { label, color } = data.kinds[kind];
  const button = make("button", { type: "button", class: "chip", "aria-pressed": "true", color }, make("i"), label, make("span", {}, size.toLocaleString("en")));
  button.addEventListener("click", () => {
    const off = state.hidden.delete(kind);
    if (!off) state.hidden.add(kind);
    button.setAttribute("aria-pressed", String(off));
    draw();
  });
  return button;
}

function show(asTable) {
  state.table = asTable;
  document.body.classList.toggle("table", asTable);
  by("table-view").hidden = !asTable;
  by("show-map").setAttribute("aria-pressed", String(!asTable));
  by("show-table").setAttribute("aria-pressed", String(asTable));
  by("hits").hidden = true;
  by("tip").hidden = true;
  draw();
}

function theme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

/* --- the beginning ------------------------------------------------------------------------------------------------ */

function counts() {
  const pages = data.nodes.filter((page) => !page.url && !page.virtual).length, urls = data.nodes.filter((page) => page.url).length;
  const parts = [count(pages, "document", "documents"), count(data.links.length, "link", "links")];
  if (urls) parts.push(`${count(urls, "URL", "URLs")} cited`);
  for (const [severity, word] of [["error", "error"], ["warn", "warning"]]) {
    const found = data.issues.filter((finding) => finding.severity === severity).length;
    if (found) parts.push(count(found, word, word + "s"));
  }
  return parts.join(" · ");
}

function start() {
  if (!data.nodes.length) {
    document.body.classList.add("empty");
    by("empty").hidden = false;
    return;
  }
  by("counts").textContent = counts();
  filters();
  pointers();
  by("search").addEventListener("input", search);
  by("search").addEventListener("keydown", searchKey);
  by("search").addEventListener("blur", () => { by("hits").hidden = true; });
  by("show-map").addEventListener("click", () => show(false));
  by("show-table").addEventListener("click", () => show(true));
  by("skip").addEventListener("click", () => { show(true); by("table-view").focus(); });
  by("theme").addEventListener("click", theme);
  addEventListener("keydown", keys);
  addEventListener("resize", draw);
  draw();
  open();
}

/* A map about one page opens on it, and so does an address that names one. */
function open() {
  let wanted = "";
  try { wanted = decodeURIComponent(location.hash.slice(1)); } catch { /* a broken address names nothing */ }
  const named = wanted ? model.all.findIndex((page) => page.path === wanted) : -1;
  const first = named >= 0 ? named : data.root;
  if (first !== null) choose(first);
}
