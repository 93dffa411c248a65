package state_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coldframe/coldframe/mock/internal/state"
)

// counter is a value beside the items.
type counter struct{ n atomic.Int64 }

func (c *counter) fork() *counter {
	f := &counter{}
	f.n.Store(c.n.Load())
	return f
}

// clock is moved by hand.
type clock struct{ seconds atomic.Int64 }

func (c *clock) now() time.Duration { return time.Duration(c.seconds.Add(1)) * time.Second }

func sessions(o state.SessionOptions[*counter]) (*state.Sessions[*counter], *clock) {
	base := state.New(state.Limits{})
	base.Insert("plants", "1", []byte(`"Fern"`), state.Seeded)
	c := &clock{}
	o.Now = c.now
	o.New = func() *counter { return &counter{} }
	o.Fork = (*counter).fork
	return state.NewSessions(base.View(), o), c
}

func get(t *testing.T, r *state.Sessions[*counter], name string) *state.Session[*counter] {
	t.Helper()
	s, _, err := r.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// texts writes the plants and the counter of a session.
func texts(s *state.Session[*counter]) string {
	var list []string
	for item := range s.State.View().Items("plants", 0) {
		list = append(list, string(item.JSON))
	}
	return fmt.Sprint(strings.Join(list, " "), " ", s.Value().n.Load())
}

func names(r *state.Sessions[*counter]) string {
	var list []string
	for _, s := range r.List() {
		list = append(list, s.Name)
	}
	return strings.Join(list, " ")
}

func want(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func TestSessionsApart(t *testing.T) {
	r, _ := sessions(state.SessionOptions[*counter]{})
	a, b := get(t, r, "a"), get(t, r, "b")
	a.State.Append("plants", []byte(`"Rose"`), 0)
	a.Value().n.Add(1)
	b.State.Delete("plants", "1", state.Any)
	want(t, "a", texts(a), `"Fern" "Rose" 1`)
	want(t, "b", texts(b), ` 0`)
	want(t, "default", texts(get(t, r, "")), `"Fern" 0`)
	if get(t, r, "a") != a || get(t, r, "default") != get(t, r, "") {
		t.Error("a name gives another session")
	}
	want(t, "names", names(r), "default a b")
}

func TestSnapshots(t *testing.T) {
	r, _ := sessions(state.SessionOptions[*counter]{Snapshots: 2})
	s := get(t, r, "a")
	if s.Restore("x") {
		t.Error("restored what is not there")
	}
	item, _ := s.State.Append("plants", []byte(`"Rose"`), 0)
	s.Value().n.Add(1)
	if err := s.Snapshot("x"); err != nil {
		t.Error(err)
	}
	changed, _, err := s.State.Put("plants", item.Key, []byte(`"Red rose"`), 0, state.Match(item.Version))
	if err != nil {
		t.Error(err)
	}
	s.Value().n.Add(1)
	want(t, "after", texts(s), `"Fern" "Red rose" 2`)
	for range 2 {
		s.Restore("x")
		want(t, "restored", texts(s), `"Fern" "Rose" 1`)
		s.State.Delete("plants", "1", state.Any)
		s.Value().n.Add(5)
	}
	again, _, _ := s.State.Put("plants", item.Key, []byte(`"White rose"`), 0, state.Existing)
	if again.Version <= changed.Version {
		t.Errorf("version %d comes again as %d", changed.Version, again.Version)
	}
	if err := s.Snapshot("y"); err != nil {
		t.Error(err)
	}
	if err := s.Snapshot("z"); err == nil {
		t.Error("more snapshots than the limit")
	}
	if !s.Forget("x") || s.Forget("x") || !slices.Equal(s.Snapshots(), []string{"y"}) {
		t.Error(s.Snapshots())
	}
	r.Reset("a")
	want(t, "reset", texts(s), `"Fern" 0`)
	s.Restore("y")
	want(t, "snapshot after reset", texts(s), `"White rose" 6`)
}

func TestForkSession(t *testing.T) {
	r, _ := sessions(state.SessionOptions[*counter]{})
	a := get(t, r, "a")
	a.State.Append("plants", []byte(`"Rose"`), 0)
	a.Value().n.Add(1)
	b, err := r.Fork("a", "b")
	if err != nil {
		t.Fatal(err)
	}
	a.State.Append("plants", []byte(`"Oak"`), 0)
	b.State.Append("plants", []byte(`"Ivy"`), 0)
	b.Value().n.Add(1)
	want(t, "a", texts(a), `"Fern" "Rose" "Oak" 1`)
	want(t, "b", texts(b), `"Fern" "Rose" "Ivy" 2`)
	if _, err := r.Fork("a", "b"); !errors.Is(err, state.ErrSession) {
		t.Error(err)
	}
	if _, err := r.Fork("a", "default"); !errors.Is(err, state.ErrSession) {
		t.Error(err)
	}
}

func TestDeleteSession(t *testing.T) {
	r, _ := sessions(state.SessionOptions[*counter]{})
	get(t, r, "a").State.Append("plants", []byte(`"Rose"`), 0)
	get(t, r, "").State.Append("plants", []byte(`"Oak"`), 0)
	if !r.Delete("a") || r.Delete("a") || r.Reset("a") || r.Lookup("a") != nil {
		t.Error("a deleted session is there")
	}
	if !r.Delete("default") {
		t.Error("default cannot be deleted")
	}
	want(t, "default", texts(get(t, r, "")), `"Fern" 0`)
	want(t, "a", texts(get(t, r, "a")), `"Fern" 0`)
}

func TestNames(t *testing.T) {
	r, _ := sessions(state.SessionOptions[*counter]{})
	for _, name := range []string{"a", strings.Repeat("x", 64), "suite/1#2?~!"} {
		get(t, r, name)
	}
	for _, name := range []string{" ", "a b", "ä", "a\n", "\x7f", strings.Repeat("x", 65), strings.Repeat("x", 1<<20)} {
		_, _, err := r.Get(name)
		if err == nil || len(err.Error()) > 300 {
			t.Errorf("%.70q: %v", name, err)
		}
		if _, err := r.Fork("a", name); err == nil {
			t.Errorf("forked to %.70q", name)
		}
		if err := get(t, r, "a").Snapshot(name); err == nil {
			t.Errorf("snapshot %.70q", name)
		}
	}
}

func TestSessionBounds(t *testing.T) {
	r, c := sessions(state.SessionOptions[*counter]{Sessions: 3, Idle: time.Minute})
	for _, name := range []string{"a", "b", "c"} {
		get(t, r, name)
	}
	get(t, r, "a") // used later than b
	get(t, r, "d")
	want(t, "least recently used", names(r), "default a c d")
	c.seconds.Add(50)
	get(t, r, "c").State.Append("plants", []byte(`"Rose"`), 0)
	c.seconds.Add(30)
	want(t, "idle", names(r), "default c")
	if r.Lookup("a") != nil || texts(get(t, r, "c")) != `"Fern" "Rose" 0` {
		t.Error("a is there or c is another")
	}
	get(t, r, "a")
	want(t, "idle dropped", names(r), "default a c")
	c.seconds.Add(100)
	get(t, r, "f")
	want(t, "all idle", names(r), "default f")
}

// TestSuites runs a hundred suites at once, each in a session of its own, over
// one base of many items: each sees what it did and nothing else.
func TestSuites(t *testing.T) {
	base := state.New(state.Limits{})
	for i := range 5000 {
		base.Append("plants", fmt.Appendf(nil, "%d", i), state.Seeded)
	}
	r := state.NewSessions(base.View(), state.SessionOptions[*counter]{
		New: func() *counter { return &counter{} }, Fork: (*counter).fork})
	var suites sync.WaitGroup
	for suite := range 100 {
		suites.Go(func() {
			name := fmt.Sprint("suite-", suite)
			for i := range 60 {
				s, _, err := r.Get(name)
				if err != nil {
					t.Error(err)
					return
				}
				text := fmt.Appendf(nil, "%s-%d", name, i)
				item, err := s.State.Append("plants", text, 0)
				if err != nil || item.Key != fmt.Sprint(5001+i) {
					t.Errorf("%s: %v, %v", name, item, err)
				}
				if _, _, err := s.State.Delete("plants", fmt.Sprint(suite*40+i), state.Any); err != nil {
					t.Error(err)
				}
				s.Value().n.Add(1)
				if i == 20 {
					if err := s.Snapshot("x"); err != nil {
						t.Error(err)
					}
				}
				v := s.State.View()
				if got, _ := v.Get("plants", item.Key); got == nil || string(got.JSON) != string(text) {
					t.Errorf("%s: %v", name, got)
				}
			}
			s, _, _ := r.Get(name)
			mine := func() (n int) {
				for item := range s.State.View().Items("plants", 0) {
					if strings.Contains(string(item.JSON), "-") {
						if n++; !strings.HasPrefix(string(item.JSON), name+"-") {
							t.Errorf("%s sees %s", name, item.JSON)
						}
					}
				}
				return n
			}
			if n := mine(); n != 60 || s.Value().n.Load() != 60 {
				t.Errorf("%s has %d of its own, %d counted", name, n, s.Value().n.Load())
			}
			s.Restore("x")
			if n := mine(); n != 21 || s.Value().n.Load() != 21 {
				t.Errorf("%s has %d of its own again, %d counted", name, n, s.Value().n.Load())
			}
		})
	}
	suites.Wait()
	if n := len(r.List()); n != 101 {
		t.Errorf("%d sessions", n)
	}
	if n := r.Base().Total(); n != 5000 {
		t.Errorf("the base has %d items", n)
	}
}

// TestOneSession has writers, readers and forks in one State at once.
func TestOneSession(t *testing.T) {
	const writers, each = 8, 150
	s := state.New(state.Limits{})
	var workers sync.WaitGroup
	for w := range writers {
		workers.Go(func() {
			mine := fmt.Sprint("plants/", w, "/leaves")
			for i := range each {
				s.Append("plants", []byte(`{}`), 0)
				s.Insert(mine, fmt.Sprint(i), []byte(`{}`), 0)
				if item, _ := s.Get(mine, fmt.Sprint(i)); item == nil {
					t.Errorf("no %s %d", mine, i)
				}
				v := s.View()
				n := 0
				for range v.Items("plants", 0) {
					n++
				}
				if n != v.Len("plants") || n < i+1 || v.Len(mine) != i+1 {
					t.Errorf("%d items, %d, %d", n, v.Len("plants"), v.Len(mine))
				}
				if i%50 == 0 {
					f := state.NewFrom(v, state.Limits{})
					f.Clear("plants")
					if f.View().Len("plants") != 0 || v.Len("plants") != n {
						t.Error("a fork is not apart")
					}
				}
			}
		})
	}
	workers.Wait()
	if n := s.View().Len("plants"); n != writers*each {
		t.Errorf("%d plants", n)
	}
	for i := range writers * each {
		if item, _ := s.View().Get("plants", fmt.Sprint(i+1)); item == nil {
			t.Fatalf("no plant %d", i+1)
		}
	}
	// One of many who bring the same version writes.
	first, _ := s.View().Get("plants", "1")
	var won atomic.Int64
	for range writers {
		workers.Go(func() {
			if _, _, err := s.Put("plants", "1", []byte(`1`), 0, state.Match(first.Version)); err == nil {
				won.Add(1)
			}
		})
	}
	workers.Wait()
	if won.Load() != 1 {
		t.Errorf("%d writers of one version", won.Load())
	}
}

// TestVersions goes back and forth: no version stands for two texts.
func TestVersions(t *testing.T) {
	s := state.New(state.Limits{})
	empty := s.View()
	texts := map[uint64]string{}
	for i := range 20 {
		text := fmt.Sprint(i)
		item, _, err := s.Put("plants", "1", []byte(text), 0, state.Any)
		if err != nil {
			t.Fatal(err)
		}
		if other, known := texts[item.Version]; known {
			t.Errorf("version %d is %s and %s", item.Version, other, text)
		}
		texts[item.Version] = text
		switch i % 5 {
		case 3:
			s.Restore(empty)
		case 4:
			s.ClearAll()
		}
	}
}

func TestBelow(t *testing.T) {
	for _, c := range [][2]string{{"7", "owners/7/plants"}, {"a/b", "owners/a%2Fb/plants"}, {"a%2Fb", "owners/a%252Fb/plants"}, {"", "owners//plants"}} {
		want(t, c[0], state.Below("owners", c[0], "plants"), c[1])
	}
}

func TestTooLarge(t *testing.T) {
	s := state.New(state.Limits{Bytes: 100})
	if _, err := s.Insert("plants", "1", make([]byte, 100), 0); !errors.Is(err, state.ErrTooLarge) {
		t.Error(err)
	}
	if _, err := s.Insert("plants", "1", make([]byte, 99), 0); err != nil {
		t.Error(err)
	}
}

// TestRebase: a session in which nothing was written goes over to a new base,
// others do at their reset.
func TestRebase(t *testing.T) {
	before, after := state.New(state.Limits{}), state.New(state.Limits{})
	before.Append("plants", []byte(`{"name":"Fern"}`), 0)
	after.Append("plants", []byte(`{"name":"Oak"}`), 0)
	r := state.NewSessions(before.View(), state.SessionOptions[int]{New: func() int { return 0 }, Fork: func(n int) int { return n }})
	quiet, _, _ := r.Get("quiet")
	busy, _, _ := r.Get("busy")
	busy.State.Append("plants", []byte(`{}`), 0)
	r.SetBase(after.View())
	for session, want := range map[*state.Session[int]]string{quiet: "Oak", busy: "Fern", r.Lookup(""): "Oak"} {
		if item, _ := session.State.Get("plants", "1"); !strings.Contains(string(item.JSON), want) {
			t.Errorf("%s has %s, want %s", session.Name, item.JSON, want)
		}
	}
	r.Reset("busy")
	if item, _ := busy.State.Get("plants", "1"); string(item.JSON) != `{"name":"Oak"}` {
		t.Errorf("after its reset it has %s", item.JSON)
	}
}

// TestOrder: the place of each item, and the way from the newest to the oldest,
// where some are gone.
func TestOrder(t *testing.T) {
	s := state.New(state.Limits{})
	for range 3000 {
		s.Append("plants", []byte(`{}`), 0)
	}
	for i := 1; i <= 3000; i += 1 + i%5 {
		s.Delete("plants", strconv.Itoa(i), state.Any)
	}
	v := s.View()
	oldest := v.List("plants", 0, 3000)
	for i, item := range oldest {
		if at := v.Place(item); at != i {
			t.Fatalf("%s is at %d, not %d", item.Key, at, i)
		}
	}
	for _, skip := range []int{0, 1, 40, 1234, len(oldest) - 1, len(oldest)} {
		newest := slices.Collect(v.Newest("plants", skip))
		slices.Reverse(newest)
		if !slices.Equal(newest, oldest[:len(oldest)-skip]) {
			t.Errorf("without the last %d: %d items", skip, len(newest))
		}
	}
}
