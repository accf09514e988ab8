/* Where everything stands: boxes for groups, rows with titles where there is room, and dots where there is not. */

const HEAD = 25, PAD = 9, GAP = 7, WIDER = 1.45;
const SMALLEST = 7000; // square pixels: below this, the name of a group can't be read
const ROOMY = 120000; // below this, a group with one large group in it is not divided
const NARROW = { w: 104, h: 52 }, ONE_DOT = { w: 20, h: 20 };
const DOMINANT = 8; // the first group gets at most so many times the room of all others together
const LINE = 19; // the height of a line of text in a card
const CARD = { high: 60, wide: 250 };
const ROWS = [
  { high: 31, wide: 200, font: 14 },
  { high: 25, wide: 165, font: 13 },
  { high: 21, wide: 132, font: 12.5 },
  { high: 18, wide: 112, font: 11.5 },
];
const SMALL_ROW = { high: 16.5, wide: 108, font: 11 };
const WIDEST_DOT = 11.5, CLEAR_DOT = 7.5;

/* `rank` orders the pages of a group, best first; `kind` sorts its dots. */
function arrange(root, width, height, rank, kind) {
  const boxes = [], marks = [];
  inside(root, { x: 0, y: 0, w: width, h: height }, 0);
  return { boxes, marks };

  function inside(group, room, depth) {
    const parts = divide(group, room, depth);
    if (!parts.length) return flat(allPages(group), room, group.name);
    readable(parts, room, depth).forEach(([part, at]) => {
      if (part.loose && depth) flat(part.pages, shrunk(at, GAP / 2, GAP / 2), group.name);
      else boxed(part, shrunk(at, GAP / 2, GAP / 2), depth);
    });
  }

  /* Each part with its place. A box that is too narrow for a name gets more room, a few times. */
  function readable(parts, room, depth) {
    for (let attempt = 0; ; attempt++) {
      const placed = squarify(parts, room).map((at, i) => [parts[i], at]);
      const least = (part) => (part.loose && depth ? ONE_DOT : NARROW);
      const narrow = placed.filter(([part, at]) => at.w < least(part).w || at.h < least(part).h);
      if (!narrow.length || attempt === 6) return placed;
      const wider = new Set(narrow.map(([part]) => part));
      parts = parts.map((part) => (wider.has(part) ? { ...part, weight: part.weight * 1.5 } : part)).sort((a, b) => b.weight - a.weight);
    }
  }

  function boxed(group, at, depth) {
    boxes.push({ group, depth, ...at });
    const room = { x: at.x + PAD, y: at.y + HEAD, w: at.w - 2 * PAD, h: at.h - HEAD - PAD + 2 };
    if (group.more) names(group, room);
    else if (group.loose) flat(group.pages, room, group.name);
    else inside(group, { x: room.x - GAP / 2, y: room.y, w: room.w + GAP, h: room.h + GAP / 2 }, depth + 1);
  }

  /* The groups that are large enough to be read; the small ones together; the pages that are in none. */
  function divide(group, room, depth) {
    const share = (weight) => (room.w * room.h * weight) / group.weight;
    const large = group.groups.filter((child) => share(child.weight) >= SMALLEST);
    const small = group.groups.filter((child) => share(child.weight) < SMALLEST);
    if (!large.length || (depth && large.length === 1 && room.w * room.h < ROOMY)) return [];
    const loose = { loose: true, name: "top level", path: group.path, groups: [], pages: [...group.pages] };
    const weight = small.reduce((sum, child) => sum + child.weight, 0);
    const others = small.length > 1 && share(weight) >= SMALLEST, parts = [...large];
    if (others) parts.push({ ...together(small, group), weight: Math.min(weight, 4 * Math.min(...large.map((child) => child.weight))) });
    else loose.pages.push(...small.flatMap(allPages));
    if (loose.pages.length) parts.push({ ...loose, size: loose.pages.length, weight: loose.pages.length ** 0.88 + 1 });
    return lifted(parts).sort((a, b) => b.weight - a.weight);
  }

  /* Beside one huge group the others would be slivers. */
  function lifted(parts) {
    const first = Math.max(...parts.map((part) => part.weight)), rest = parts.reduce((sum, part) => sum + part.weight, 0) - first;
    const up = first / DOMINANT / rest;
    return up > 1 ? parts.map((part) => (part.weight === first ? part : { ...part, weight: part.weight * up })) : parts;
  }

  function flat(pages, room, name) {
    const ordered = [...pages].sort((a, b) => rank(b) - rank(a) || a - b);
    if (Math.floor(room.w / CARD.wide) * Math.floor(room.h / CARD.high) >= pages.length) return cards(ordered, room, name);
    const row = ROWS.find((row) => Math.floor(room.w / row.wide) * Math.floor(room.h / row.high) >= pages.length);
    if (row) return rows(ordered, room, row, name);
    const high = titled(ordered.length, room);
    const first = Math.min(ordered.length, Math.round(high / SMALL_ROW.high) * columns(room));
    rows(ordered.slice(0, first), { ...room, h: high }, SMALL_ROW, name);
    dots(ordered.slice(first), { ...room, y: room.y + high + 2, h: room.h - high - 2 });
  }

  function columns(room) { return Math.max(1, Math.floor(room.w / SMALL_ROW.wide)); }

  /* How much height titles may take: as much as leaves the other pages dots that can be told apart. */
  function titled(count, room) {
    for (let lines = Math.floor(room.h / SMALL_ROW.high); lines > 0; lines--) {
      const rest = count - lines * columns(room), high = lines * SMALL_ROW.high;
      if (pitch(rest, room.w, room.h - high - 2) >= CLEAR_DOT) return high;
    }
    return 0;
  }

  /* A few pages, each with the beginning of its text. */
  function cards(pages, room, name) {
    const most = Math.floor(room.h / CARD.high), across = Math.max(Math.ceil(pages.length / most), Math.min(pages.length, Math.floor(room.w / 420)));
    const lines = Math.ceil(pages.length / across), wide = room.w / across, high = room.h / lines;
    const font = Math.max(14, Math.min(20, high / 6)), text = Math.max(1, Math.min(5, Math.floor((high - font * 2.6) / LINE)));
    pages.forEach((page, n) => {
      const x = room.x + Math.floor(n / lines) * wide, y = room.y + (n % lines) * high;
      marks.push({ page, name, x: x + font * 0.45, y: y + font * 0.8, r: font * 0.36, font, text, wide: Math.min(wide, 620) - font * 2.4, box: { x, y, w: wide, h: high } });
    });
  }

  /* Groups that are too small for boxes, by name, the largest first; the last row stands for those without one. */
  function names(group, room) {
    const sorted = [...group.groups].sort((a, b) => b.size - a.size);
    const fit = columns(room) * Math.max(1, Math.floor(room.h / SMALL_ROW.high));
    const shown = sorted.length > fit ? [...sorted.slice(0, fit - 1), together(sorted.slice(fit - 1), group.up)] : sorted;
    const first = marks.length;
    rows(shown, room, [...ROWS, SMALL_ROW].find((row) => Math.floor(room.w / row.wide) * Math.floor(room.h / row.high) >= shown.length) || SMALL_ROW, "");
    for (const mark of marks.slice(first)) Object.assign(mark, { group: mark.page, page: null });
  }

  function rows(pages, room, row, name) {
    const fit = Math.max(1, Math.floor(room.h / row.high)), across = Math.ceil(pages.length / fit) || 1;
    const lines = Math.ceil(pages.length / across), wide = room.w / across;
    const high = row === SMALL_ROW ? row.high : Math.min(row.high * 1.3, room.h / lines);
    pages.forEach((page, n) => {
      const x = room.x + Math.floor(n / lines) * wide, y = room.y + (n % lines) * high;
      marks.push({ page, name, x: x + row.font * 0.4, y: y + high / 2, r: row.font * 0.33, font: row.font, text: 0, wide: wide - row.font * 1.5, box: { x, y, w: wide, h: high } });
    });
  }

  function dots(pages, room) {
    const step = pitch(pages.length, room.w, room.h), across = Math.max(1, Math.floor(room.w / step));
    [...pages].sort((a, b) => kind(a) - kind(b) || a - b).forEach((page, n) => {
      const x = room.x + (n % across) * step, y = room.y + Math.floor(n / across) * step;
      marks.push({ page, x: x + step / 2, y: y + step / 2, r: step * 0.36, font: 0, box: { x, y, w: step, h: step } });
    });
  }
}

/* The widest distance at which so many dots have room. */
function pitch(count, width, height) {
  if (count <= 0) return WIDEST_DOT;
  for (let step = WIDEST_DOT; step > 2; step -= 0.5) if (Math.floor(width / step) * Math.floor(height / step) >= count) return step;
  return Math.max(0.5, Math.min(height, Math.sqrt((Math.max(width, 1) * Math.max(height, 1)) / count) * 0.9));
}

function shrunk(at, dx, dy) {
  return { x: at.x + dx, y: at.y + dy, w: Math.max(1, at.w - 2 * dx), h: Math.max(1, at.h - 2 * dy) };
}

/* A squarified treemap (Bruls, Huizing, van Wijk 2000), of boxes a little wider than high, as text wants them. */
function squarify(parts, room) {
  const total = parts.reduce((sum, part) => sum + part.weight, 0);
  const free = { x: room.x, y: 0, w: room.w, h: room.h * WIDER }, placed = [];
  const area = (part) => (part.weight / total) * room.w * room.h * WIDER;
  let line = [];
  for (const part of parts) {
    const side = Math.min(free.w, free.h), size = area(part);
    if (line.length && worst([...line, size], side) > worst(line, side)) { place(line, free, placed); line = []; }
    line.push(size);
  }
  place(line, free, placed);
  return placed.map((at) => ({ x: at.x, y: room.y + at.y / WIDER, w: at.w, h: at.h / WIDER }));
}

function worst(line, side) {
  const sum = line.reduce((a, b) => a + b, 0), thick = sum / side;
  return Math.max(...line.map((size) => Math.max(thick / (size / thick), size / thick / thick)));
}

function place(line, free, placed) {
  const upright = free.w >= free.h, side = upright ? free.h : free.w;
  const thick = line.reduce((a, b) => a + b, 0) / side;
  let at = 0;
  for (const size of line) {
    const long = size / thick;
    placed.push(upright ? { x: free.x, y: free.y + at, w: thick, h: long } : { x: free.x + at, y: free.y, w: long, h: thick });
    at += long;
  }
  if (upright) { free.x += thick; free.w -= thick; } else { free.y += thick; free.h -= thick; }
}
