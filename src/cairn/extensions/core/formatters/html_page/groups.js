/* The groups of the map: a tree of folders, each with its own pages and the folders below it. */

const WEB = "on the web";

/* Of these pages, which are numbers in `all`. */
function makeGroups(all, pages, title) {
  const root = newGroup(title, "", null);
  for (const page of pages) {
    let group = root;
    for (const name of folders(all[page].path)) group = below(group, name);
    group.pages.push(page);
  }
  fold(root);
  measure(root);
  return root;
}

function newGroup(name, path, up) {
  return { name, path, up, byName: new Map(), groups: [], pages: [], size: 0, weight: 0 };
}

/* A URL belongs to its host; anything else to the folders in its path. */
function folders(path) {
  const url = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/.exec(path);
  if (url) return url[1].startsWith("http") ? [WEB, url[2]] : [url[1]];
  return path.split("/").slice(0, -1);
}

function below(group, name) {
  if (!group.byName.has(name)) group.byName.set(name, newGroup(name, group.path ? `${group.path}/${name}` : name, group));
  return group.byName.get(name);
}

/* A folder with one page is not a group. `a` with nothing in it but `b` is the group `a/b`, and `a` with hardly
   anything else in it has the pages of `b`. */
function fold(group) {
  for (let child of group.byName.values()) {
    fold(child);
    while (child.groups.length === 1 && child.pages.length < 3 && child.name !== WEB) {
      const only = child.groups[0];
      const name = child.pages.length ? child.name : `${child.name}/${only.name}`;
      only.pages.push(...child.pages);
      child = Object.assign(only, { name, up: group });
    }
    if (!child.groups.length && child.pages.length === 1 && group.up) group.pages.push(child.pages[0]);
    else group.groups.push(child);
  }
  group.byName = null;
  shorten(group.groups);
}

/* For a box that is too narrow for `a/b`: `…/b`, or `a/…` where others end in `b` as well. */
function shorten(groups) {
  const last = (group) => group.name.split("/").pop(), ends = new Map();
  for (const group of groups) ends.set(last(group), (ends.get(last(group)) || 0) + 1);
  for (const group of groups.filter((group) => group.name.includes("/")))
    group.short = ends.get(last(group)) > 1 ? group.name.slice(0, -last(group).length) + "…" : "…/" + last(group);
}

/* The room of a group follows its number of documents. The map is about those: URLs get a strip. */
function measure(group) {
  group.size = group.pages.length;
  for (const child of group.groups) group.size += measure(child);
  group.weight = group.pages.length + group.groups.reduce((sum, child) => sum + child.weight, 0);
  const web = group.up ? null : group.groups.find(inWeb), documents = group.size - (web ? web.size : 0);
  if (web && documents) {
    rescale(web, Math.min(0.4, Math.max(2, documents * 0.12) / web.size));
    group.weight = documents + web.weight;
  }
  return group.size;
}

function rescale(group, factor) {
  group.weight *= factor;
  for (const child of group.groups) rescale(child, factor);
}

function inWeb(group) { return group.path === WEB || group.path.startsWith(WEB + "/"); }

/* Folders that people look for are drawn before others. */
const KNOWN = /^(docs?|documentation|knowledge|src|\.claude|\.codex|\.cursor|\.github|agents|skills|commands|plugins)$/i;

function isKnown(group) { return group.name.split("/").some((part) => KNOWN.test(part)); }

function allPages(group) {
  return [...group.pages, ...group.groups.flatMap(allPages)];
}

/* Several groups of one, as a group; a page on the web that is alone on its host counts as one. */
function together(groups, up, pages) {
  const sum = (what, own) => groups.reduce((total, group) => total + group[what], own);
  const word = up.path === WEB ? "hosts" : "folders", weight = sum("weight", (pages.length * up.weight) / up.size);
  return { more: true, name: `${groups.length + pages.length} more ${word}`, path: up.path, up, groups, pages, size: sum("size", pages.length), weight };
}
