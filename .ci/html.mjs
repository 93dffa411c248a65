// Drives a browser over its debugging pipe; see .ci/html.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , file, pictures] = process.argv;
const page = pathToFileURL(file).href;
const profile = mkdtempSync(join(tmpdir(), "page-"));
const browser = spawn(process.env.CHROMIUM, [
  "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run", "--disable-component-update",
  "--hide-scrollbars", `--user-data-dir=${profile}`, "about:blank",
], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const limit = setTimeout(() => { console.error("the browser takes too long"); browser.kill("SIGKILL"); process.exit(1); }, 60_000);

// Messages on the pipe are JSON, each ended by a NUL.
const waiting = new Map(), listeners = [];
let id = 0, session, rest = "";
browser.stdio[4].setEncoding("utf8").on("data", chunk => {
  const parts = (rest + chunk).split("\0");
  rest = parts.pop();
  for (const message of parts.map(JSON.parse)) {
    if (!message.id) { listeners.forEach(listen => listen(message)); continue; }
    const { resolve, reject } = waiting.get(message.id);
    message.error ? reject(new Error(message.error.message)) : resolve(message.result);
  }
});
const send = (method, params = {}) => new Promise((resolve, reject) => {
  waiting.set(++id, { resolve, reject });
  browser.stdio[3].write(JSON.stringify({ id, method, params, sessionId: session }) + "\0");
});
const evaluate = async expression => {
  const { result, exceptionDetails } = await send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true, userGesture: true });
  assert.equal(exceptionDetails, undefined, exceptionDetails?.exception?.description);
  return result.value;
};
const picture = async name => {
  if (!pictures) return;
  const { data } = await send("Page.captureScreenshot", { captureBeyondViewport: true });
  writeFileSync(`${pictures}-${name}.png`, Buffer.from(data, "base64"));
};

// The least contrast of a text with its ground (WCAG 2.2 section 1.4.3).
const contrast = `(() => {
  const parse = text => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(c => c / 255).map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
  const ground = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c[3] !== 0) return c; } return [255, 255, 255]; };
  let worst = [99, ""];
  for (const e of document.body.querySelectorAll("*")) {
    if (e.matches("script, meter, option") || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility()) continue;
    const [a, b] = [light(parse(getComputedStyle(e).color)), light(ground(e))].sort((a, b) => b - a);
    const ratio = (a + .05) / (b + .05);
    if (ratio < worst[0]) worst = [ratio, e.tagName + "." + e.className + ": " + e.textContent.trim().slice(0, 40)];
  }
  return worst;
})()`;

try {
  const wrong = [];
  listeners.push(({ method, params }) => {
    if (method === "Network.requestWillBeSent" && params.request.url !== page && !params.request.url.startsWith("data:")) wrong.push("asks for " + params.request.url);
    if (method === "Runtime.consoleAPICalled") wrong.push("logs " + JSON.stringify(params.args));
    if (method === "Runtime.exceptionThrown") wrong.push("throws " + params.exceptionDetails.exception?.description);
    if (method === "Log.entryAdded") wrong.push("logs " + params.entry.text);
    if (method === "Page.javascriptDialogOpening") wrong.push("opens a dialog: " + params.message);
  });
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  session = (await send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await send(domain + ".enable");
  await send("Emulation.setDeviceMetricsOverride", { width: 1200, height: 900, deviceScaleFactor: 1, mobile: false });
  const loaded = new Promise(resolve => listeners.push(({ method }) => method === "Page.loadEventFired" && resolve()));
  await send("Page.navigate", { url: page });
  await loaded;

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
  const { nodes } = await send("Accessibility.getFullAXTree");
  for (const node of nodes) {
    if (["button", "link", "searchbox", "combobox", "meter", "table"].includes(node.role?.value) && !node.ignored && node.role.value !== "table") {
      assert.ok(node.name?.value, `a ${node.role.value} without a name`);
    }
  }

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
    assert.equal(await evaluate(shown), "1,6,5,3,2,4");
    await evaluate("document.querySelector('[data-open]').click()");
    assert.equal(await evaluate("document.querySelectorAll('.finding[open]').length"), findings);
    await evaluate("document.querySelector('[data-open]').click()");

    const column = "[...document.querySelectorAll('#operation-list tr')].map(row => row.cells[2].dataset.value).join()";
    await evaluate("document.querySelectorAll('table')[0].tHead.rows[0].cells[2].querySelector('button').click()");
    assert.equal(await evaluate(column), "8000,4000,12,3,0");
    await evaluate("document.querySelectorAll('table')[0].tHead.rows[0].cells[2].querySelector('button').click()");
    assert.equal(await evaluate(column), "0,3,12,4000,8000");
    await evaluate("document.querySelector('[data-find]').click()");
    assert.match(await evaluate("document.forms[0].elements.text.value"), /^(POST|PUT) /);

    await send("Browser.grantPermissions", { permissions: ["clipboardReadWrite", "clipboardSanitizedWrite"] });
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
} finally {
  const gone = new Promise(resolve => browser.on("close", resolve)); // when all of its processes have let go of the pipe
  session = undefined;
  send("Browser.close").catch(() => {});
  await gone;
  clearTimeout(limit);
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}
