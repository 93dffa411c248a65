package scenario

// Release lets go of what was compiled for sets before one, and with it of their contracts: an idle session would keep
// them in memory until its next request. The rules then begin anew, as View has them do for another contract.
func (s *Session) Release(set *Set) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.view.Load()
	if v == nil || v.set.contract == set.contract || v.set.version > set.version {
		return
	}
	s.view.Store(&View{newBook(), v.State.resume(), &Set{version: set.version}, v.changes.uncompiled()})
}

// uncompiled gives the changes as they were put.
func (ch *Changes) uncompiled() *Changes {
	if ch == nil {
		return nil
	}
	c := ch.clone()
	for i, p := range c.put {
		c.put[i] = &put{Text: p.Text}
	}
	return c
}
