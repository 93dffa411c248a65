
"use strict";
document.documentElement.classList.add("js");

// Filters and orders what a list has, within its groups.
for (const form of document.querySelectorAll("form[data-filter]")) {
  const list = document.getElementById(form.dataset.filter);
  const empty = form.parentElement.querySelector(".empty");
  const output = form.querySelector("output");
  const groups = [...list.querySelectorAll(":scope > .group")];
  const items = [...(groups.length ? list.querySelectorAll(":scope > .group > .finding") : list.children)].map(element => ({ element, text: element.textContent.toLowerCase() }));
  const show = () => {
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { element, text } of items) {
      const fits = ["outcome", "operation", "check"].every(name => {
        const want = form.elements[name]?.value;
        return !want || element.dataset[name].split("\n").includes(want);
      });
      element.hidden = !fits || !words.every(word => text.includes(word));
      shown += element.hidden ? 0 : 1;
    }
    for (const group of groups) group.hidden = !group.querySelector(":scope > .finding:not([hidden])");
    empty.hidden = shown > 0;
    output.value = shown === items.length ? "" : `${shown} of ${items.length}`;
  };
  const order = () => {
    const by = form.elements.order.value;
    const sorted = items.toSorted(({ element: { dataset: a } }, { element: { dataset: b } }) => {
      if (by === "count") return b.count - a.count || a.number - b.number;
      return (by === "number" ? 0 : a[by].localeCompare(b[by])) || a.number - b.number;
    });
    for (const { element } of sorted) element.parentElement.append(element);
  };
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("input", show);
  form.elements.order?.addEventListener("change", order);
  form.querySelector("[data-open]")?.addEventListener("click", event => {
    const open = event.target.textContent === "Open all";
    for (const { element } of items) element.open = open;
    event.target.textContent = open ? "Close all" : "Open all";
  });
  form.reset();
}

// Makes the columns of a table sortable.
for (const table of document.querySelectorAll("table[data-sortable]")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const rows = [...table.tBodies[0].rows];
    if (!rows.every(row => "value" in row.cells[column].dataset)) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.ariaSort ? head.ariaSort !== "ascending" : !("number" in head.dataset);
      for (const other of heads) other.removeAttribute("aria-sort");
      head.ariaSort = up ? "ascending" : "descending";
      const value = row => row.cells[column].dataset.value;
      const compare = "number" in head.dataset ? (a, b) => value(a) - value(b) : (a, b) => value(a).localeCompare(value(b));
      table.tBodies[0].append(...rows.toSorted((a, b) => up ? compare(a, b) : compare(b, a)));
    });
  });
}

// Copies a command.
document.addEventListener("click", async event => {
  const button = event.target.closest(".copy");
  if (!button) return;
  const command = button.previousElementSibling;
  let copied = true;
  try {
    await navigator.clipboard.writeText(command.textContent);
  } catch {
    getSelection().selectAllChildren(command);
    copied = document.execCommand("copy");
  }
  button.textContent = copied ? "Copied" : "Selected";
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
});

// The number of an operation's findings leads to them.
document.addEventListener("click", event => {
  const link = event.target.closest("[data-find]");
  const form = document.querySelector("form[data-filter=finding-list]");
  if (!link || !form) return;
  form.reset();
  form.elements.operation.value = link.dataset.find;
  form.elements.operation.dispatchEvent(new Event("input", { bubbles: true }));
});

// A link to a finding opens it.
const follow = () => { const at = document.getElementById(location.hash.slice(1)); if (at?.matches("details")) at.open = true; };
addEventListener("hashchange", follow);
follow();

// On paper everything is open.
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const element of closed) element.open = true;
});
addEventListener("afterprint", () => { for (const element of closed) element.open = false; });
