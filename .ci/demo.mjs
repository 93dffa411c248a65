// Uses the page of the Garden Shop; see .ci/demo.
import assert from "node:assert/strict";
import { browse, contrast, unnamed } from "./browser.mjs";

const [, , url, pictures] = process.argv;
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="; // one pixel

await browse(url + "/", { allowed: to => to.startsWith(url) || /^(data|blob):/.test(to), pictures }, async ({ send, evaluate, picture, wrong }) => {
  // until waits for what an expression says of the page, and returns its value.
  const until = expression => evaluate(`new Promise((resolve, reject) => {
    const began = performance.now(), ask = () => {
      let value; try { value = ${expression} } catch {}
      if (value) resolve(value); else if (performance.now() - began > 10_000) reject(new Error(${JSON.stringify("never: " + expression)})); else requestAnimationFrame(ask);
    }; ask(); })`);
  const click = async selector => { await until(`document.querySelector(${JSON.stringify(selector)})?.checkVisibility()`); await evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`); };
  const fill = (selector, value) => evaluate(`{ const e = document.querySelector(${JSON.stringify(selector)}); e.value = ${JSON.stringify(value)}; e.dispatchEvent(new Event("change", { bubbles: true })); }`);
  const texts = selector => evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map(e => e.textContent)`);
  const readable = async what => {
    const [ratio, where] = await evaluate(contrast);
    assert.ok(ratio >= 4.5, `${what}: contrast ${ratio} of ${where}`);
    assert.deepEqual(await unnamed(send), [], what);
    assert.ok(await evaluate("document.documentElement.scrollWidth <= innerWidth"), `${what} is wider than its window`);
    assert.deepEqual(await evaluate("[...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src)"), [], `${what}: broken pictures`);
    await picture(what);
  };

  // Browse: pages, search, category, price, order.
  await until("document.querySelectorAll('.card').length === 12");
  assert.deepEqual(await texts("#found"), ["28 products"]);
  await until("[...document.images].filter(i => i.loading !== 'lazy').every(i => i.complete)");
  await readable("shop");
  await click("#pages button[aria-label='Page 3']");
  await until("document.querySelectorAll('.card').length === 4");
  await fill("#search input", "smells");
  await evaluate("document.querySelector('#search').requestSubmit()");
  await until("document.querySelector('#found').textContent === '1 product'");
  assert.deepEqual(await texts(".card h2"), ["Lavender"]);
  await fill("#search input", "");
  await evaluate("document.querySelector('#search').requestSubmit()");
  await until("document.querySelectorAll('.card').length === 12");
  await click("#categories button:nth-child(4)");
  await until("document.querySelector('#found').textContent === '5 products'");
  await fill("select[name=sort]", "-price");
  await until("document.querySelector('.card h2')?.textContent === 'Rosemary'");
  assert.deepEqual(await texts(".card .price"), ["€5.40", "€4.50", "€4.20", "€3.90", "€3.60"]);

  // Sign up: nothing can be bought before.
  await click(".card button");
  await until("document.querySelector('#login').open");
  await readable("login");
  await fill("#credentials input[name=name]", "Grace Field");
  await fill("#credentials input[name=email]", "grace@example.com");
  await click("#credentials button[value=signUp]");
  await until("document.querySelector('#account').textContent === 'Grace Field · log out'");

  // A basket whose sums are right.
  await click(".card:nth-child(1) button");
  await until("document.querySelector('#count').textContent === '1'");
  await click(".card:nth-child(5) button");
  await until("document.querySelector('#count').textContent === '2'");
  await click("header nav a[href='#basket']");
  await click("#items button[aria-label='One Chives more']");
  await until("document.querySelector('#count').textContent === '3'");
  assert.deepEqual(await texts("#items .total"), ["€5.40", "€7.20"]);
  assert.deepEqual(await texts("#subtotal dd"), ["€12.60"]);
  await readable("basket");

  // A scenario refuses the order, and then not.
  await click("#scenarios input[name=paywall]");
  await until("document.querySelector('#scenarios input[name=paywall]').checked && !document.querySelector('main').classList.contains('busy')");
  await click("#order button");
  await until("document.querySelector('#toast').textContent.startsWith('Your trial has ended')");
  await click("#scenarios input[name=paywall]");
  await until("!document.querySelector('main').classList.contains('busy')");
  await click("#order button");
  await until("document.querySelector('.order .tag')?.textContent === 'placed'");
  assert.deepEqual(await texts(".order .sums dd"), ["€12.60", "€2.52", "€4.90", "€20.02"]);
  assert.equal(await evaluate("document.querySelector('#count').hidden"), true);

  // A file that takes a moment.
  await click("#export");
  await until("document.querySelector('#job').textContent.includes('pending')");
  await until("document.querySelector('#job').textContent.includes('orders.csv')");
  const file = await evaluate("fetch('/api/exports/1/file', { headers: { Authorization: 'Bearer ' + sessionStorage.getItem('access') } }).then(file => file.text())");
  const [, placed] = file.match(/^1,([^,]+),/m) ?? [];
  assert.equal(file, `order,placed,status,subtotal,tax,shipping,total\n1,${placed},placed,12.6,2.52,4.9,20.02\n`);
  assert.ok(Date.parse(placed) > Date.now() - 600_000 && Date.parse(placed) <= Date.now(), placed);
  await readable("orders");

  // A picture of a customer, shown as it was sent.
  await evaluate("location.hash = '#product/2'");
  await until("document.querySelector('#product').open && document.querySelector('.photos input')");
  await evaluate(`{ const data = new DataTransfer(), input = document.querySelector('.photos input');
    data.items.add(new File([Uint8Array.from(atob("${png}"), c => c.charCodeAt())], "mine.png", { type: "image/png" }));
    input.files = data.files; input.dispatchEvent(new Event("change")); }`);
  await until("document.querySelector('.photos img')?.naturalWidth === 1");
  await readable("product");
  await click("#product .close");
  await until("location.hash === '#shop' && !document.querySelector('#product').open && !document.querySelector('main').classList.contains('busy')");

  // Everything fails, and is well again.
  await click("#scenarios input[name=outage]");
  await until("document.querySelector('#message').checkVisibility() && document.querySelector('#message p').textContent.includes('repaired')");
  await readable("outage");
  await click("#scenarios input[name=outage]");
  await until("document.querySelectorAll('.card').length === 5");
  await send("Emulation.setDeviceMetricsOverride", { width: 390, height: 844, deviceScaleFactor: 1, mobile: false });
  await readable("phone");
  await until("document.querySelector('#journal li:first-child .what').textContent.startsWith('GET /') && document.querySelector('#journal li:first-child .s2')");

  // A logout, and the mock as it was at first.
  await click("#account");
  await until("document.querySelector('#account').textContent === 'Log in'");
  await click("#scenarios input[name=sold-out]");
  await click("#reset");
  await until("document.querySelectorAll('.card').length === 12 && !document.querySelector('#scenarios :checked')");
  assert.deepEqual(await evaluate("fetch('/__coldframe/state').then(answer => answer.json()).then(state => state.collections.orders ?? [])"), []);
  const refusals = /status of (401|402|503) /; // which the browser notes by itself
  assert.deepEqual(wrong.filter(text => !refusals.test(text)), []);
  console.log("the Garden Shop: as it should be");
});
