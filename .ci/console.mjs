// Uses the console of mocks; see .ci/console.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contrast, launch } from "./browser.mjs";

const [, , binary, axeFile, pictures] = process.argv;
const axe = readFileSync(axeFile, "utf8"), work = mkdtempSync(join(tmpdir(), "console-"));
const browser = launch(300), running = [], still = [{ name: "prefers-reduced-motion", value: "reduce" }];

// serve starts a server and returns its URL, the control API's, and a function that sends a request to it.
async function serve(...args) {
  const server = spawn(binary, [...args, "--port", "0", "--log", "off"], { stdio: ["ignore", "pipe", "pipe"] });
  running.push(server);
  const said = await new Promise((resolve, reject) => {
    let text = "";
    const read = chunk => { text += chunk; if (/^(try|your own|control API): /m.test(text)) resolve(text); };
    server.stdout.setEncoding("utf8").on("data", read);
    server.stderr.setEncoding("utf8").on("data", read);
    server.on("close", () => reject(new Error(`${args.join(" ")}: ${text}`)));
  });
  const control = /(http\S+\/__coldframe\/)/.exec(said)?.[1], url = /(http:\/\/[\d.:]+)/.exec(said)[1];
  const page = control ?? url + "/__coldframe/";
  const call = async (method, path, { body, headers = {}, from = url + "/" } = {}) => {
    const response = await fetch(from + path, { method, headers: { ...(body !== undefined && { "Content-Type": "application/json" }), ...headers }, body: body === undefined || typeof body === "string" ? body : JSON.stringify(body) });
    const text = await response.text();
    let value = text;
    try { value = JSON.parse(text); } catch {}
    return { status: response.status, body: value };
  };
  return { url, page, call, control: (method, path, options) => call(method, path, { ...options, from: page }) };
}

// downloaded returns the path of a file once the browser has it.
async function downloaded(name) {
  const file = join(work, name);
  for (let n = 0; !existsSync(file); n++) { assert.ok(n < 500, "no " + name); await new Promise(resolve => setTimeout(resolve, 20)); }
  return file;
}

// use opens the console in a browser.
async function use(name, page, run) {
  const origin = new URL(page).origin;
  await browser.open(page.includes("#") ? page : page + "#/traffic", { allowed: to => to.startsWith("http://127.0.0.1:") || /^(data|blob):/.test(to), pictures: pictures && `${pictures}-${name}` }, async ({ send, event, evaluate, picture, wrong, profile }) => {
    const until = (expression, within = 10_000) => evaluate(`new Promise((resolve, reject) => {
      const began = performance.now(), ask = () => {
        let value; try { value = ${expression} } catch {}
        if (value) resolve(value); else if (performance.now() - began > ${within}) reject(new Error(${JSON.stringify("never: " + expression)} + "; the page: " + document.querySelector("main")?.innerText.slice(0, 600))); else setTimeout(ask, 20);
      }; ask(); })`);
    const find = (selector, text) => `[...document.querySelectorAll(${JSON.stringify(selector)})].find(e => e.checkVisibility() && (${JSON.stringify(text ?? "")} === "" || e.textContent.trim() === ${JSON.stringify(text ?? "")} || e.getAttribute("aria-label") === ${JSON.stringify(text ?? "")}))`;
    const click = async (selector, text) => { await until(`!!${find(selector, text)} && !${find(selector, text)}.disabled`); await evaluate(`${find(selector, text)}.click()`); };
    const fill = async (selector, value, type = "input") => {
      await until(`document.querySelector(${JSON.stringify(selector)})?.checkVisibility()`);
      await evaluate(`{ const e = document.querySelector(${JSON.stringify(selector)}); e.focus(); e.value = ${JSON.stringify(value)}; e.dispatchEvent(new Event(${JSON.stringify(type)}, { bubbles: true })); }`);
    };
    // written is the expression of the text in an editor; write replaces it as a user does.
    const written = selector => `[...document.querySelector(${JSON.stringify(selector)}).shadowRoot.querySelectorAll(".cm-line")].map(e => e.textContent).join("\\n")`;
    const write = async (selector, text) => {
      await until(`!!document.querySelector(${JSON.stringify(selector)})?.shadowRoot?.querySelector(".cm-content")`);
      await evaluate(`{ const e = document.querySelector(${JSON.stringify(selector)}).shadowRoot.querySelector(".cm-content"); e.focus(); }`);
      for (const type of ["keyDown", "keyUp"]) await send("Input.dispatchKeyEvent", { type, key: "a", code: "KeyA", modifiers: 2, windowsVirtualKeyCode: 65 });
      await send("Input.insertText", { text });
    };
    const press = async (key, code = key) => { for (const type of ["keyDown", "keyUp"]) await send("Input.dispatchKeyEvent", { type, key, code, text: key.length === 1 && type === "keyDown" ? key : undefined, windowsVirtualKeyCode: { ArrowDown: 40, ArrowUp: 38, Enter: 13, Escape: 27, End: 35 }[key] }); };
    const reload = async (first = "") => {
      await evaluate(`window.old = true; ${first}; location.reload()`).catch(() => {});
      for (const end = performance.now() + 10_000; ; await new Promise(resolve => setTimeout(resolve, 20))) {
        if (await evaluate("!window.old && document.readyState === 'complete'").catch(() => false)) return;
        assert.ok(performance.now() < end, "no reload");
      }
    };
    const view = async (hash, ready) => { await evaluate(`location.hash = ${JSON.stringify("#/" + hash)}`); await until(ready); };
    const texts = selector => evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].filter(e => e.checkVisibility()).map(e => e.textContent)`);
    // accessible looks at what is shown, in both themes and in a narrow window.
    const accessible = async what => {
      if (!await evaluate("!!window.axe")) await evaluate(axe + ";1");
      for (const scheme of ["light", "dark"]) {
        await send("Emulation.setEmulatedMedia", { features: [...still, { name: "prefers-color-scheme", value: scheme }] });
        const found = await evaluate(`axe.run(document, { runOnly: ${scheme === "dark" ? '["color-contrast"]' : '["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]'} }).then(r => r.violations.map(v => v.id + ": " + v.nodes.map(n => n.html.slice(0, 160)).join(" | ")))`);
        assert.deepEqual(found, [], `${what}, ${scheme}`);
        const [ratio, where] = await evaluate(contrast);
        assert.ok(ratio >= 4.5, `${what}, ${scheme}: contrast ${ratio} of ${where}`);
        await picture(`${what}-${scheme}`);
      }
      await send("Emulation.setDeviceMetricsOverride", { width: 390, height: 800, deviceScaleFactor: 1, mobile: false });
      await until("innerWidth === 390");
      assert.ok(await evaluate("document.documentElement.scrollWidth <= innerWidth"), `${what} is wider than a narrow window`);
      await picture(`${what}-narrow`);
      await send("Emulation.setDeviceMetricsOverride", { width: 1200, height: 760, deviceScaleFactor: 1, mobile: false });
      await send("Emulation.setEmulatedMedia", { features: still });
    };
    await send("Emulation.setEmulatedMedia", { features: still });
    await send("Emulation.setDeviceMetricsOverride", { width: 1200, height: 760, deviceScaleFactor: 1, mobile: false });
    await send("Browser.grantPermissions", { permissions: ["clipboardReadWrite", "clipboardSanitizedWrite"], origin, browserContextId: profile }).catch(() => {});
    await run({ send, event, profile, evaluate, until, click, fill, write, written, press, reload, view, texts, accessible, picture, find });
    const expected = /status of (4\d\d|5\d\d)|net::ERR_(CONNECTION|EMPTY|INCOMPLETE|BLOCKED)/; // which the browser notes by itself
    assert.deepEqual(wrong.filter(text => !expected.test(text)), [], name);
  });
}

const fern = { id: 900, name: "Tree fern", category: "outdoor", description: "Tall.", price: 99, stock: 2, rating: 4.5, imageUrl: "/pictures/fern.svg" };

async function gardenShop() {
  const shop = await serve("demo"), api = (method, path, options) => shop.call(method, "api/" + path, options);
  const token = { Authorization: "Bearer token" };
  await use("shop", shop.page, async ({ send, profile, evaluate, until, click, fill, write, written, press, reload, view, texts, accessible }) => {
    const rows = ".exchanges .rows .row";

    // Traffic: requests appear as they come.
    await until("document.querySelector('.connection.live') && document.querySelector('.empty')");
    await accessible("empty");
    await api("GET", "products?q=fern");
    await until(`document.querySelectorAll('${rows}').length === 1`);
    await api("POST", "basket/items", { headers: token, body: { productId: "fern" } });
    await api("GET", "products/1", { headers: { "Coldframe-Session": "suite-1" } });
    await until(`document.querySelectorAll('${rows}').length === 3`);

    // Filters are in the URL, and a reload keeps them.
    await fill("input[list=statuses]", "4XX");
    await until(`document.querySelectorAll('${rows}').length === 1 && location.hash.includes('status=4XX')`);
    await reload();
    await until(`document.querySelectorAll('${rows}').length === 1 && document.querySelector('input[list=statuses]').value === '4XX'`);
    await fill("input[list=statuses]", "");
    await fill("#search", "productid\":\"fern");
    await until(`document.querySelectorAll('${rows}').length === 1`);
    await fill("#search", "");
    await fill("select[aria-label=Finding]", "type", "change");
    await until(`document.querySelectorAll('${rows}').length === 1 && location.hash.includes('finding=type')`);
    await click("button", "Reset filters");
    await until(`document.querySelectorAll('${rows}').length === 3 && !location.hash.includes('finding')`);
    await fill(".session select", "suite-1", "change");
    await until(`document.querySelectorAll('${rows}').length === 1 && location.hash.includes('session=suite-1')`);
    await fill(".session select", "*", "change");
    await until(`document.querySelectorAll('${rows}').length === 3`);

    // Why a request failed: one click.
    await click(rows + ":nth-child(2)");
    await until("document.querySelectorAll('.detail .json .mark').length === 2");
    assert.deepEqual(await texts(".detail .mark .note"), [" ← quantity: required property is missing", " ← got string, want integer"]);
    assert.match((await texts(".detail .findings code")).join(), /body\.productId/);
    await until("document.querySelectorAll('.detail .source .hit').length === 2"); // in the document
    assert.match((await texts(".detail .source .hit")).join(), /type: integer.*required: /s);
    await accessible("detail");
    await click(".detail button", "Copy ▾");
    await click(".detail .panel button", "curl");
    await until("document.querySelector('.toast')?.textContent.includes('Copied')");
    assert.equal(await evaluate("navigator.clipboard.readText()"), `curl '${shop.url}/api/basket/items' -H 'authorization: REDACTED' -H 'content-type: application/json' --data-raw '{"productId":"fern"}'`);
    for (const [kind, part] of [["fetch", "expect(response.status).toBe(422)"], ["Playwright route", "await page.route("], ["Go test", "http.NewRequestWithContext("], ["scenario", "rules:\n  - on: \"addToBasket\"\n"]]) {
      await click(".detail button", "Copy ▾");
      await click(".detail .panel button", kind);
      await until(`navigator.clipboard.readText && document.querySelector('.toasts').textContent.includes(${JSON.stringify("Copied: " + kind)})`);
      const copied = await evaluate("navigator.clipboard.readText()");
      assert.ok(copied.includes(part), copied);
      if (kind === "scenario") assert.equal((await shop.control("PUT", "scenarios/copied?session=copied", { body: copied, headers: { "Content-Type": "application/yaml" } })).status, 200, copied);
    }

    // Make the next one fail: two clicks.
    await click(".detail button", "Fail this ▾");
    await accessible("fail");
    await click(".fail button", "500 Server error");
    await until("document.querySelector('.toasts').textContent.includes('500, the next time')");
    const good = { headers: token, body: { productId: 1, quantity: 1 } };
    assert.equal((await api("POST", "basket/items", { ...good, headers: { ...token, "Coldframe-Session": "other" } })).status, 201);
    const failed = await api("POST", "basket/items", good);
    assert.equal(failed.status, 500);
    assert.equal(failed.body.status, 500, "the API's own error body");
    assert.equal((await api("POST", "basket/items", good)).status, 201);
    const choose = async (label, check, often = "until off", everybody = false) => {
      await click(".detail button", "Fail this ▾");
      await click(".fail .segments button", often);
      if (everybody) await click(".fail .segments button", "all sessions");
      await click(".fail .choices button", label);
      await until("!document.querySelector('.fail')");
      for (let n = 0; ; n++) { // the scenario is put meanwhile
        const { scenarios } = (await shop.control("GET", "scenarios?session=" + (everybody ? "other" : ""))).body;
        if (scenarios.some(s => s.name === "fail-addToBasket" && s.rules[0].matched === 0)) break;
        assert.ok(n < 200, "the scenario is not put");
        await new Promise(resolve => setTimeout(resolve, 10));
      }
      await check();
    };
    const status = async (session = "") => (await api("POST", "basket/items", { ...good, headers: { ...token, ...(session && { "Coldframe-Session": session }) } })).status;
    await choose("409 Conflict", async () => { assert.equal(await status(), 409); assert.equal(await status(), 409); });
    await choose("409 Conflict", async () => { assert.deepEqual([await status(), await status(), await status(), await status()], [409, 409, 409, 201]); }, "3 times");
    await choose("connection broken", async () => assert.rejects(status()));
    await choose("malformed", async () => assert.equal(typeof (await api("POST", "basket/items", good)).body, "string"));
    await choose("empty", async () => assert.equal((await api("POST", "basket/items", good)).body, ""));
    await choose("paywall 402", async () => assert.equal(await status(), 402));
    await choose("rate limit 5/min", async () => { for (let n = 0; n < 5; n++) assert.equal(await status(), 201); assert.equal(await status(), 429); });
    await choose("slow stream", async () => assert.equal((await shop.control("GET", "scenarios/fail-addToBasket?session=")).body.text.includes("bandwidth"), true));
    await choose("2 s late", async () => { const began = performance.now(); assert.equal(await status(), 201); assert.ok(performance.now() - began > 1900); }, "once");
    await choose("503 Unavailable", async () => assert.equal(await status("other"), 503), "until off", true);
    await click(".toast:last-child button", "Undo");
    await until("document.querySelector('.toasts').textContent.includes('It works again')");
    assert.equal(await status("other"), 201);
    await shop.control("DELETE", "scenarios");
    await shop.control("DELETE", "scenarios?session=");

    // A HAR file that the program reads.
    await send("Browser.setDownloadBehavior", { behavior: "allow", browserContextId: profile, downloadPath: work });
    await click("button", "Export HAR");
    const file = await downloaded("coldframe.har");
    const recorded = spawnSync(binary, ["scenario", "from", file, "examples/garden-shop/openapi.yaml"], { encoding: "utf8" });
    assert.match(recorded.stdout, /^rules:$/m, recorded.stderr);

    // Pause, go on, clear.
    await click("button", "Pause");
    const before = await evaluate("document.querySelector('.exchanges').getAttribute('aria-rowcount')");
    await api("GET", "products/2");
    await until("document.querySelector('[data-pause]').textContent === 'Resume (1 new)'");
    assert.equal(await evaluate("document.querySelector('.exchanges').getAttribute('aria-rowcount')"), before);
    await click("button", "Resume (1 new)");
    await until(`document.querySelector('.exchanges').getAttribute('aria-rowcount') === '${Number(before) + 1}'`);

    // Keyboard.
    await evaluate("document.querySelector('.exchanges').focus()");
    await evaluate("document.activeElement.scrollTop = 0");
    await press("ArrowUp");
    const first = await evaluate("document.querySelector('.row.chosen')?.getAttribute('aria-rowindex')");
    await press("ArrowUp");
    await until(`document.querySelector('.row.chosen').getAttribute('aria-rowindex') === '${Number(first) - 1}'`);
    await press("Enter");
    await until("document.activeElement.matches('.detail')");
    await press("Escape");
    await until("document.activeElement.matches('.exchanges') && !document.querySelector('.detail')");
    await press("/");
    await until("document.activeElement.id === 'search'");
    await evaluate("document.activeElement.blur()");
    await press("?");
    await until("document.querySelector('dialog[open] table')");
    await accessible("help");
    await press("Escape");
    await until("!document.querySelector('dialog')");
    await click("button", "Clear");
    await until("document.querySelector('.exchanges .empty')");
    assert.equal((await shop.control("GET", "requests")).body.matched, 0);

    // Scenarios: switches, both ways, their counts and text.
    await press("2");
    await until("document.querySelectorAll('.switches li').length >= 5");
    await click("[role=switch]", "outage is active");
    await until("document.querySelector('[aria-label=\"outage is active\"]').checked");
    for (let n = 0; (await api("GET", "products")).status !== 503; n++) assert.ok(n < 100);
    await until("[...document.querySelectorAll('.switches li')].find(e => e.textContent.includes('outage')).querySelector('.count').textContent !== ''");
    await shop.control("PATCH", "scenarios/outage", { body: { active: false } });
    await until("!document.querySelector('[aria-label=\"outage is active\"]').checked");
    await click(".switches button", "paywallPaywall: orders and exports need a paid plan");
    await until("document.querySelector('textarea')?.value.includes('402')");
    await accessible("scenario");
    await fill("textarea", "rules:\n  - on: GET /product\n    delay: 5\n");
    await click("footer button", "Apply");
    await until("document.querySelector('[role=alert]')?.textContent.includes('did you mean')");
    await fill("textarea", "initial: open\nrules:\n  - on: listCategories\n    state: open\n    then: shut\n  - on: listCategories\n    state: shut\n    respond: {status: 503}\n");
    await click("footer button", "Apply");
    await fill(".session select", "", "change");
    await until("document.querySelector('select[aria-label=State]')?.value === 'open'");
    assert.equal((await api("GET", "categories")).status, 200);
    await until("document.querySelector('select[aria-label=State]')?.value === 'shut'");
    assert.equal((await api("GET", "categories")).status, 503);
    await fill("select[aria-label=State]", "open", "change");
    await until("document.querySelector('select[aria-label=State]')?.value === 'open'");
    await click("footer button", "Delete");
    await until("!document.querySelector('.detail')");
    await fill(".session select", "*", "change");
    await click("button", "New scenario");
    await fill("dialog input", "mine");
    await accessible("new-scenario");
    await click("dialog footer button", "Apply");
    await until("document.querySelector('.detail h2')?.textContent === 'mine'");
    assert.equal((await shop.control("GET", "scenarios/mine")).body.active, true);
    await click("button", "Undo all changes");
    await until("![...document.querySelectorAll('.switches li')].some(e => e.textContent.includes('mine'))");

    // State: put an item, change it, delete it; what the API changes is seen.
    await press("3");
    await until("document.querySelectorAll('.items .rows .row').length > 10 || document.querySelector('.side a')");
    await view("state?c=/products", "document.querySelectorAll('.items .rows .row').length > 10");
    await accessible("state");
    await click("button", "Add item");
    await until(`${written(".detail .editor")}.startsWith('{')`);
    await write(".detail .editor", "{\"name\": ");
    await until("document.querySelector('.detail .warn') && document.querySelector('.detail .accent').disabled");
    await write(".detail .editor", JSON.stringify({ id: 900, name: 5 }));
    await until("document.querySelector('[role=alert]')?.textContent.includes('name: got number, want string')"); // as typed
    await until("[...document.querySelector('.detail .editor').shadowRoot.querySelectorAll('.cm-lintRange-error')].some(e => e.textContent === '\"name\"')"); // and where
    await click(".detail button", "Add");
    assert.equal((await api("GET", "products/900")).status, 404);
    await accessible("item");
    await write(".detail .editor", JSON.stringify(fern));
    await click(".detail button", "Add");
    await until("[...document.querySelectorAll('.toast')].some(e => e.textContent.includes('added'))");
    assert.equal((await api("GET", "products/900")).body.name, "Tree fern");
    await fill("#search", "tree fern");
    await until("document.querySelectorAll('.items .rows .row').length === 1");
    await click(".items .rows .row");
    await until(`${written(".detail .editor")}.includes('Tree fern')`);
    await write(".detail .editor", JSON.stringify({ ...fern, name: "Tree fern, large" }));
    await click(".detail button", "Save");
    await until("document.querySelector('.items .rows .row')?.textContent.includes('large')");
    assert.equal((await api("GET", "products/900")).body.name, "Tree fern, large");
    await click("button", "Snapshots ▾");
    await click(".panel button", "Save…");
    await fill("dialog input", "with-fern");
    await click("dialog button", "Save");
    await until("[...document.querySelectorAll('.toast')].some(e => e.textContent.includes('with-fern'))");
    await click(".items .rows .row");
    await click(".detail button", "Delete");
    await until("document.querySelector('.items .empty')");
    assert.equal((await api("GET", "products/900")).status, 404);
    await click("button", "Snapshots ▾");
    await click(".panel button", "Restore with-fern");
    await until("document.querySelectorAll('.items .rows .row').length === 1");
    await click("button", "Reset");
    await until("document.querySelector('.items .empty')");
    await api("POST", "users", { body: { name: "Ada", email: "ada@example.com", password: "correct horse" } });
    await view("state?c=/users", "document.querySelector('.items .rows .row')?.textContent.includes('ada@example.com')");

    // The request that made an item leads to it, and back.
    await click(".items .rows .row");
    await click(".history a");
    await until("location.hash.startsWith('#/traffic?n=') && document.querySelector('.because')?.textContent.includes('created')");
    await click(".because a");
    await until(`location.hash.startsWith('#/state') && ${written(".detail .editor")}.includes('ada@example.com')`);
    await fill(".session select", "*", "change");

    // Operations: search, try, all documented responses, coverage.
    await view("operations", "document.querySelectorAll('.operations .rows .row').length > 10");
    await accessible("operations");
    await fill("#search", "basket post");
    await until("document.querySelectorAll('.operations .rows .row').length === 1");
    await click(".operations .rows .row");
    await until(`${written(".try .editor")}.includes('productId')`);
    await write(".try .editor", JSON.stringify({ productId: 1, quantity: 2 }));
    await click(".try button", "Send");
    await until("document.querySelector('.try [role=status] .status')?.textContent === '201' && document.querySelector('.try [role=status] a')");
    await fill("[aria-label='Status of the response']", "409", "change");
    await click(".try button", "Send");
    await until("document.querySelector('.try [role=status] .status')?.textContent === '409'");
    await fill("[aria-label='Status of the response']", "", "change");
    await fill("fieldset input[type=password]", "mine");
    await click("fieldset input[type=checkbox]");
    await click(".try button", "Send");
    await until("document.querySelector('.try [role=status] .status')?.textContent === '401'");
    assert.match(await evaluate("sessionStorage.getItem('coldframe-credentials')"), /mine/);
    await accessible("try");
    await until("document.querySelector('.operations .row .number').textContent.endsWith('%')", 20_000);
    await click(".try [role=status] a");
    await until("location.hash.startsWith('#/traffic?n=') && document.querySelector('.detail .status')?.textContent === '401'");
    await click(".detail button", "Try again");
    await until("location.hash.includes('o=addToBasket') && !!document.querySelector('.try .editor')");

    // Sessions.
    await view("sessions", "document.querySelectorAll('.grid tbody tr').length >= 2");
    await accessible("sessions");
    await click("button", "New session");
    await fill("dialog input", "third");
    await accessible("ask");
    await click("dialog button", "Create");
    await until("[...document.querySelectorAll('.grid b')].some(e => e.textContent === 'third')");
    assert.ok((await shop.control("GET", "sessions")).body.sessions.some(s => s.name === "third"));
    await click("button", "Delete session third");
    await click("dialog button", "Delete");
    await until("![...document.querySelectorAll('.grid b')].some(e => e.textContent === 'third')");
    await api("GET", "products", { headers: { "Coldframe-Session": "fourth" } });
    await until("[...document.querySelectorAll('.grid b')].some(e => e.textContent === 'fourth')");

    // Document: what is inferred and what not, its lines.
    await view("document?tab=resources", "document.querySelectorAll('.grid tbody tr').length > 5");
    await accessible("resources");
    await view("document?tab=operations", "document.querySelectorAll('.inferred .rows .row').length > 10");
    await view("document?tab=files", "document.querySelector('.file input')");
    await evaluate("document.querySelector('.file input').value = '622'; document.querySelector('.file').requestSubmit()");
    await until("document.querySelector('.source .hit')?.textContent.includes('schemas:')");
    await accessible("document");

    // The switch of the theme is remembered.
    await click("button", "Dark theme");
    await until("document.documentElement.dataset.theme === 'dark'");
    await reload();
    await until("document.documentElement?.dataset.theme === 'dark'");
  });
}

// Ten thousand exchanges: few rows are in the document, and the memory of the tab is bounded.
async function many() {
  const mock = await serve("examples/garden-shop/openapi.yaml", "--journal", "20000");
  const { hostname, port } = new URL(mock.url), socket = connect(port, hostname);
  for (let n = 1; n <= 10_000; n++) socket.write(`GET /products?page=${n} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: ${n < 10_000 ? "keep-alive" : "close"}\r\n\r\n`);
  await new Promise((resolve, reject) => socket.on("data", () => {}).on("close", resolve).on("error", reject));
  await use("many", mock.page, async ({ until, evaluate, press }) => {
    await until("document.querySelector('.exchanges')?.getAttribute('aria-rowcount') === '10001'", 60_000);
    assert.ok(await evaluate("document.querySelectorAll('.exchanges .row').length") < 60);
    await evaluate("document.querySelector('.exchanges').focus()");
    await press("End");
    await until("document.querySelector('.row.chosen')?.getAttribute('aria-rowindex') === '10001'");
    assert.ok(await evaluate("document.querySelectorAll('.exchanges .row').length") < 60);
  });
}

// A token: none shows nothing, typed in or in the fragment it opens everything and leaves the URL.
async function secret() {
  const mock = await serve("examples/garden-shop/openapi.yaml", "--control-token", "s3cret");
  await use("token", mock.page, async ({ until, evaluate, fill, click, reload, accessible, view }) => {
    await until("document.querySelector('dialog[open] input[type=password]')");
    await accessible("token");
    await fill("dialog input", "wrong");
    await click("dialog button", "Continue");
    await until("document.querySelector('dialog[open] input[type=password]')?.value === ''");
    await fill("dialog input", "s3cret");
    await click("dialog button", "Continue");
    await until("document.querySelector('.connection.live') && !document.querySelector('dialog')");
    await view("operations", "document.querySelectorAll('.operations .rows .row').length > 10");
    await reload("sessionStorage.clear(); location.hash = '#token=s3cret'");
    await until("document.querySelector('.connection.live') && !location.href.includes('s3cret')");
  });
}

// Nothing of a document, a request or a scenario becomes markup.
async function hostile() {
  const canary = n => `<img src=x onerror="canary(${n})"><script>canary(${n})</script>\"'\${1}{{1}}javascript:canary(${n})`;
  const document = {
    openapi: "3.1.0", info: { title: canary(1), version: canary(2), description: canary(3) },
    paths: {
      "/<img src=x onerror=canary(4)>/{id}": { get: { operationId: "<b onclick=canary(5)>get</b>", summary: canary(6), description: canary(7), tags: [canary(8)],
        parameters: [{ in: "path", name: "id", required: true, description: canary(9), schema: { type: "string", enum: [canary(10), "a"] }, example: canary(10) }],
        responses: { 200: { description: canary(11), content: { "application/json": { schema: { type: "object", properties: { [canary(12)]: { type: "string", const: canary(13) } }, required: [canary(12)] } } } }, 404: { description: canary(14) } } } },
      "/things": { post: { requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } }, responses: { 201: { description: "x", content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } } } },
        get: { responses: { 200: { description: "all", content: { "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/Thing" } } } } } } } },
      "/things/{id}": { parameters: [{ in: "path", name: "id", required: true, schema: { type: "integer" } }], get: { responses: { 200: { description: "one", content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } } } } },
    },
    components: { schemas: { Thing: { type: "object", properties: { id: { type: "integer" }, name: { type: "string" } }, required: ["name"] } } },
  };
  const file = join(work, "hostile.json");
  writeFileSync(file, JSON.stringify(document));
  const mock = await serve(file);
  await use("hostile", mock.page, async ({ until, evaluate, view, click }) => {
    await evaluate("window.fired = []; window.canary = n => fired.push(n); addEventListener('securitypolicyviolation', e => fired.push(e.violatedDirective)); 1");
    await mock.call("POST", "things", { body: { name: canary(20) } });
    await mock.call("POST", "things", { body: { [canary(21)]: canary(22) } });
    await mock.call("GET", "nothing/<svg onload=canary(23)>?" + encodeURIComponent(canary(24)), { headers: { "X-Odd": "<img src=x onerror=canary(25)>" } });
    await mock.call("POST", "things", { body: "<script>canary(26)</script>", headers: { "Content-Type": "text/html" } });
    assert.deepEqual(await mock.control("PUT", "scenarios/" + encodeURIComponent("<script>canary(27)"), { body: JSON.stringify({ description: canary(28), rules: [{ on: "POST /things", description: canary(29), respond: { status: 503, body: canary(30), headers: { "X-Odd": "<b>31</b>" } }, violates: true }] }) }), { status: 200, body: { findings: [] } });
    await mock.call("POST", "things", { body: { name: canary(32) } });
    await until("document.querySelectorAll('.exchanges .rows .row').length === 5");
    for (let n = 1; n <= 5; n++) {
      await view("traffic?n=" + n, "document.querySelector('.detail .target')");
      await evaluate("document.querySelectorAll('details').forEach(e => { e.open = true }); 1");
    }
    await view("scenarios?s=" + encodeURIComponent("<script>canary(27)"), "document.querySelector('.detail h2')?.textContent.includes('canary(27)')");
    await view("state?c=/things", "document.querySelector('.items .rows .row')?.textContent.includes('canary(20)')");
    await click(".items .rows .row");
    await view("operations", "document.querySelectorAll('.operations .rows .row').length === 4");
    for (let n = 0; n < 4; n++) {
      await evaluate(`document.querySelectorAll('.operations .rows .row')[${n}].click()`);
      await until("document.querySelector('.try button')");
      await click(".try button", "Send");
      await until("document.querySelector('.try [role=status]').textContent !== ''");
    }
    for (const part of ["findings", "resources", "operations", "silent", "files"]) await view("document?tab=" + part, "document.querySelector('.side .hint')?.textContent.includes('canary(1)')");
    await view("sessions", "document.querySelector('.grid')");
    assert.deepEqual(await evaluate("fired"), []);
    assert.equal(await evaluate("document.querySelectorAll('main img, main script, main b[onclick], main svg').length"), 0);
  });
}

async function proxied() {
  const upstream = await serve("examples/garden-shop/openapi.yaml"), proxy = await serve("proxy", "examples/garden-shop/openapi.yaml", upstream.url, "--learn", join(work, "learned.yaml"));
  await upstream.control("PUT", "scenarios/differs", { body: "rules: [{on: listCategories, respond: {status: 404}, violates: true}]", headers: { "Content-Type": "application/yaml" } });
  await use("proxy", proxy.page, async ({ until, evaluate, fill, view, accessible, click }) => {
    await view("proxy", "document.querySelectorAll('.sources .rows .row').length > 10");
    assert.equal((await proxy.call("GET", "categories")).status, 404);
    await until("document.querySelector('[role=status].hint')?.textContent.includes('1 of 1 compared ones differ')", 20_000);
    await evaluate("[...document.querySelectorAll('.sources .rows .row')].find(e => e.textContent.includes('GET /categories')).click()");
    await until("document.querySelector('.detail .findings')?.textContent.includes('status: 404, the mock has 200')");
    await accessible("differences");
    await click("button", "Close the differences");
    await accessible("proxy");
    await fill("select[aria-label='Source of GET /products']", "mock", "change");
    await until("document.querySelector('[role=status].hint')?.textContent.includes('1 mocked')");
    const source = async () => (await proxy.control("GET", "sources")).body.sources.find(s => s.operation === "GET /products").source;
    assert.equal(await source(), "mock");
    await proxy.control("PATCH", "sources", { body: { operation: "GET /products", source: "default" } });
    await until("document.querySelector('[role=status].hint')?.textContent.includes(' 0 mocked')");
    await view("operations?text=listProducts&o=listProducts", "document.querySelector('.try button')");
    await click(".try button", "Send");
    await until("document.querySelector('.try [role=status] .status')?.textContent === '200'");
  });
}

// Scenarios are saved, this browser gets a session, and a console that only reads changes nothing.
async function options() {
  const folder = join(work, "scenarios"), file = join(folder, "late.yaml");
  mkdirSync(folder);
  writeFileSync(file, "rules: [{on: listProducts, delay: 1}]\n");
  const mock = await serve("examples/garden-shop/openapi.yaml", "--scenario", folder, "--allow-edit");
  await use("edit", mock.page, async ({ send, event, profile, until, evaluate, fill, view, click }) => {
    await view("scenarios?s=late", "document.querySelector('textarea')?.value.includes('delay: 1}')");
    await fill("textarea", "rules: [{on: listProducts, delay: 2}]\n");
    await click("footer button", "Apply");
    await click("footer button", "Save to file");
    await until("document.querySelector('.toasts').textContent.includes('late.yaml')");
    assert.equal(readFileSync(file, "utf8"), "rules: [{on: listProducts, delay: 2}]\n");

    // The session's cookie is for the app's requests; the console still names the session that it shows.
    await mock.call("GET", "products", { headers: { "Coldframe-Session": "suite" } });
    await view("sessions", "document.querySelector('[aria-label=\"Use session suite in this browser\"]')");
    assert.equal(await evaluate("fetch(document.querySelector('[aria-label=\"Use session suite in this browser\"]').href).then(() => fetch('/products')).then(r => r.status)"), 200);
    await view("traffic?session=suite", "[...document.querySelectorAll('.exchanges .rows .row')].filter(e => e.textContent.includes('/products')).length === 2");
    const items = async session => (await mock.control("GET", "state", { headers: { "Coldframe-Session": session } })).body.items;
    await mock.control("POST", "items?collection=/products&session=suite", { body: fern });
    await mock.control("POST", "items?collection=/products", { body: fern });
    await view("state?c=/products&text=tree+fern", "document.querySelector('.items .rows .row')?.textContent.includes('Tree fern')");
    await send("Browser.setDownloadBehavior", { behavior: "allow", browserContextId: profile, downloadPath: work });
    await click("button", "Data ▾");
    await click(".panel button", "Export session");
    const session = await downloaded("session-default.json");
    await click("button", "Data ▾");
    await click(".panel button", "Delete all items…");
    await click("dialog button", "Delete");
    await until("document.querySelector('.items .empty')");
    assert.equal(await items("default"), 0);
    assert.ok(await items("suite") > 0);
    await send("Page.setInterceptFileChooserDialog", { enabled: true });
    const chooser = event("Page.fileChooserOpened");
    await click("button", "Data ▾");
    await click(".panel button", "Import session…");
    await send("DOM.setFileInputFiles", { files: [session], backendNodeId: (await chooser).backendNodeId });
    await until("document.querySelector('.items .rows .row')?.textContent.includes('Tree fern')");
  });
  const shown = await serve("examples/garden-shop/openapi.yaml", "--read-only-console");
  await use("read-only", shown.page, async ({ until, evaluate, view, texts, click, accessible }) => {
    await shown.control("PUT", "scenarios/late", { body: "rules: [{on: listProducts, delay: 1}]", headers: { "Content-Type": "application/yaml" } });
    await shown.control("POST", "sessions/default/snapshot", { body: { label: "begun" } });
    await shown.call("GET", "products");
    await until("document.querySelector('.top .tag')?.textContent === 'read only' && document.querySelectorAll('.exchanges .rows .row').length === 1");
    await accessible("read-only");
    // What a page cannot do is not there.
    const has = async (...names) => assert.deepEqual([...new Set(await texts("main button:not(.quiet, .plain)"))], names);
    await has("Pause", "Export HAR");
    await click(".exchanges .rows .row");
    await until("document.querySelector('.detail h2')");
    await has("Pause", "Export HAR", "Copy ▾", "Try again");
    await view("scenarios?s=late", "document.querySelector('textarea')?.value.includes('listProducts')");
    await has("Copy");
    assert.ok(await evaluate("document.querySelector('textarea').readOnly && document.querySelector('[role=switch]').disabled"));
    await view("state?c=/products", "document.querySelectorAll('.items .rows .row').length > 0");
    await click(".items .rows .row");
    await click("button", "Data ▾");
    await has("Data ▾", "Export items", "Export session", "Copy");
    await until("!!document.querySelector('.detail .editor')");
    await accessible("read-only-state");
    await view("sessions", "document.querySelector('.grid .tag')");
    await has("Show");
    await view("operations?o=listProducts", "document.querySelector('.try button')");
    await has("Send");
    const page = await evaluate("fetch('requests', { method: 'DELETE' }).then(r => r.status)");
    assert.equal(page, 403);
    assert.equal((await shown.control("GET", "requests")).body.matched, 1);
  });
}

// If the editor does not load, the text area stays. What takes long shows that it goes on.
async function plain() {
  const mock = await serve("examples/garden-shop/openapi.yaml");
  await use("plain", mock.page, async ({ send, until, fill, view, click }) => {
    await send("Network.setBlockedURLs", { urls: ["*/editor-*"] });
    await view("state?c=/products", "document.querySelectorAll('.items .rows .row').length > 0");
    await click("button", "Add item");
    await until("document.querySelector('.detail textarea')?.value.startsWith('{')");
    await fill(".detail textarea", JSON.stringify(fern));
    await click(".detail button", "Add");
    await until("[...document.querySelectorAll('.toast')].some(e => e.textContent.includes('added'))");
    assert.equal((await mock.call("GET", "products/900")).body.name, "Tree fern");


    const latency = ms => send("Network.emulateNetworkConditions", { offline: false, latency: ms, downloadThroughput: -1, uploadThroughput: -1 });
    await latency(1500);
    await view("document?tab=resources", "!!document.querySelector('.busy[role=progressbar]')");
    await latency(0);
    await until("!document.querySelector('.busy') && document.querySelectorAll('.grid tbody tr').length > 5");
  });
}

// A document that is replaced while the console is open.
async function reloaded() {
  const file = join(work, "changing.yaml"), write = more => writeFileSync(file, "openapi: 3.1.0\ninfo: {title: Changing, version: '1'}\npaths:\n  /a: {get: {responses: {'200': {description: ok}}}}\n" + more);
  write("");
  const mock = await serve(file, "--watch");
  await use("reload", mock.page, async ({ until, view, accessible }) => {
    await view("operations", "document.querySelectorAll('.operations .rows .row').length === 1");
    write("  /b: {get: {responses: {'200': {description: ok}}}}\n");
    await until("document.querySelectorAll('.operations .rows .row').length === 2", 20_000);
    write("  /c: [\n");
    await until("document.querySelector('.failed')", 20_000);
    await view("document", "document.querySelector('.banner')?.textContent.includes('The last reload failed')");
    await accessible("failed");
    write("");
    await until("!document.querySelector('.banner')", 20_000);
  });
}

async function large() {
  const document = join(process.env.COLDFRAME_CORPUS ?? "", "github.json");
  if (!process.env.COLDFRAME_CORPUS || !existsSync(document)) return;
  const mock = await serve(document);
  await use("github", mock.page, async ({ until, evaluate, view, fill, click }) => {
    await view("operations", "document.querySelectorAll('.operations .rows .row').length > 10");
    assert.ok(await evaluate("document.querySelectorAll('.operations .row').length") < 60);
    await fill("#search", "create an issue");
    await until("[...document.querySelectorAll('.operations .rows .row')].some(e => e.textContent.includes('/repos/{owner}/{repo}/issues'))");
    await evaluate("[...document.querySelectorAll('.operations .rows .row')].find(e => e.textContent.includes('/repos/{owner}/{repo}/issues')).click()");
    await click(".try button", "Send");
    await until("/^20/.test(document.querySelector('.try [role=status] .status')?.textContent)");
    await click(".detail button", "Fail this ▾");
    await click(".fail button", "500 Server error");
    await until("document.querySelector('.toasts').textContent.includes('500, the next time')");
    await click(".try button", "Send");
    await until("document.querySelector('.try [role=status] .status')?.textContent === '500'");
    await view("state", "document.querySelector('.items')");
  });
}

// A contract test that is watched, and its report.
async function tested() {
  const rules = join(work, "faulty.yaml"), document = "examples/garden-shop/openapi.yaml", out = join(work, "report.json");
  writeFileSync(rules, "rules:\n  - on: listCategories\n    respond: {status: 200, body: [{id: '<img src=x onerror=canary(40)>'}]}\n    violates: true\n");
  const backend = await serve(document, "--scenario", rules);
  const run = spawn(binary, ["test", "--ui", "--report", "json=" + out, "--rate", "40", "--max-cases", "900", "--phase", "coverage", document, backend.url], { stdio: ["ignore", "ignore", "pipe"] });
  running.push(run);
  let said = "";
  const ended = new Promise(resolve => run.on("close", resolve));
  const address = await new Promise(resolve => run.stderr.setEncoding("utf8").on("data", chunk => { said += chunk; const found = /^watch the test: (\S+)$/m.exec(said); if (found) resolve(found[1]); }));
  await use("test", address, async ({ until, evaluate, view, fill, click, reload, accessible, press }) => {
    await evaluate("window.fired = []; window.canary = n => fired.push(n); addEventListener('securitypolicyviolation', e => fired.push(e.violatedDirective)); 1");
    await until("document.querySelector('.connection.live') && document.querySelector('[role=progressbar]') && !location.href.includes('token')");
    await until("[...document.querySelectorAll('.found .rows .row')].some(e => e.textContent.includes('GET /categories'))");
    assert.ok(!existsSync(out), "a finding shows before the report");
    await accessible("live");
    await click(".found .rows .row");
    await until("document.querySelector('.detail')?.textContent.includes('Not confirmed yet')");
    await view("operations", "document.querySelectorAll('.tested .rows .row').length > 3");
    await until("document.querySelector('[role=status]').textContent === 'the run has ended'", 60_000);
    await view("findings?text=categories", "document.querySelectorAll('.found .rows .row').length > 0");
    await click(".found .rows .row");
    await until("document.querySelector('.detail .json')?.textContent.includes('canary(40)')");
    await accessible("finding");
    await click(".detail button", "Copy as curl");
    await until("document.querySelector('.toast')?.textContent.includes('Copied')");
    assert.match(await evaluate("navigator.clipboard.readText()"), /^curl .*\/categories/);
    const expected = JSON.parse(readFileSync(out, "utf8"));
    await view("findings", `document.querySelector('[role=search] [role=status]').textContent.startsWith('${expected.findings.length} finding')`);
    await view("operations", `document.querySelectorAll('.tested .rows .row').length > 10`);
    await fill("#search", "GET /categories");
    await until("document.querySelector('.tested .rows .row')?.textContent.startsWith('failed')");
    await click(".tested .rows .row");
    await click(".detail .findings a");
    await until("location.hash.startsWith('#/findings') && document.querySelector('.detail .json')");
    await view("operations?o=GET+/products", "document.querySelector('.detail h3')");
    await accessible("operations");
    await press("3");
    await until("document.querySelector('.grid')?.textContent.includes('coverage')");
    await accessible("run");
    await reload();
    await until("document.querySelector('.grid')?.textContent.includes('coverage')");
    await reload("sessionStorage.clear()");
    await until("document.querySelector('dialog[open] input[type=password]')");
    assert.deepEqual(await evaluate("window.fired ?? []"), []);
  });
  run.kill("SIGINT");
  assert.equal(await ended, 1, said);
}

const parts = { gardenShop, many, secret, options, hostile, proxied, plain, reloaded, tested, large }, chosen = (process.env.ONLY ?? Object.keys(parts).join()).split(",");
try {
  for (const name of chosen) await parts[name]();
  console.log("the console: as it should be");
} finally {
  await browser.close();
  for (const server of running) server.kill();
  rmSync(work, { recursive: true });
}
