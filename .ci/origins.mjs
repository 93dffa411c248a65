// Opens answers of a mock that try to act on its control API; see .ci/origins.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { browse } from "./browser.mjs";

const [, , url, script] = process.argv;
const xhtml = "http://www.w3.org/1999/xhtml";
const page = `<html xmlns="${xhtml}"><head><title>x</title></head><body><script>${script}</script></body></html>`;

// What a foreign page uploads, by name. runs says that a browser runs its script, in an origin of its own.
const uploads = {
  "SVG": { type: "image/svg+xml", runs: true, text: `<svg xmlns="http://www.w3.org/2000/svg"><script>${script}</script></svg>` },
  "HTML": { type: "text/html", runs: true, text: `<!doctype html><script>${script}</script>` },
  "HTML with parameters": { type: "Text/HTML; charset=utf-8", runs: true, text: `<!doctype html><script>${script}</script>` },
  "XHTML": { type: "application/xhtml+xml", runs: true, text: page },
  "XML": { type: "text/xml", runs: true, text: page },
  "XML of another type": { type: "application/unknown+xml", text: page },
  "a type that browsers guess": { type: "unknown/unknown", text: `<!doctype html><script>${script}</script>` },
  "a style sheet": { type: "text/xsl", text: `<?xml version="1.0"?><xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:output method="html"/><xsl:template match="/"><html><script>${script}</script></html></xsl:template></xsl:stylesheet>` },
  "XML with a style sheet": { type: "text/xml", text: before => `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="/files/${before}/content"?><a/>` },
  "PDF": { type: "application/pdf", text: pdf() },
  "text that looks like HTML": { type: "text/plain", text: `<!doctype html><script>${script}</script>` },
  "a script": { type: "text/javascript", text: script },
};

// pdf is a page that sends a form when it is opened.
function pdf() {
  const parts = ["<</Type/Catalog/Pages 2 0 R/OpenAction 4 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>",
    `<</S/JavaScript/JS(this.submitForm\\({cURL: "${url}/__coldframe/sessions/default/reset", cSubmitAs: "HTML"}\\))>>`];
  let text = "%PDF-1.7\n", xref = `xref\n0 ${parts.length + 1}\n0000000000 65535 f \n`;
  parts.forEach((part, n) => { xref += String(text.length).padStart(10, "0") + " 00000 n \n"; text += `${n + 1} 0 obj\n${part}\nendobj\n`; });
  return `${text}${xref}trailer<</Root 1 0 R/Size ${parts.length + 1}>>\nstartxref\n${text.length}\n%%EOF\n`;
}

const control = async path => (await fetch(`${url}/__coldframe/${path}`)).json();
// what is all that the attack tries to change, but for the journal and its clearing.
const what = async () => JSON.stringify(await Promise.all([control("state"), control("scenarios").then(all => all.scenarios.map(one => [one.name, one.active])),
  control("clock").then(clock => clock.advance ?? clock.mode ?? ""), control("sessions").then(all => all.sessions.map(one => one.name))]));
const asked = async path => (await control(`requests?path=${encodeURIComponent(path)}&limit=1000`)).requests;

const foreign = createServer((_, answer) => answer.setHeader("Content-Type", "text/html").end("<!doctype html><title>foreign</title>")).listen(0, "127.0.0.1");
await new Promise(resolve => foreign.on("listening", resolve));
const home = `http://127.0.0.1:${foreign.address().port}/`;
await fetch(`${url}/notes`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ script: "stays" }) });

const ran = []; // what ran its script
try {
  await browse(home, { allowed: () => true, seconds: 240 }, async ({ send, evaluate }) => {
    const until = async (expression, says) => {
      for (const end = performance.now() + 20_000; performance.now() < end;) {
        if (await expression()) return;
        await evaluate("new Promise(requestAnimationFrame)").catch(() => {}); // the page may be leaving
      }
      throw new Error("never: " + says);
    };
    const isAway = () => evaluate(`location.href === ${JSON.stringify(home)} && document.readyState === "complete"`).catch(() => false);
    const away = () => until(async () => { // back to the foreign page, again if a navigation of the page before cancels this one
      await send("Page.navigate", { url: home });
      for (const end = performance.now() + 3_000; performance.now() < end;) if (await isAway()) return true;
      return false;
    }, "the foreign page");
    // open has the foreign page go to an answer, or show it in a frame, and looks at what comes of it.
    const open = async (name, path, runs, framed) => {
      await away();
      const before = await what(), count = (await asked(path)).length, known = [(await asked("/began")).length, (await asked("/ran")).length];
      await evaluate(framed ? `document.body.append(Object.assign(document.createElement("iframe"), { src: ${JSON.stringify(url + path)} })), 1` : `location = ${JSON.stringify(url + path)}, 1`);
      if (runs) await until(async () => (await asked("/ran")).length > known[1], `${name} runs`);
      else {
        if (!path.startsWith("/own")) await until(async () => (await asked(path)).length > count, `${name} is answered`);
        await until(() => evaluate("document.readyState === 'complete'").catch(() => false), `${name} is loaded`);
        for (let n = 0; n < 20; n++) await evaluate("new Promise(requestAnimationFrame)").catch(() => {});
      }
      for (const one of [...(await asked("/began")).slice(known[0]), ...(await asked("/ran")).slice(known[1])]) {
        const query = new URLSearchParams(one.request.query).get("from");
        assert.ok(query.endsWith("&origin=null"), `${name} runs in the mock's origin: ${query}`);
        if (one.request.path === "/ran" && !ran.includes(name)) ran.push(name);
      }
      assert.equal(await what(), before, `${name} changes the mock`);
      assert.ok((await asked(path)).length >= count, `${name} clears the journal`);
    };
    let id; // of the upload before
    for (const [name, { type, text, runs }] of Object.entries(uploads)) {
      id = await evaluate(`(async () => {
        const send = text => { const data = new FormData(); data.append("file", new File([text], "it", { type: ${JSON.stringify(type)} })); return fetch(${JSON.stringify(url + "/files")}, { method: "POST", body: data }).then(answer => answer.json()); };
        return (await send(${JSON.stringify(typeof text === "string" ? text : text(id))})).id })()`);
      await open(name, `/files/${id}/content`, runs);
      if (type.startsWith("image/") || type === "text/html") await open(name + " in a frame", `/files/${id}/content`, runs, true);
    }
    await open("an example", "/example", true);
    await open("a document with a policy", "/policy", true);
    await open("a scenario", "/scenario", true);
    await open("an item of a data file", "/notes/1", true);
    await open("parts", "/parts", false);
    await open("a page's inline script", "/own.html", false);
    await open("a picture beside a page", "/own.svg", false);
    await open("a page in a frame", "/own.html", false, true);

    // The mock's own page may use the control API.
    await send("Page.navigate", { url: url + "/own.html" });
    await until(() => evaluate("window.own.then(status => status === 204)").catch(() => false), "a page of the mock's own uses the control API");
  });
} catch (error) { // without the refusals that the browser notes
  console.error(error.message.split("\n").filter(line => !/^logs (Fetch API cannot load|Access to fetch|Failed to load resource)/.test(line)).join("\n"));
  process.exit(1);
} finally { foreign.close(); }
assert.ok(ran.length >= 10, "the scripts that ran: " + ran);
console.log(`${ran.length} scripts ran, none of them in the mock's origin`);
