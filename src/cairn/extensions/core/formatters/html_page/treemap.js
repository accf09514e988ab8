/* Where everything stands: boxes for groups, rows with titles where there is room, and dots where there is not. */

const GAP = 7, WIDER = 1.45;
const SMALLEST = 3400; // square pixels: below this, the name of a group can't be read
const ROOMY = 7000; // from here on, a group has room for its name and for titles
const TITLE = 2100; // for a title beside others
const LENT = 0.22; // the share of the room that small groups may get beyond their own
const NARROW = { w: 84, h: 34 }, ONE_DOT = { w: 20, h: 20 };
const DEEPEST = 3, MOST = 0.7; // boxes stand in boxes so deep, and where they hold this share of the documents
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
    const parts = group.more ? [] : divide(group, room, depth);
    if (!parts.length) return flat(group.groups, group.pages, room, group.name);
    readable(parts, room, depth).forEach(([part, at]) => {
      if (part.loose && depth) flat(part.groups, part.pages, shrunk(at, GAP / 2, GAP / 2), group.name);
      else boxed(part, shrunk(at, GAP / 2, GAP / 2), depth);
    });
  }

  /* Each part with its place. A box that is too narrow for a name gets more room, a few times. */
  function readable(parts, room, depth) {
    for (let attempt = 0; ; attempt++) {
      const placed = squarify(parts, room).map((at, i) => [parts[i], at]);
      const least = (part) => (part.loose && depth ? ONE_DOT : NARROW);
      const narrow = placed.filter(([part, at]) => at.w < least(part).w || at.h < least(part).h);
      if (!narrow.length || attempt === 4) return placed;
      const wider = new Set(narrow.map(([part]) => part));
      parts = parts.map((part) => (wider.has(part) ? { ...part, weight: part.weight * 1.5 } : part)).sort((a, b) => b.weight - a.weight);
    }
  }

  function boxed(group, at, depth) {
    const { head, pad } = frame(at);
    boxes.push({ group, depth, ...at });
    const room = { x: at.x + pad, y: at.y + head, w: at.w - 2 * pad, h: at.h - head - pad + 2 };
    if (group.more || group.loose) flat(group.groups, group.pages, room, group.name);
    else inside(group, { x: room.x - GAP / 2, y: room.y, w: room.w + GAP, h: room.h + GAP / 2 }, depth + 1);
  }

  /* The groups that are large enough to be read, and the rest: small groups, and the pages that are in none. */
  function divide(group, room, depth) {
    const share = (weight) => (room.w * room.h * weight) / group.weight;
    if (depth > DEEPEST || (depth && !worthIt(group, room, share))) return [];
    const large = legible(group.groups, share, room, depth), small = group.groups.filter((child) => !large.has(child));
    const parts = [...large].map(([child, weight]) => ({ ...child, weight }));
    if (!parts.length) return [];
    const loose = { loose: true, name: "top level", path: group.path, groups: [], pages: group.pages };
    const hosts = group.path === WEB, alone = hosts ? group.pages : [];
    if (small.length + alone.length && (hosts || !depth)) parts.push(together(small, group, alone));
    else loose.groups = small;
    const size = hosts ? 0 : small.reduce((sum, child) => sum + (depth ? child.size : 0), group.pages.length);
    if (size) parts.push({ ...loose, size, weight: Math.max(size, depth ? 0 : (SMALLEST + Math.min(size, 10) * TITLE) / share(1)) });
    return lifted(parts).sort((a, b) => b.weight - a.weight);
  }

  /* Boxes within a box: where most documents get one, and where titles have room in them or none without them. */
  function worthIt(group, room, share) {
    const boxed = group.groups.filter((child) => share(child.weight) >= SMALLEST), roomy = boxed.filter((child) => share(child.weight) >= ROOMY);
    const inBoxes = boxed.reduce((sum, child) => sum + child.weight, 0) / group.weight;
    if (inBoxes < MOST || boxed.length + (inBoxes < 1) < 2) return false;
    return roomy.length > 1 || fits(ROWS.at(-1), room) < group.size;
  }

  /* Groups that get a box, with their weight. A small one is lent the room for its name, as long as there is some to
     lend: first to folders that people know, then to large ones. */
  function legible(groups, share, room, depth) {
    const found = new Map(), least = SMALLEST / share(1);
    let lent = room.w * room.h * LENT;
    const order = [...groups].sort((a, b) => isKnown(b) - isKnown(a) || b.weight - a.weight);
    for (const group of order) {
      const lack = SMALLEST - share(group.weight);
      if (lack > 0 && (depth || lack > lent)) continue;
      lent -= Math.max(0, lack);
      found.set(group, Math.max(group.weight, least));
    }
    return found;
  }

  /* Beside one huge group the others would be slivers. */
  function lifted(parts) {
    const first = Math.max(...parts.map((part) => part.weight)), rest = parts.reduce((sum, part) => sum + part.weight, 0) - first;
    const up = first / DOMINANT / rest;
    return up > 1 ? parts.map((part) => (part.weight === first ? part : { ...part, weight: part.weight * up })) : parts;
  }

  /* Pages, and groups that have no box. */
  function flat(groups, pages, room, name) {
    const best = (pages) => [...pages].sort((a, b) => rank(b) - rank(a) || a - b);
    const all = best([...pages, ...groups.flatMap(allPages)]), items = [...pages.map((page) => ({ page })), ...groups.map((group) => ({ group }))];
    if (fits(CARD, room) >= all.length && name !== WEB) return cards(all, room, name);
    const whole = name !== WEB && ROWS.find((row) => fits(row, room) >= all.length);
    if (whole) return rows(all.map((page) => ({ page })), room, whole, name);
    items.sort((a, b) => worth(b) - worth(a)).push(...best(groups.flatMap(allPages)).map((page) => ({ page })));
    const high = titled(items, room), first = Math.min(items.length, Math.round(high / SMALL_ROW.high) * columns(room));
    rows(items.slice(0, first), { ...room, h: high }, SMALL_ROW, name);
    dots(untitled(items, first), { ...room, y: room.y + high + 2, h: room.h - high - 2 });
  }

  /* The pages behind the first items: they have no title. */
  function untitled(items, first) { return items.slice(first).flatMap(({ page = [] }) => page); }

  /* A README comes first, then groups by size, then pages. */
  function worth({ page, group }) { return group ? 500 + group.size : rank(page) - page * 1e-6; }

  function fits(row, room) { return Math.floor(room.w / row.wide) * Math.floor(room.h / row.high); }

  function columns(room) { return Math.max(1, Math.floor(room.w / SMALL_ROW.wide)); }

  /* How much height titles may take: as much as leaves the other pages dots that can be told apart. */
  function titled(items, room) {
    const most = Math.ceil(items.length / columns(room));
    for (let lines = Math.min(most, Math.floor(room.h / SMALL_ROW.high)); lines > 0; lines--) {
      const rest = untitled(items, lines * columns(room)).length, high = lines * SMALL_ROW.high;
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

  function rows(items, room, row, name) {
    const fit = Math.max(1, Math.floor(room.h / row.high)), across = Math.ceil(items.length / fit) || 1;
    const lines = Math.ceil(items.length / across), wide = room.w / across;
    const high = row === SMALL_ROW ? row.high : Math.min(row.high * 1.3, room.h / lines);
    items.forEach(({ page = null, group = null }, n) => {
      const x = room.x + Math.floor(n / lines) * wide, y = room.y + (n % lines) * high;
      marks.push({ page, group, name, x: x + row.font * 0.4, y: y + high / 2, r: row.font * 0.33, font: row.font, text: 0, wide: wide - row.font * 1.5, box: { x, y, w: wide, h: high } });
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

function pagesIn({ page, group }) { return group ? allPages(group) : [page]; }

/* The height of a box's heading, and the distance of its content from its edge. */
function frame(at) {
  return at.w * at.h < ROOMY || at.h < 60 ? { head: 19, pad: 6 } : { head: 25, pad: 9 };
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
