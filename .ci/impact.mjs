// Serves the page of the Garden Shop in front of the mock at COLDFRAME_URL, and uses it in a browser: a test suite for
// "coldframe impact". It needs node and chromium.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer, request } from "node:http";

const page = new URL("../examples/garden-shop/page", import.meta.url);
const types = { html: "text/html", css: "text/css", js: "text/javascript", svg: "image/svg+xml" };
const server = createServer(async (asked, answer) => {
  const { pathname } = new URL(asked.url, "http://page");
  if (pathname.startsWith("/api/") || pathname.startsWith("/__coldframe/")) {
    const { hostname, port } = new URL(process.env.COLDFRAME_URL);
    const forward = request({ hostname, port, path: asked.url, method: asked.method, headers: asked.headers }, got => {
      answer.writeHead(got.statusCode, got.rawHeaders);
      got.pipe(answer);
    }).on("error", () => answer.destroy());
    return asked.pipe(forward);
  }
  const file = pathname === "/" ? "/index.html" : pathname;
  try {
    const text = await readFile(page.pathname + file);
    answer.writeHead(200, { "Content-Type": types[file.split(".").pop()] ?? "application/octet-stream" }).end(text);
  } catch {
    answer.writeHead(404).end();
  }
});
server.listen(0, "127.0.0.1", () => {
  const suite = spawn(process.execPath, [new URL("demo.mjs", import.meta.url).pathname, `http://127.0.0.1:${server.address().port}`], { stdio: "inherit" });
  suite.on("exit", code => process.exit(code ?? 1));
});
