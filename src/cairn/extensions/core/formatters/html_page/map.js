/* Draws the map as SVG, and finds what is under the pointer. */

const FEW_LINKS = 300, FEW_PAGES = 120; // so many can be drawn all at once
const FONT = "system-ui, -apple-system, Segoe UI, sans-serif";

function makeMap(svg, model) {
  const pen = document.createElement("canvas").getContext("2d");
  const map = { show, light, hit, groupAt, place: (i) => byPage.get(i) };
  const between = model.edges.filter(({ a, b }) => !model.all[a].url && !model.all[b].url);
  let plan = { boxes: [], marks: [] }, byPage = new Map(), shapes = new Map(), lines = null;
  return map;

  function draw(tag, attributes, ...children) {
    const shape = document.createElementNS(svg.namespaceURI, tag);
    for (const [key, value] of Object.entries(attributes)) if (value !== null) shape.setAttribute(key, value);
    shape.append(...children);
    return shape;
  }

  function show(group) {
    const width = svg.clientWidth, height = svg.clientHeight;
    plan = arrange(group, width, height, model.rank, model.kindOrder);
    byPage = new Map(plan.marks.flatMap((mark) => pagesIn(mark).map((page) => [page, mark])));
    shapes = new Map(plan.marks.map((mark) => [mark, mark.group ? nameShape(mark) : markShape(mark)]));
    lines = draw("g", { class: "lines", "aria-hidden": "true" });
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren(draw("g", {}, ...plan.boxes.map(boxShape)), lines, draw("g", {}, ...shapes.values()));
  }

  function boxShape({ group, depth, x, y, w, h }) {
    const count = group.size.toLocaleString("en"), { head, pad } = frame({ w, h }), base = round(y + head - 7);
    const { name, size, counted } = heading(group, w - 2 * pad, depth || head < 25, count);
    const shape = draw("g", { class: "group", tabindex: group.loose ? null : 0, role: group.loose ? null : "button", "aria-label": group.loose ? null : `Open ${group.path || group.name}, ${count} documents` },
      draw("rect", { x: round(x), y: round(y), width: round(w), height: round(h), rx: depth ? 6 : 9, class: `box-${Math.min(depth, 3)}` }),
      draw("text", { x: round(x + pad), y: base, class: "name", "font-size": size }, name),
      !counted ? "" : draw("text", { x: round(x + w - pad), y: base, class: "count", "font-size": 11, "text-anchor": "end" }, count));
    shape.group = group;
    return shape;
  }

  function nameShape({ group, x, y, font, wide }) {
    const counted = fitted(group.name, wide - 30, `${font}px ${FONT}`, group.short), cut = counted.length < 5 && counted !== group.name;
    const name = cut ? fitted(group.name, wide, `${font}px ${FONT}`, group.short) : counted;
    const shape = draw("g", { class: "mark folder", tabindex: 0, role: "button", "aria-label": `Open ${group.path}, ${group.size} documents` },
      draw("rect", { x: round(x - font * 0.4), y: round(y - font * 0.32), width: round(font * 0.8), height: round(font * 0.62), rx: 2 }),
      draw("text", { x: round(x + font * 0.75), y: round(y + font * 0.36), "font-size": font }, name, cut ? "" : draw("tspan", { class: "count", dx: 6 }, group.size.toLocaleString("en"))));
    shape.group = group;
    return shape;
  }

  /* The whole name comes first: smaller, or without the number, before it is cut. */
  function heading(group, room, depth, count) {
    const wide = depth ? 12.5 : 14;
    for (const [size, counted] of [[wide, true], [11.5, true], [11.5, false], [10.5, false]]) {
      const free = counted ? room - count.length * 6.4 - 8 : room;
      const text = fitted(group.name, free, `650 ${size}px ${FONT}`, group.short);
      if (text === group.name || text === group.short || size < 11) return { name: text, size, counted };
    }
  }

  function markShape({ page, x, y, r, font, text, wide, name }) {
    const worst = model.worst(page), rings = worst === "error" || worst === "warn";
    const shape = draw("g", { class: rings ? `mark ${worst}` : "mark", style: `--c:${model.color(page)}` }, draw("circle", { cx: round(x), cy: round(y), r: round(r) }));
    if (!font) return shape;
    const left = round(x + font * 0.8), title = fitted(within(model.name(page), name), wide, `${font}px ${FONT}`);
    shape.append(draw("text", { x: left, y: round(y + font * 0.36), "font-size": round(font) }, title));
    const small = font < 17 ? 12.5 : 14.5;
    paragraph(text ? model.about(page) : "", wide, text, `${small}px ${FONT}`).forEach((line, n) =>
      shape.append(draw("text", { x: left, y: round(y + font * 0.9 + 11 + n * LINE), "font-size": small, class: "about" }, line)));
    return shape;
  }

  /* In the group `billing`, the page `billing-refunds` is `refunds`. */
  function within(title, name) {
    const rest = title.startsWith(name) ? title.slice(name.length) : "";
    return /^[-/:. ]./.test(rest) ? rest.slice(rest[0] === "/" ? 0 : 1) : title;
  }

  function paragraph(text, room, most, font) {
    const lines = [];
    for (const word of text.split(" ")) {
      const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
      pen.font = font;
      if (lines.length && (lines.length === most || pen.measureText(longer).width <= room)) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines.slice(0, most).map((line) => fitted(line, room, font));
  }

  /* The text, or the short form of it, cut where the room ends. */
  function fitted(text, room, font, short = text) {
    pen.font = font;
    for (const form of [text, short]) if (pen.measureText(form).width <= room) return form;
    const letters = [...short];
    let low = 0, high = letters.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (pen.measureText(letters.slice(0, middle).join("") + "…").width <= room) low = middle; else high = middle - 1;
    }
    return low > 1 ? letters.slice(0, low).join("").trimEnd() + "…" : "";
  }

  /* Some pages stand out, with their links; without any, nothing does. */
  function light(look) {
    svg.classList.toggle("dim", look.dim);
    for (const [mark, shape] of shapes) {
      shape.classList.toggle("lit", look.dim && pagesIn(mark).some(look.shown));
      shape.classList.toggle("chosen", look.chosen !== null && mark.page === look.chosen);
    }
    const edges = look.center !== null ? model.edgesOf(look.center) : few() && !look.dim ? between : [];
    svg.classList.toggle("open", edges.length > 0 && plan.boxes.every((box) => box.depth === 0));
    lines.setAttribute("class", look.center !== null ? "lines" : edges.length < 60 ? "lines few" : "lines all");
    lines.replaceChildren(...edges.flatMap((edge) => curve(edge, look.center)));
  }

  function few() { return between.length <= FEW_LINKS && plan.marks.length <= FEW_PAGES; }

  function curve(edge, center) {
    const from = byPage.get(edge.a), to = byPage.get(edge.b);
    if (!from || !to || from === to) return [];
    const dx = to.x - from.x, dy = to.y - from.y, far = Math.hypot(dx, dy) || 1, bend = Math.min(far * 0.16, 90) / far;
    const side = (from.x + to.x) / 2 + dy * bend < Math.min(from.x, to.x) ? -1 : 1; // in a column, to the right
    const mx = (from.x + to.x) / 2 + dy * bend * side, my = (from.y + to.y) / 2 - dx * bend * side;
    const line = draw("path", { d: `M${round(from.x)} ${round(from.y)}Q${round(mx)} ${round(my)} ${round(to.x)} ${round(to.y)}` });
    if (center === null) return [line];
    const angle = Math.atan2(to.y - my, to.x - mx), tip = to.r + 2;
    const x = to.x - Math.cos(angle) * tip, y = to.y - Math.sin(angle) * tip;
    const wing = (turn) => `L${round(x - 8 * Math.cos(angle + turn))} ${round(y - 8 * Math.sin(angle + turn))}`;
    return [line, draw("path", { class: "head", d: `M${round(x)} ${round(y)}${wing(0.4)}${wing(-0.4)}Z` })];
  }

  function hit(x, y) {
    const over = markAt(x, y);
    return over && !over.group ? over.page : null;
  }

  function markAt(x, y) {
    return plan.marks.find(({ box }) => x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h);
  }

  function groupAt(x, y) {
    const named = markAt(x, y);
    if (named && named.group) return named.group;
    const over = plan.boxes.filter((box) => x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h);
    return over.length ? over[over.length - 1].group : null;
  }

  function round(number) { return Math.round(number * 10) / 10; }
}
