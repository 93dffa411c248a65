package answers

import (
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

func request(n int) *exchange.Request {
	return &exchange.Request{Method: "GET", Path: "/a/" + strconv.Itoa(n)}
}

// TestBounded has several clients ask for more answers than there is room for.
func TestBounded(t *testing.T) {
	const most, size = 1 << 20, 10_000
	c, in := New(most), state.New(state.Limits{})
	base := in.View()
	var all sync.WaitGroup
	for client := range 4 {
		all.Go(func() {
			for i := range 1000 {
				n := i*(client+1)%500 + client
				key := c.Key(request(n), "")
				if e := c.Find(key, in, base); e != nil {
					var a respond.Answer
					if e.Repeat(&a); a.Status != 200+n {
						t.Errorf("%d: %d", n, a.Status)
					}
					continue
				}
				a := &respond.Answer{Response: exchange.Response{Status: 200 + n, Body: make([]byte, size)}}
				c.Keep(c.Begin(key, base), a)
			}
		})
	}
	all.Wait()
	bytes := c.entries.Bytes()
	if bytes > most+4*size || bytes < most/4 {
		t.Errorf("%d bytes of %d", bytes, most)
	}
}

// TestHolds changes what an answer was made of, and what it was not made of.
func TestHolds(t *testing.T) {
	c, in := New(1<<20), state.New(state.Limits{})
	base, other := in.View(), state.New(state.Limits{}).View()
	insert := func(collection, key string) {
		if _, err := in.Insert(collection, key, []byte("{}"), 0); err != nil {
			t.Fatal(err)
		}
	}
	insert("/a", "1")
	insert("/b", "1")
	for name, reads := range map[string]func(*state.Reads){
		"nothing":    func(*state.Reads) {},
		"item":       func(r *state.Reads) { r.Get(in, "/a", "1") },
		"no item":    func(r *state.Reads) { r.Get(in, "/a", "2") },
		"collection": func(r *state.Reads) { r.View(in).Len("/a") },
		"all":        func(r *state.Reads) { r.View(in).Total() },
	} {
		changes := []struct {
			name   string
			change func()
			ends   []string // those that do not hold then
		}{
			{"another collection", func() { insert("/b", name) }, []string{"all"}},
			{"another item", func() { insert("/a", name) }, []string{"collection", "all"}},
			{"the item", func() { in.Put("/a", "1", []byte("[]"), 0, state.Any) }, []string{"item", "collection", "all"}},
			{"created", func() { insert("/a", "2") }, []string{"no item", "collection", "all"}},
			{"deleted", func() { in.Delete("/a", "2", state.Any) }, []string{"no item", "collection", "all"}},
			{"cleared", func() { in.Clear("/a"); insert("/a", "1") }, []string{"item", "no item", "collection", "all"}},
			{"another beginning", func() { base, other = other, base },
				[]string{"nothing", "item", "no item", "collection", "all"}},
		}
		for _, x := range changes {
			key := c.Key(request(len(name)), x.name)
			e := c.Begin(key, base)
			reads(&e.Reads)
			c.Keep(e, &respond.Answer{})
			if c.Find(key, in, base) == nil {
				t.Errorf("%s, before %s: it does not hold", name, x.name)
			}
			x.change()
			if holds, ends := c.Find(key, in, base) != nil, slices.Contains(x.ends, name); holds == ends {
				t.Errorf("%s, after %s: holds %v", name, x.name, holds)
			}
		}
		in.Clear("/a")
		insert("/a", "1")
	}
}
