/* Lays out the map of the graph on stdin, and prints boxes and labels. Letters are as wide as in no font in particular. */
const fs = require("fs"), path = require("path");
const parts = process.argv[2], width = Number(process.argv[3]), height = Number(process.argv[4]);
const WIDE = 0.56;

class Shape {
  constructor(tag) { Object.assign(this, { tag, attributes: {}, children: [], classList: { toggle() {} } }); }
  setAttribute(key, value) { this.attributes[key] = value; }
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
  get text() { return this.children.map((child) => (child instanceof Shape ? child.text : child)).join(""); }
}
const pen = { font: "", measureText(text) { return { width: text.length * parseFloat(/([\d.]+)px/.exec(this.font)[1]) * WIDE }; } };
globalThis.document = { createElement: () => ({ getContext: () => pen }), createElementNS: (_, tag) => new Shape(tag) };

const source = ["groups.js", "treemap.js", "map.js", "panel.js", "page.js"].map((name) => fs.readFileSync(path.join(parts, name), "utf8"));
const model = /function makeModel[\s\S]*?\n}\n/.exec(source[4])[0] + /function named[\s\S]*?\n}\n/.exec(source[4])[0] + 'const RANK = { error: 2, warn: 1, info: 0 };';
const data = JSON.parse(fs.readFileSync(0, "utf8"));
const drawn = new Function("data", "svg", source.slice(0, 3).join("\n") + model + `
  const model = makeModel(data), map = makeMap(svg, model), all = data.nodes.map((_, i) => i);
  const root = makeGroups(model.all, all, data.title);
  map.show(root);
  const plan = arrange(root, svg.clientWidth, svg.clientHeight, model.rank, model.kindOrder);
  return { boxes: plan.boxes, marks: plan.marks };`);
const svg = new Shape("svg");
Object.assign(svg, { clientWidth: width, clientHeight: height, namespaceURI: "" });
const { boxes, marks } = drawn(data, svg);

const labels = [];
(function walk(shape) {
  if (shape.tag === "text" && shape.text) {
    const { x, y, "font-size": size, "text-anchor": anchor } = shape.attributes, long = shape.text.length * size * WIDE;
    labels.push({ text: shape.text, x: anchor === "end" ? x - long : x, y: y - size * 0.8, w: long, h: size });
  }
  for (const child of shape.children) if (child instanceof Shape) walk(child);
})(svg);
const boxLabels = svg.children[0].children.map((group) => group.children[1].text);
console.log(JSON.stringify({
  boxes: boxes.map(({ group, depth, x, y, w, h }, n) => ({ label: boxLabels[n], name: group.name, path: group.path, more: Boolean(group.more), loose: Boolean(group.loose), size: group.size, depth, x, y, w, h })),
  marks: marks.map(({ page, x, y, font }) => ({ page, x, y, titled: Boolean(font) })),
  labels,
}));
