// The page of the Garden Shop. It knows the API by its document, and of the mock only the control API that the panel
// on the right uses.
const $ = (selector, within = document) => within.querySelector(selector)
const euros = (n) => new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' }).format(n)

// el makes an element: el('a', { href: '#shop' }, 'Shop'). Texts are never read as HTML.
function el(name, attributes = {}, ...children) {
  const e = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) e.addEventListener(key.slice(2), value)
    else if (value === true) e.setAttribute(key, '')
    else if (value !== false && value != null) e.setAttribute(key, value)
  }
  e.append(...children.filter((c) => c != null))
  return e
}

// ---- The API

const stored = (name) => sessionStorage.getItem(name)
let access = stored('access'), refresh = stored('refresh')

function keep(tokens) {
  access = tokens?.access_token ?? null
  refresh = tokens?.refresh_token ?? null
  for (const [name, value] of [['access', access], ['refresh', refresh]]) {
    value ? sessionStorage.setItem(name, value) : sessionStorage.removeItem(name)
  }
}

// Problem is an error of the API: problem details (RFC 9457).
class Problem extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? `The shop answers with ${status}.`)
    this.status = status
  }
}

async function send(method, path, body) {
  const headers = access ? { Authorization: `Bearer ${access}` } : {}
  if (body !== undefined && !(body instanceof FormData)) {
    headers['Content-Type'] = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    body = JSON.stringify(body)
  }
  try {
    return await fetch(path.startsWith('/api/') ? path : '/api' + path, { method, headers, body })
  } catch {
    throw new Problem(0, { detail: 'The shop cannot be reached.' })
  } finally {
    showJournal()
  }
}

// api sends a request, once more with a new token where the old one has expired.
async function api(method, path, body) {
  let answer = await send(method, path, body)
  if (answer.status === 401 && refresh && !path.startsWith('/auth/')) {
    const renewed = await send('POST', '/auth/refresh', { refresh_token: refresh })
    keep(renewed.ok ? await renewed.json() : null)
    if (access) answer = await send(method, path, body)
    showAccount()
  }
  const type = answer.headers.get('Content-Type') ?? ''
  const value = type.includes('json') ? await answer.json() : answer.status === 204 ? null : await answer.blob()
  if (!answer.ok) throw new Problem(answer.status, value)
  return { value, headers: answer.headers }
}

const get = async (path) => (await api('GET', path)).value

// attempt runs what a button does, and says what went wrong.
async function attempt(action) {
  try {
    return await action()
  } catch (problem) {
    if (problem.status === 401) return openLogin(access ? 'Please log in again.' : '')
    toast(problem.message, true)
  }
}

let fading
function toast(text, bad = false) {
  const box = $('#toast')
  box.textContent = text
  box.className = bad ? 'bad' : ''
  box.hidden = false
  clearTimeout(fading)
  fading = setTimeout(() => { box.hidden = true }, 4000)
}

// ---- The catalogue

const wanted = { q: '', category: '', maxPrice: '', sort: '', page: 1 }

async function showShop() {
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value))
  const [page, categories] = await Promise.all([get('/products?' + query), get('/categories')])
  $('#categories').replaceChildren(...[{ slug: '', name: 'All' }, ...categories].map((c) =>
    el('button', { type: 'button', title: c.description, 'aria-pressed': String(c.slug === wanted.category), onclick: () => want({ category: c.slug }) }, c.name)))
  $('#found').textContent = `${page.total} ${page.total === 1 ? 'product' : 'products'}`
  $('#products').replaceChildren(...page.items.map(card))
  if (!page.items.length) $('#products').append(el('li', { class: 'empty' }, 'Nothing grows here. Try another word.'))
  $('#pages').replaceChildren(...Array.from({ length: page.totalPages }, (_, i) => i + 1).filter(() => page.totalPages > 1).map((n) =>
    el('button', { type: 'button', 'aria-label': `Page ${n}`, 'aria-current': n === page.page && 'page', onclick: () => want({ page: n }) }, String(n))))
}

function want(changes) {
  Object.assign(wanted, { page: 1 }, changes)
  location.hash === '#shop' ? show() : location.hash = '#shop'
}

const stars = (rating) => el('span', { class: 'stars', title: `${rating} of 5` }, '★'.repeat(Math.round(rating)) + '☆'.repeat(5 - Math.round(rating)), el('small', {}, ` ${rating.toFixed(1)}`))

const buy = (product, label) => el('button', { type: 'button', class: 'main', disabled: product.stock === 0, 'aria-label': `Add ${product.name} to the basket`, onclick: () => addToBasket(product) }, product.stock ? label : 'Sold out')

function card(product) {
  const link = '#product/' + product.id
  return el('li', { class: 'card' },
    el('a', { href: link, tabindex: -1, 'aria-hidden': 'true' }, el('img', { src: product.imageUrl, alt: '', loading: 'lazy' })),
    el('div', {}, el('h2', {}, el('a', { href: link }, product.name)), stars(product.rating),
      el('div', { class: 'buy' }, el('span', { class: 'price' }, euros(product.price)), buy(product, 'Add'))))
}

async function showProduct(id) {
  const [product, photos] = await Promise.all([get(`/products/${id}`), get(`/products/${id}/photos`)])
  const file = el('input', { type: 'file', accept: 'image/png,image/jpeg,image/webp,image/gif', 'aria-label': 'A picture of yours', onchange: () => attempt(() => upload(id, file.files[0])) })
  $('#detail').replaceChildren(el('div', { class: 'detail' },
    el('img', { src: product.imageUrl, alt: product.name }),
    el('div', {}, el('h1', {}, product.name), stars(product.rating), el('p', {}, product.description),
      el('p', { class: 'price' }, euros(product.price)), el('p', {}, product.stock ? `${product.stock} in stock` : 'Sold out'), buy(product, 'Add to basket')),
  ), el('h2', {}, 'Pictures of customers'), el('div', { class: 'photos' },
    ...photos.map((photo) => el('img', { src: `/api/products/${id}/photos/${photo.id}/file`, alt: photo.caption || photo.fileName, title: photo.fileName })),
    el('label', {}, 'Add yours', file)))
  if (!$('#product').open) $('#product').showModal()
}

async function upload(id, file) {
  const form = new FormData()
  form.append('file', file)
  form.append('caption', file.name)
  const { value: photo } = await api('POST', `/products/${id}/photos`, form)
  toast(`${photo.fileName}: ${photo.size.toLocaleString('en')} bytes`)
  await showProduct(id)
}

// ---- The basket and orders

async function addToBasket(product) {
  await attempt(async () => {
    await api('POST', '/basket/items', { productId: product.id, quantity: 1 })
    toast(`${product.name} is in your basket.`)
    count(await get('/basket'))
  })
}

function count(basket) {
  const pieces = basket.items.reduce((sum, item) => sum + item.quantity, 0)
  $('#count').textContent = pieces
  $('#count').hidden = !pieces
}

const picture = (line) => el('img', { src: line.imageUrl ?? '', alt: '' })

async function showBasket() {
  const basket = await get('/basket')
  count(basket)
  const change = (item, quantity) => attempt(async () => {
    await (quantity ? api('PATCH', `/basket/items/${item.id}`, { quantity }) : api('DELETE', `/basket/items/${item.id}`))
    await showBasket()
  })
  $('#items').replaceChildren(...basket.items.map((item) => el('li', {}, picture(item),
    el('span', { class: 'name' }, item.name, el('small', {}, `${euros(item.price)} each`)),
    el('span', { class: 'step' },
      el('button', { type: 'button', 'aria-label': `One ${item.name} less`, onclick: () => change(item, item.quantity - 1) }, '−'),
      el('output', {}, String(item.quantity)),
      el('button', { type: 'button', 'aria-label': `One ${item.name} more`, onclick: () => change(item, item.quantity + 1) }, '+')),
    el('span', { class: 'total' }, euros(item.total)))))
  if (!basket.items.length) $('#items').append(el('li', { class: 'empty' }, 'The basket is empty.'))
  $('#subtotal').replaceChildren(...basket.items.length ? sums([['Subtotal', basket.subtotal]]) : [])
  $('#order').hidden = !basket.items.length
}

const sums = (rows) => rows.flatMap(([name, amount], i) => {
  const whole = i === rows.length - 1 ? 'whole' : ''
  return [el('span', { class: whole }, name), el('dd', { class: whole }, euros(amount))]
})

async function placeOrder(form) {
  const { items } = await get('/basket')
  const { value: order } = await api('POST', '/orders', {
    items: items.map(({ productId, quantity }) => ({ productId, quantity })),
    address: Object.fromEntries(new FormData(form)),
  })
  await Promise.all(items.map((item) => api('DELETE', `/basket/items/${item.id}`)))
  count({ items: [] })
  toast(`Thank you. Your order has the number ${order.id}.`)
  location.hash = '#orders'
}

async function showOrders() {
  const { items } = await get('/orders')
  $('#list').replaceChildren(...items.map((order) => el('li', { class: 'order' },
    el('h2', {}, `Order ${order.id}`, el('span', { class: 'tag' }, order.status), el('small', {}, new Date(order.createdAt).toLocaleDateString('en-IE', { dateStyle: 'long' }))),
    el('ul', { class: 'lines' }, ...order.items.map((line) => el('li', {}, picture(line),
      el('span', { class: 'name' }, line.name, el('small', {}, `${line.quantity} × ${euros(line.price)}`)), el('span', { class: 'total' }, euros(line.total))))),
    el('div', { class: 'sums' }, ...sums([['Subtotal', order.subtotal], [`Tax (${Math.round(order.taxRate * 100)} %)`, order.tax], ['Shipping', order.shipping], ['Total', order.total]])))))
  if (!items.length) $('#list').append(el('li', { class: 'empty' }, 'No orders yet.'))
}

// startExport has a file made, and asks for it where Location says, as often as Retry-After says, until it is done.
async function startExport() {
  const { value, headers } = await api('POST', '/exports', { format: 'csv' })
  const box = $('#job'), at = headers.get('Location'), pause = Number(headers.get('Retry-After') ?? 1) * 1000
  const say = (job, ...more) => {
    box.replaceChildren(`Export ${job.id}: ${job.status}`, ...more)
    box.className = job.status
    box.hidden = false
  }
  say(value)
  for (let job = value; job.status !== 'done';) {
    if (job.status === 'failed') return
    await new Promise((resolve) => setTimeout(resolve, pause))
    job = await get(at)
    say(job)
    if (job.status === 'done') {
      const file = await get(`${at}/file`)
      say(job, el('a', { href: URL.createObjectURL(file), download: 'orders.csv' }, 'orders.csv'), `${file.size} bytes`)
    }
  }
}

// ---- The account

function openLogin(text = '') {
  $('#login .error').textContent = text
  if (!$('#login').open) $('#login').showModal()
}

async function showAccount() {
  const button = $('#account')
  button.textContent = 'Log in'
  if (!access) return
  try {
    const me = await get('/me')
    button.textContent = `${me.name} · log out`
    $('#order').elements.name.value = me.name
    count(await get('/basket'))
  } catch (problem) {
    if (problem.status === 401) keep(null)
  }
}

async function logIn(action, { name, email, password }) {
  if (action === 'signUp') await api('POST', '/users', { name, email, password })
  keep((await api('POST', '/auth/token', { email, password })).value)
  $('#login').close()
  await showAccount()
  await show()
}

async function logOut() {
  await api('POST', '/auth/logout')
  keep(null)
  count({ items: [] })
  await showAccount()
  location.hash = '#shop'
}

// ---- The panel: coldframe's control API

// The address that the program prints has a token where the mock is open to other machines.
if (location.hash.startsWith('#token=')) {
  sessionStorage.setItem('control', location.hash.slice('#token='.length))
  history.replaceState(null, '', '#shop')
}

async function control(method, path, body) {
  const headers = stored('control') ? { Authorization: `Bearer ${stored('control')}` } : {}
  if (body) headers['Content-Type'] = 'application/json'
  const answer = await fetch('/__coldframe/' + path, { method, headers, body: body && JSON.stringify(body) })
  if (!answer.ok) throw new Error(`the control API answers with ${answer.status}`)
  return answer.status === 204 ? null : answer.json()
}

async function showScenarios() {
  const { scenarios } = await control('GET', 'scenarios')
  $('#scenarios').replaceChildren(...scenarios.filter((s) => s.name !== 'exports').map((s) => {
    const [, about] = s.description.split(': ')
    const box = el('input', { type: 'checkbox', name: s.name, checked: s.active, onchange: async () => {
      await control('PATCH', `scenarios/${s.name}`, { active: box.checked })
      await show()
    } })
    return el('li', {}, el('label', {}, box, el('span', {}, el('b', {}, s.name.replace('-', ' ')), el('span', {}, about ?? s.description))))
  }))
}

let waiting
function showJournal() {
  clearTimeout(waiting)
  waiting = setTimeout(async () => {
    const { requests } = await control('GET', 'requests?limit=12')
    $('#journal').replaceChildren(...requests.reverse().map(({ request: { method, path, query }, response: { status } }) => {
      const target = path.replace('/api', '') + (query ? '?' + query : '')
      return el('li', { title: `${method} ${target}` }, el('span', { class: 'what' }, `${method} ${target}`), el('span', { class: 's' + String(status)[0] }, String(status)))
    }))
  }, 100)
}

async function reset() {
  await control('POST', 'sessions/default/reset')
  await control('DELETE', 'scenarios')
  await control('DELETE', 'requests')
  keep(null)
  count({ items: [] })
  $('#job').hidden = true
  Object.assign(wanted, { q: '', category: '', maxPrice: '', sort: '', page: 1 })
  for (const form of document.querySelectorAll('#search, #order')) form.reset()
  for (const select of document.querySelectorAll('#filters select')) select.value = ''
  await Promise.all([showScenarios(), showAccount()])
  location.hash === '#shop' ? show() : location.hash = '#shop'
}

// ---- What is shown

const views = { shop: showShop, basket: showBasket, orders: showOrders }

async function show() {
  const [name, id] = (location.hash || '#shop').slice(1).split('/')
  if (name === 'product') return attempt(() => showProduct(id))
  if ($('#product').open) $('#product').close()
  const view = views[name] ? name : 'shop'
  for (const a of document.querySelectorAll('header nav a')) a.classList.toggle('here', a.hash === '#' + view)
  $('main').classList.add('busy')
  let failed
  try {
    await views[view]()
  } catch (problem) {
    if (problem.status === 401) openLogin()
    failed = problem
  }
  $('main').classList.remove('busy')
  for (const section of document.querySelectorAll('main > section')) section.hidden = section.id !== (failed ? 'message' : view)
  if (failed) $('#message p').textContent = failed.message
}

addEventListener('hashchange', show)
$('#message button').addEventListener('click', show)
$('#search').addEventListener('submit', (e) => { e.preventDefault(); want({ q: e.target.elements.q.value.trim() }) })
$('#search input').addEventListener('search', (e) => { if (!e.target.value) want({ q: '' }) })
for (const select of document.querySelectorAll('#filters select')) select.addEventListener('change', () => want({ [select.name]: select.value }))
$('#order').addEventListener('submit', (e) => { e.preventDefault(); attempt(() => placeOrder(e.target)) })
$('#export').addEventListener('click', () => attempt(startExport))
$('#account').addEventListener('click', () => access ? attempt(logOut) : openLogin())
$('#credentials').addEventListener('submit', (e) => {
  e.preventDefault()
  const { value } = e.submitter ?? { value: 'logIn' }
  logIn(value, Object.fromEntries(new FormData(e.target))).catch((problem) => openLogin(problem.message))
})
$('#reset').addEventListener('click', () => attempt(reset))
for (const dialog of document.querySelectorAll('dialog')) {
  $('.close', dialog).addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (e) => { if (e.target === dialog) dialog.close() })
}
$('#product').addEventListener('close', () => { if (location.hash.startsWith('#product')) history.replaceState(null, '', '#shop') })

showScenarios().catch(() => { $('aside').hidden = true })
showAccount()
show()
