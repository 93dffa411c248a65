package scenario

// Release drops rules that were compiled for earlier sets, and so their contracts: an idle session would keep them in
// memory until its next request. Rules keep their counts if their scenarios are in the set as well.
func (s *Session) Release(set *Set) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.view.Load()
	if v == nil || v.set.contract == set.contract || v.set.version > set.version {
		return
	}
	kept := map[identity]bool{}
	for _, one := range set.Scenarios {
		kept[one.identity] = true
	}
	if v.changes != nil {
		for _, p := range v.changes.put {
			kept[identity{put: p.id}] = true
		}
	}
	v.State.mu.Lock()
	v.State.keep(func(id identity) bool { return kept[id] })
	v.State.mu.Unlock()
	s.view.Store(&View{newBook(), v.State.of(nil), &Set{version: set.version}, v.changes.uncompiled()})
}

// uncompiled returns the changes without compiled scenarios.
func (ch *Changes) uncompiled() *Changes {
	if ch == nil {
		return nil
	}
	c := ch.clone()
	for i, p := range c.put {
		c.put[i] = &put{Text: p.Text, id: p.id}
	}
	return c
}
