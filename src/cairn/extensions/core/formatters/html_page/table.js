/* The same graph as a table: for the keyboard, for screen readers, and for sorting. */

const COLUMNS = [
  { id: "title", label: "Title", value: (m, i) => m.all[i].title.toLowerCase() },
  { id: "kind", label: "Kind", value: (m, i) => m.kindLabel(i) },
  { id: "in", label: "Linked from", number: true, value: (m, i) => m.in(i).length },
  { id: "out", label: "Links to", number: true, value: (m, i) => m.out(i).length },
  { id: "issues", label: "Findings", number: true, value: (m, i) => m.issues(i).length + (m.worst(i) === "error" ? 0.5 : 0) },
];
const PAGE_OF_ROWS = 500;

function makeTable(model, choose) {
  const head = document.getElementById("table-head"), body = document.getElementById("table-body");
  const caption = document.getElementById("table-caption"), more = document.getElementById("table-more");
  let sort = { column: COLUMNS[0], up: true }, rows = [], shown = 0;
  const buttons = COLUMNS.map((column) => {
    const cell = make("th", { scope: "col", class: column.number ? "number" : null }, make("button", { type: "button", onclick: () => sortBy(column) }, column.label));
    head.append(cell);
    return cell;
  });
  more.addEventListener("click", append);
  return { show };

  function sortBy(column) {
    sort = { column, up: sort.column === column ? !sort.up : !column.number };
    show(rows);
  }

  function show(wanted) {
    const { column, up } = sort;
    rows = [...wanted].sort((a, b) => {
      const left = column.value(model, a), right = column.value(model, b);
      return (left < right ? -1 : left > right ? 1 : 0) * (up ? 1 : -1) || a - b;
    });
    buttons.forEach((cell, i) => cell.setAttribute("aria-sort", COLUMNS[i] !== column ? "none" : up ? "ascending" : "descending"));
    caption.textContent = count(rows.length, "document", "documents");
    body.replaceChildren();
    shown = 0;
    append();
  }

  function append() {
    body.append(...rows.slice(shown, shown + PAGE_OF_ROWS).map(row));
    shown = Math.min(rows.length, shown + PAGE_OF_ROWS);
    more.hidden = shown >= rows.length;
  }

  function row(i) {
    const node = model.all[i], issues = model.issues(i).length, worst = model.worst(i);
    const name = make("button", { type: "button", onclick: () => choose(i) }, node.title);
    return make("tr", {},
      make("td", {}, name, make("div", { class: "path" }, node.path)),
      make("td", {}, make("span", { class: "kind", color: model.color(i) }, make("i"), model.kindLabel(i))),
      make("td", { class: "number" }, String(model.in(i).length)),
      make("td", { class: "number" }, String(model.out(i).length)),
      make("td", { class: "number " + (worst === "error" ? "bad" : worst === "warn" ? "meh" : "") }, String(issues)),
    );
  }
}
