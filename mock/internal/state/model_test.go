package state

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// model is a State as a list: what it means, whatever it costs.
type model struct {
	limits     Limits
	items      []modelItem // of all collections, oldest first
	tombstones []modelItem
	next       map[string]int64
	dropped    int
}

type modelItem struct{ collection, key, json string }

func (m *model) fork() *model {
	c := &model{limits: m.limits, items: slices.Clone(m.items), tombstones: slices.Clone(m.tombstones), next: map[string]int64{}}
	for name, next := range m.next {
		c.next[name] = next
	}
	return c
}

func find(list []modelItem, collection, key string) int {
	return slices.IndexFunc(list, func(i modelItem) bool { return i.collection == collection && i.key == key })
}

func size(list []modelItem) (n int64) {
	for _, i := range list {
		n += int64(len(i.key) + len(i.json))
	}
	return n
}

func (m *model) put(collection, key, json string) {
	if i := find(m.items, collection, key); i >= 0 {
		m.items[i].json = json
		return
	}
	if i := find(m.tombstones, collection, key); i >= 0 {
		m.tombstones = slices.Delete(m.tombstones, i, i+1)
	}
	m.items = append(m.items, modelItem{collection, key, json})
	if n, err := strconv.ParseInt(key, 10, 64); err == nil && strconv.FormatInt(n, 10) == key && n >= 0 && n <= highest {
		m.next[collection] = max(m.next[collection], n)
	}
}

func (m *model) delete(collection, key string) {
	if i := find(m.items, collection, key); i >= 0 {
		m.items = slices.Delete(m.items, i, i+1)
	}
	if find(m.tombstones, collection, key) < 0 {
		m.tombstones = append(m.tombstones, modelItem{collection: collection, key: key})
	}
}

func (m *model) reserve(collection string, least int64) int64 {
	if _, known := m.next[collection]; !known && !m.has(collection) {
		m.tombstones = append(m.tombstones, modelItem{collection, "", "reserved"})
	}
	n := max(m.next[collection]+1, least)
	for find(m.items, collection, fmt.Sprint(n)) >= 0 || find(m.tombstones, collection, fmt.Sprint(n)) >= 0 {
		n++
	}
	m.next[collection] = n
	return n
}

func (m *model) has(collection string) bool {
	in := func(i modelItem) bool { return i.collection == collection }
	return slices.ContainsFunc(m.items, in) || slices.ContainsFunc(m.tombstones, in)
}

func (m *model) clear(match func(string) bool) {
	in := func(i modelItem) bool { return match(i.collection) }
	m.items = slices.DeleteFunc(m.items, in)
	m.tombstones = slices.DeleteFunc(m.tombstones, in)
	for name := range m.next {
		if match(name) {
			delete(m.next, name)
		}
	}
}

// bound drops what is too much, then forgets what is left of empty collections.
func (m *model) bound() {
	for len(m.items) > m.limits.Items || size(m.items) > m.limits.Bytes {
		m.items = m.items[1:]
		m.dropped++
	}
	buried := func() (n int64) {
		for _, t := range m.tombstones {
			n += int64(len(t.key))
		}
		return n
	}
	for len(m.tombstones) > m.limits.Items || buried() > m.limits.Bytes/tombstoneShare {
		m.tombstones = m.tombstones[1:]
	}
	for name := range m.next {
		if !m.has(name) {
			delete(m.next, name)
		}
	}
}

// twin is a State and the model of it.
type twin struct {
	state   *State
	model   *model
	dropped *int
	view    *View // made earlier, and what it must still say
	was     string
}

func newTwin(limits Limits) *twin {
	t := &twin{dropped: new(int)}
	limits.Dropped = func(n int) { *t.dropped += n }
	t.state = New(limits)
	t.model = &model{limits: t.state.limits, next: map[string]int64{}}
	return t
}

func (t *twin) fork() *twin {
	f := &twin{model: t.model.fork(), dropped: new(int)}
	limits := t.state.limits
	limits.Dropped = func(n int) { *f.dropped += n }
	f.state = NewFrom(t.state.View(), limits)
	return f
}

var collections = []string{"plants", "owners", "owners/1/plants", "owners/1/plants/2/leaves", "owners/2/plants"}

// step does to both what the bytes say, and compares what they answer.
func (t *twin) step(test *testing.T, op, which, k byte) {
	collection := collections[int(which)%len(collections)]
	key := fmt.Sprint(k % 40)
	switch k % 7 {
	case 5:
		key = "k" + key
	case 6:
		key = fmt.Sprint(1<<30 - 2 + int(k%5))
	}
	json := strings.Repeat("x", int(k)%23)
	live := find(t.model.items, collection, key) >= 0
	switch op % 16 {
	case 0, 1, 2, 3:
		_, err := t.state.Insert(collection, key, []byte(json), 0)
		if live != errors.Is(err, ErrExists) {
			test.Fatalf("insert %s %s: %v", collection, key, err)
		}
		if !live {
			t.model.put(collection, key, json)
		}
	case 4, 5:
		_, isNew, err := t.state.Put(collection, key, []byte(json), 0, Any)
		if isNew == live || err != nil {
			test.Fatalf("put %s %s: new %t, %v", collection, key, isNew, err)
		}
		t.model.put(collection, key, json)
	case 6:
		match := Existing
		if item, _ := t.state.Get(collection, key); item != nil && which%2 == 0 {
			match = Match(item.Version)
		}
		_, _, err := t.state.Put(collection, key, []byte(json), 0, match)
		if live != (err == nil) {
			test.Fatalf("put matching %s %s: %v", collection, key, err)
		}
		if live {
			t.model.put(collection, key, json)
			if _, _, err = t.state.Put(collection, key, nil, 0, 1<<40); !errors.Is(err, ErrVersion) {
				test.Fatalf("put of no such version: %v", err)
			}
		}
	case 7, 8, 9:
		buried := find(t.model.tombstones, collection, key) >= 0
		item, gone, err := t.state.Delete(collection, key, Any)
		if err != nil || gone != buried || (item != nil) != live {
			test.Fatalf("delete %s %s: %v, gone %t, %v", collection, key, item, gone, err)
		}
		t.model.delete(collection, key)
	case 10:
		least := int64(which % 4)
		if got, want := t.state.NextInteger(collection, least), t.model.reserve(collection, least); got != want {
			test.Fatalf("next of %s: %d, want %d", collection, got, want)
		}
	case 11, 12:
		item, err := t.state.Append(collection, []byte(json), Seeded)
		want := fmt.Sprint(t.model.reserve(collection, 0))
		if err != nil || item.Key != want {
			test.Fatalf("append to %s: %v, want %s, %v", collection, item, want, err)
		}
		t.model.put(collection, want, json)
	case 13:
		if k%4 == 0 {
			t.state.Clear(collection)
			t.model.clear(func(name string) bool { return name == collection })
		}
	case 14:
		if k%4 == 0 {
			t.state.ClearBelow("owners", "1")
			t.model.clear(func(name string) bool { return strings.HasPrefix(name, "owners/1/") })
		}
	case 15:
		t.view = t.state.View()
		t.was = describe(t.view)
	}
	t.model.bound()
}

// describe writes all that a View says.
func describe(v *View) string {
	var b strings.Builder
	for item := range v.All() {
		fmt.Fprintf(&b, "%s/%s=%s ", item.Collection, item.Key, item.JSON)
	}
	var names []string
	v.contents.collections.Scan(func(name string, c *collection) bool {
		if c.order.Len() > 0 {
			names = append(names, name)
		}
		return true
	})
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, "\n%s %d:", name, v.Len(name))
		for item := range v.Items(name, 0) {
			fmt.Fprintf(&b, " %s=%s", item.Key, item.JSON)
		}
	}
	fmt.Fprintf(&b, "\n%d items, %d bytes", v.Total(), v.Bytes())
	return b.String()
}

func (m *model) describe() string {
	var b strings.Builder
	lists := map[string][]string{}
	for _, i := range m.items {
		fmt.Fprintf(&b, "%s/%s=%s ", i.collection, i.key, i.json)
		lists[i.collection] = append(lists[i.collection], " "+i.key+"="+i.json)
	}
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range lists {
			if !yield(name) {
				return
			}
		}
	})
	for _, name := range names {
		fmt.Fprintf(&b, "\n%s %d:%s", name, len(lists[name]), strings.Join(lists[name], ""))
	}
	fmt.Fprintf(&b, "\n%d items, %d bytes", len(m.items), size(m.items))
	return b.String()
}

// compare holds the State to the model.
func (t *twin) compare(test *testing.T) {
	test.Helper()
	v := t.state.View()
	if got, want := describe(v), t.model.describe(); got != want {
		test.Fatalf("got\n%s\nwant\n%s", got, want)
	}
	if t.view != nil && describe(t.view) != t.was {
		test.Fatalf("a view changed from\n%s\nto\n%s", t.was, describe(t.view))
	}
	if *t.dropped != t.model.dropped {
		test.Fatalf("%d dropped, want %d", *t.dropped, t.model.dropped)
	}
	for _, collection := range collections {
		var all []*Item
		for item := range v.Items(collection, 0) {
			all = append(all, item)
		}
		for offset := 0; offset <= len(all); offset += 1 + len(all)/7 {
			if got, want := v.List(collection, offset, 5), all[offset:min(len(all), offset+5)]; !slices.Equal(got, want) {
				test.Fatalf("%s from %d: %v, want %v", collection, offset, got, want)
			}
		}
		newest := slices.Clone(all)
		slices.Reverse(newest)
		for i, item := range all {
			if at := v.Place(item); at != i {
				test.Fatalf("%s: %v stands at %d, want %d", collection, item, at, i)
			}
			if back := slices.Collect(v.Newest(collection, i)); !slices.Equal(back, newest[i:]) {
				test.Fatalf("%s backwards from %d: %v, want %v", collection, i, back, newest[i:])
			}
		}
		for k := range 40 {
			for _, key := range []string{fmt.Sprint(k), fmt.Sprint("k", k)} {
				item, gone := v.Get(collection, key)
				if now, goneNow := t.state.Get(collection, key); now != item || goneNow != gone {
					test.Fatalf("%s %s: %v now, %v in a view of now", collection, key, now, item)
				}
				i := find(t.model.items, collection, key)
				if (item != nil) != (i >= 0) || item != nil && string(item.JSON) != t.model.items[i].json ||
					gone != (find(t.model.tombstones, collection, key) >= 0) {
					test.Fatalf("%s %s: %v, gone %t", collection, key, item, gone)
				}
			}
		}
	}
}

// play runs steps of three bytes on up to four States, forks of each other.
func play(test *testing.T, limits Limits, steps []byte) {
	twins := []*twin{newTwin(limits)}
	for i := 0; i+3 < len(steps); i += 4 {
		t := twins[int(steps[i+3])%len(twins)]
		switch {
		case steps[i] == 255 && len(twins) < 4:
			twins = append(twins, t.fork())
		case steps[i] == 254:
			from := twins[int(steps[i+1])%len(twins)]
			t.state.Restore(from.state.View())
			dropped := t.model.dropped
			t.model = from.model.fork()
			t.model.dropped = dropped
		case steps[i] == 253:
			t.state.ClearAll()
			t.model.clear(func(string) bool { return true })
		default:
			t.step(test, steps[i], steps[i+1], steps[i+2])
		}
		if i%64 == 0 {
			t.compare(test)
		}
	}
	for _, t := range twins {
		t.compare(test)
	}
}

// TestModel runs random steps.
func TestModel(t *testing.T) {
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 1))
		steps := make([]byte, 8000)
		for i := range steps {
			steps[i] = byte(random.UintN(256))
		}
		limits := []Limits{{}, {Items: 20}, {Bytes: 200}, {Items: 1}}[seed%4]
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			play(t, limits, steps)
		})
	}
}

func FuzzModel(f *testing.F) {
	f.Add(uint16(0), uint16(0), []byte("aaaabbbbccccdddd"))
	f.Add(uint16(3), uint16(100), []byte{0, 0, 1, 0, 255, 0, 0, 0, 0, 0, 2, 0, 7, 0, 1, 1, 254, 1, 0, 0, 10, 3, 3, 1, 11, 0, 0, 1})
	f.Fuzz(func(t *testing.T, items, bytes uint16, steps []byte) {
		if len(steps) > 4000 {
			return
		}
		play(t, Limits{Items: int(items), Bytes: max(64, int64(bytes))}, steps)
	})
}
