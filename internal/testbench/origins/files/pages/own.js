window.own = fetch('/__coldframe/sessions/default/snapshot', {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"label": "own"}',
}).then(answer => answer.status)
