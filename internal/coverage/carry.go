package coverage

// Replace takes over what was seen by the coverage of the document before, for
// all that is still there: by operation, kind, name and what it is within (two
// media types may have a property of the same name). Exchanges that are on their
// way are counted in both.
func (c *Coverage) Replace(before *Coverage) {
	before.next.Store(c)
	for _, o := range before.operations {
		if o.used.Load() {
			c.take(before, o)
		}
	}
}

// take takes over what was seen of one operation. It may be done again.
func (c *Coverage) take(before *Coverage, o *operation) {
	own := c.byName[o.Method+" "+o.Path]
	if own == nil {
		return
	}
	l := own.lay()
	own.used.Store(true)
	type identity struct {
		kind, name string
		within     int // of the new points
	}
	index := make(map[identity]int, len(l.points))
	for i, p := range l.points {
		index[identity{p.kind, p.name, p.within}] = i
	}
	sessions := *before.sessions.Load()
	points := o.lay().points
	moved := make([]int, len(points)) // where each point is now; -1 for nowhere. What a point is within comes before it
	for i, p := range points {
		at, ok := index[identity{p.kind, p.name, moved[p.within]}]
		if !ok {
			at = -1
		}
		if moved[i] = at; !ok || !o.seen.has(i) {
			continue
		}
		raise(&own.total[at], o.total[i].Load())
		own.seen.set(at)
		for name, t := range sessions {
			if b := t.operations[o.index].Load(); b != nil && b.has(i) {
				if mine := c.session(name).of(own); mine != nil {
					mine.set(at)
				}
			}
		}
	}
	if next := c.next.Load(); next != nil {
		next.take(c, own)
	}
}
