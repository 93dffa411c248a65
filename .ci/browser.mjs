// Drives a browser over its debugging pipe.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// browse opens a page in a new browser, has run do things with it, and closes the browser, which is ended after so many seconds.
export async function browse(url, { seconds = 60, ...options }, run) {
  const browser = launch(seconds);
  try {
    await browser.open(url, options, run);
  } finally {
    await browser.close();
  }
}

// launch starts a browser. Its open opens a page in a profile of its own, has run do things with it, and closes it. What the
// page logs or asks of other places than allowed says is collected in wrong.
export function launch(seconds) {
  const profile = mkdtempSync(join(tmpdir(), "page-"));
  const browser = spawn(process.env.CHROMIUM, [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run", "--disable-component-update",
    "--hide-scrollbars", `--user-data-dir=${profile}`, "about:blank",
  ], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const limit = setTimeout(() => { console.error("the browser takes too long"); browser.kill("SIGKILL"); process.exit(1); }, seconds * 1000);

  // Messages on the pipe are JSON, each ended by a NUL.
  const waiting = new Map(), listeners = new Set();
  let id = 0, rest = "";
  browser.stdio[4].setEncoding("utf8").on("data", chunk => {
    const parts = (rest + chunk).split("\0");
    rest = parts.pop();
    for (const message of parts.map(JSON.parse)) {
      if (!message.id) { listeners.forEach(listen => listen(message)); continue; }
      const { resolve, reject } = waiting.get(message.id);
      waiting.delete(message.id);
      message.error ? reject(new Error(message.error.message)) : resolve(message.result);
    }
  });
  const call = (method, params = {}, sessionId) => new Promise((resolve, reject) => {
    waiting.set(++id, { resolve, reject });
    browser.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
  });

  async function open(url, { allowed, pictures }, run) {
    const { browserContextId } = await call("Target.createBrowserContext");
    const { targetId } = await call("Target.createTarget", { url: "about:blank", browserContextId });
    const { sessionId } = await call("Target.attachToTarget", { targetId, flatten: true });
    const send = (method, params) => call(method, params, sessionId);
    const evaluate = async expression => {
      const { result, exceptionDetails } = await send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true, userGesture: true });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    };
    const picture = async name => {
      if (!pictures) return;
      const { data } = await send("Page.captureScreenshot", { captureBeyondViewport: true });
      writeFileSync(`${pictures}-${name}.png`, Buffer.from(data, "base64"));
    };
    const wrong = [];
    const awaited = new Map();
    const event = name => new Promise(resolve => awaited.set(name, resolve)); // the next of a name
    const listen = message => {
      if (message.sessionId !== sessionId) return;
      const { method, params } = message;
      awaited.get(method)?.(params);
      awaited.delete(method);
      if (method === "Network.requestWillBeSent" && !allowed(params.request.url)) wrong.push("asks for " + params.request.url);
      if (method === "Runtime.consoleAPICalled") wrong.push("logs " + JSON.stringify(params.args));
      if (method === "Runtime.exceptionThrown") wrong.push("throws " + params.exceptionDetails.exception?.description);
      if (method === "Log.entryAdded") wrong.push("logs " + params.entry.text);
      if (method === "Page.javascriptDialogOpening") wrong.push("opens a dialog: " + params.message);
    };
    listeners.add(listen);
    try {
      for (const domain of ["Page", "Runtime", "Log", "Network"]) await send(domain + ".enable");
      await send("Emulation.setDeviceMetricsOverride", { width: 1200, height: 900, deviceScaleFactor: 1, mobile: false });
      const ready = event("Page.loadEventFired");
      assert.equal((await send("Page.navigate", { url })).errorText, undefined, url);
      await ready;
      await run({ send, event, evaluate, picture, wrong, profile: browserContextId });
    } catch (error) {
      await picture("failed").catch(() => {});
      throw new Error([error.message, ...wrong].join("\n"));
    } finally {
      listeners.delete(listen);
      await call("Target.disposeBrowserContext", { browserContextId });
    }
  }

  async function close() {
    const gone = new Promise(resolve => browser.on("close", resolve)); // when all of its processes have let go of the pipe
    call("Browser.close").catch(() => {});
    await gone;
    clearTimeout(limit);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
  return { open, close };
}

// The least contrast of a text with its ground (WCAG 2.2 section 1.4.3).
export const contrast = `(() => {
  const parse = text => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(c => c / 255).map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
  const ground = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c[3] !== 0) return c; } return [255, 255, 255]; };
  let worst = [99, ""];
  for (const e of document.body.querySelectorAll("*")) {
    if (e.matches("script, meter, option, :disabled") || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility()) continue;
    const [a, b] = [light(parse(getComputedStyle(e).color)), light(ground(e))].sort((a, b) => b - a);
    const ratio = (a + .05) / (b + .05);
    if (ratio < worst[0]) worst = [ratio, e.tagName + "." + e.className + ": " + e.textContent.trim().slice(0, 40)];
  }
  return worst;
})()`;

// unnamed finds what can be pressed or filled and has no name.
export async function unnamed(send) {
  const { nodes } = await send("Accessibility.getFullAXTree");
  const roles = ["button", "link", "searchbox", "textbox", "checkbox", "combobox", "meter"];
  return nodes.filter(node => roles.includes(node.role?.value) && !node.ignored && !node.name?.value).map(node => node.role.value);
}
