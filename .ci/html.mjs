// Looks at the page of a report; see .ci/html.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { browse, contrast, unnamed } from "./browser.mjs";

const [, , file, pictures] = process.argv;
const page = pathToFileURL(file).href;

await browse(page, { allowed: url => url === page || url.startsWith("data:"), pictures }, async ({ send, evaluate, picture, wrong, profile }) => {
  for (const scheme of ["light", "dark"]) {
    await send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
    await evaluate("document.querySelectorAll('.finding').forEach(e => { e.open = true; })");
    const [ratio, where] = await evaluate(contrast);
    assert.ok(ratio >= 4.5, `${scheme}: contrast ${ratio} of ${where}`);
    await picture(scheme + "-open");
    await evaluate("document.querySelectorAll('.finding').forEach(e => { e.open = false; })");
    await picture(scheme);
  }
  await send("Emulation.setEmulatedMedia", { features: [] });
  assert.ok(await evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than its window");

  // Everything that can be pressed or filled has a name.
  assert.deepEqual(await unnamed(send), []);

  const findings = await evaluate("document.querySelectorAll('.finding').length");
  const shown = "[...document.querySelectorAll('.finding:not([hidden])')].map(e => e.dataset.number).join()";
  if (findings > 1) {
    const set = (name, value) => evaluate(`{ const e = document.forms[0].elements.${name}; e.value = ${JSON.stringify(value)}; for (const type of ["input", "change"]) e.dispatchEvent(new Event(type, { bubbles: true })); }`);
    await set("text", "PUT in-time");
    assert.equal(await evaluate(shown), "6");
    await set("text", "");
    await set("outcome", "error");
    assert.equal(await evaluate(shown), "1,2,3,4");
    await set("check", "body");
    assert.equal(await evaluate(shown), "2");
    assert.equal(await evaluate("document.forms[0].querySelector('output').value"), `1 of ${findings}`);
    await set("text", "nothing is like this");
    assert.equal(await evaluate("document.querySelector('#findings .empty').hidden"), false);
    for (const name of ["text", "outcome", "check"]) await set(name, "");
    await set("order", "count");
    assert.equal(await evaluate(shown), "1,3,2,4,6,5");
    await evaluate("document.querySelector('[data-open]').click()");
    assert.equal(await evaluate("document.querySelectorAll('.finding[open]').length"), findings);
    await evaluate("document.querySelector('[data-open]').click()");

    const column = "[...document.querySelectorAll('#operation-list tr')].map(row => row.cells[2].dataset.value).join()";
    await evaluate("document.querySelectorAll('table')[0].tHead.rows[0].cells[2].querySelector('button').click()");
    assert.equal(await evaluate(column), "8000,4000,12,3,0");
    await evaluate("document.querySelectorAll('table')[0].tHead.rows[0].cells[2].querySelector('button').click()");
    assert.equal(await evaluate(column), "0,3,12,4000,8000");
    await evaluate("document.querySelector('[data-find]').click()");
    assert.match(await evaluate("document.forms[0].elements.operation.value"), /^(POST|PUT) /);

    await send("Browser.grantPermissions", { permissions: ["clipboardReadWrite", "clipboardSanitizedWrite"], browserContextId: profile });
    await evaluate("document.querySelector('#finding-1').open = true; window.focus(); document.querySelector('#finding-1 .copy').click()");
    const pressed = "document.querySelector('#finding-1 .copy').textContent";
    while (await evaluate(pressed) === "Copy");
    assert.equal(await evaluate(pressed), "Copied");
  }
  if (findings) {
    const { data } = await send("Page.printToPDF", { printBackground: false });
    if (pictures) writeFileSync(`${pictures}.pdf`, Buffer.from(data, "base64"));
  }
  assert.deepEqual(wrong, []);
  console.log(`${file.split("/").slice(-2).join("/")}: ${findings} findings, as it should be`);
});
