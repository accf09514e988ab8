/* The side panel, the tooltip, and a small way to make elements. Text is always set as text, never as HTML. */

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") element.addEventListener("click", value);
    else if (key === "color") element.style.setProperty("--c", value);
    else if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/* What stands between backticks is code. */
function prose(text) {
  return text.split("`").map((part, i) => (i % 2 ? make("code", {}, part) : part));
}

function count(number, one, many) { return `${number.toLocaleString("en")} ${number === 1 ? one : many}`; }

function fillPanel(panel, model, i, choose, close) {
  const node = model.all[i];
  panel.replaceChildren(
    make("button", { class: "close", type: "button", "aria-label": "Close", onclick: close }, "×"),
    make("span", { class: "kind", color: model.color(i) }, make("i"), model.kindLabel(i)),
    make("h2", {}, node.title),
    make("div", { class: "path" }, node.path),
  );
  if (node.text) panel.append(make("p", { class: "text" }, node.text));
  if (node.tags) panel.append(make("div", { class: "tags" }, ...node.tags.map((tag) => make("span", {}, "#" + tag))));
  const issues = model.issues(i);
  if (issues.length) panel.append(make("h3", {}, count(issues.length, "finding", "findings")), ...issues.map(issueBox));
  panel.append(...linkList(model, "Links to", model.out(i), (e) => e.b, choose));
  panel.append(...linkList(model, "Linked from", model.in(i), (e) => e.a, choose));
  if (model.lost(i).length) {
    const lost = model.lost(i).map((link) => make("li", { class: "path" }, link.line ? `${link.target} · line ${link.line}` : link.target));
    panel.append(make("h3", {}, "Names that lead nowhere here"), make("ul", { class: "links" }, ...lost));
  }
  if (node.urls) {
    const urls = node.urls.map((url) => make("li", { class: "path" }, url));
    panel.append(make("h3", {}, "On the web"), make("ul", { class: "links" }, ...urls));
  }
}

function issueBox(issue) {
  const place = issue.line ? `${issue.rule} · line ${issue.line}` : issue.rule;
  const box = make("div", { class: "issue " + issue.severity }, ...prose(issue.text), make("small", {}, place));
  if (issue.fix) box.append(make("small", {}, "→ ", ...prose(issue.fix)));
  return box;
}

function linkList(model, title, edges, end, choose) {
  const heading = make("h3", {}, `${title} · ${edges.length}`);
  if (!edges.length) return [heading, make("p", { class: "quiet" }, "None.")];
  const rows = edges.map((edge) => {
    const i = end(edge), node = model.all[i];
    const name = make("b", {}, node.title);
    const about = make("small", {}, edge.line ? `${edge.kind} · ${edge.line}` : edge.kind);
    const button = make("button", { type: "button", title: node.path, onclick: () => choose(i) });
    button.append(make("i", { color: model.color(i) }), name, about);
    return make("li", {}, button);
  });
  return [heading, make("ul", { class: "links" }, ...rows)];
}

function fillTip(tip, model, i, x, y) {
  const node = model.all[i], issues = model.issues(i);
  tip.replaceChildren(
    make("span", { class: "kind", color: model.color(i) }, make("i"), model.kindLabel(i)),
    make("b", {}, node.title),
    make("span", { class: "path" }, node.path === node.title ? "" : node.path),
  );
  const links = [count(model.out(i).length, "link", "links"), `linked from ${count(model.in(i).length, "document", "documents")}`];
  tip.append(make("div", { class: "quiet" }, links.join(" · ")));
  if (issues.length) {
    const shown = issues.slice(0, 3).map((issue) => make("li", { class: issue.severity }, issue.severity === "error" ? "✕ " : "! ", ...prose(issue.text)));
    if (issues.length > 3) shown.push(make("li", { class: "quiet" }, `and ${issues.length - 3} more`));
    tip.append(make("ul", {}, ...shown));
  }
  tip.hidden = false;
  tip.style.left = Math.max(8, Math.min(x + 16, innerWidth - tip.offsetWidth - 12)) + "px";
  tip.style.top = Math.max(8, Math.min(y + 16, innerHeight - tip.offsetHeight - 12)) + "px";
}
