package resources

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/mock/internal/prefer"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

const (
	// StreamInterval is the time between generated events.
	StreamInterval = 5 * time.Second
	// StreamPause is the longest silence of a stream: then a comment is sent.
	StreamPause = 15 * time.Second

	maxRecorded     = 100 // items that a stream begins with
	generatedEvents = 3   // with which a stream begins if there are no items
)

// Stream is the rest of a response of server-sent events, which stays open after its first events.
type Stream struct {
	q        Request
	of       *eventStream
	history  *state.History
	position uint64 // the version of the last change that was sent
	number   int    // of the generated events that were sent
}

// stream begins a stream of events, if the request is for one that stays open: a GET that asks for no number of events
// and no example. The answer has the first events unless answered is false: then they are the document's.
func (s *Set) stream(q *Request) (stream *Stream, answered bool, refusal *respond.Refusal) {
	p := q.Preferences
	if q.Method != "GET" || s.options.Stateless || q.Documented == nil || q.answer.Status >= 300 ||
		p.Example != "" || p.Has(prefer.Count) || p.Has(prefer.Wait) && p.Wait == 0 {
		return nil, false, nil
	}
	if q.negotiate(); q.media == nil || !q.media.IsEvents() {
		return nil, false, nil
	}
	if q.op != nil {
		q.collection = q.op.Collection(q.pathText)
		if m := s.MissingParent(q.op, q.get, q.pathText); m != nil {
			errors.As(noSuchItem(m.Runtime, m.Key, m.Deleted, exchange.InPath, m.Variable), &refusal)
			return nil, false, refusal
		}
		if q.op.KeyIn == resource.InPath {
			if _, err := findOrMissing(q); errors.As(err, &refusal) {
				return nil, false, refusal
			}
		}
	}
	of := s.eventStreamOf(q)
	hasExample := s.responder.Body(q.media).Example("") != nil
	if hasExample && len(of.forms) == 0 { // the example is the whole stream
		return nil, false, nil
	}
	history, version := q.Session.Watch()
	if history.IsFull() {
		return nil, false, &respond.Refusal{Problem: respond.Overloaded, Findings: []exchange.Finding{{
			Code: "too-many-streams", Message: "the session has as many open streams as it may have", In: exchange.InRequest,
		}}}
	}
	stream = &Stream{q: *q, of: of, history: history, position: version}
	q.answer.Header.Set("Cache-Control", "no-store")
	if after, ok := lastEventID(q); ok && len(of.forms) > 0 {
		q.answer.SetBytes(q.media.Concrete(), commented(stream.resume(after, version)))
		return stream, true, nil
	}
	if len(of.forms) == 0 || hasExample {
		stream.number = generatedEvents
		return stream, false, nil
	}
	q.answer.SetBytes(q.media.Concrete(), commented(stream.first(version)))
	return stream, true, nil
}

// silence is a comment, by which a client notices that the stream is open.
const silence = ":\n\n"

// commented returns the first events of a stream; a comment if there are none.
func commented(text []byte) []byte {
	if len(text) == 0 {
		return []byte(silence)
	}
	return text
}

// lastEventID returns the version in the id of the last event that a client has seen: the field Last-Event-ID, or a
// documented query parameter of that name.
func lastEventID(q *Request) (uint64, bool) {
	text, ok := q.Header.Get("Last-Event-ID")
	for name, value := range q.Values.Query {
		if !ok && naming.Fold(name) == "lasteventid" {
			text, ok = jsonvalue.Text(value)
		}
	}
	text, _, _ = strings.Cut(text, "-")
	version, err := strconv.ParseUint(text, 10, 64)
	return version, ok && err == nil
}

// resume begins after a version: with the changes since, or with the items that are newer if the changes are no longer
// known.
func (s *Stream) resume(after, version uint64) (text []byte) {
	if after > version {
		return nil
	}
	changes, _, ok := s.history.After(after)
	if ok {
		for _, c := range changes {
			text = append(text, s.event(c)...)
			s.position = max(s.position, c.Version)
		}
		return text
	}
	for _, item := range s.kept(after, version) {
		text = append(text, s.event(state.Change{Version: item.Version, Kind: state.Changed, Item: item})...)
	}
	return text
}

// first returns the first events: what was recorded, or else generated ones.
func (s *Stream) first(version uint64) (text []byte) {
	for _, item := range s.kept(0, version) {
		text = append(text, s.event(state.Change{Version: item.Version, Kind: state.Created, Item: item})...)
	}
	if len(text) > 0 || s.q.set.options.RefuseUnknown {
		return text
	}
	for _, k := range s.of.runtimes() {
		for _, item := range s.initialItems(k) {
			if s.number == generatedEvents {
				return text
			}
			id := strconv.FormatUint(version, 10) + "-" + strconv.Itoa(s.number+1)
			if event := s.write(k, state.Created, id, item.Value); event != nil {
				text = append(text, event...)
				s.number++
			}
		}
	}
	return text
}

// kept returns the newest items of the stream that were changed after a version and up to another, by their versions.
func (s *Stream) kept(after, upTo uint64) []*state.Item {
	var items []*state.Item
	for item := range s.q.view().All() {
		if item.Version > after && item.Version <= upTo && item.Flags&state.Seeded == 0 && s.runtimeOf(item) != nil {
			items = append(items, item)
		}
	}
	slices.SortFunc(items, func(a, b *state.Item) int { return int(int64(a.Version) - int64(b.Version)) })
	return items[max(0, len(items)-maxRecorded):]
}

// initialItems returns the first items of a list of the resource that has no other variables than the stream's path.
func (s *Stream) initialItems(k *Runtime) []Item {
	for _, b := range k.Bindings {
		op := k.operations[b]
		isOther := func(v resource.Variable) bool { return s.q.Values.Path[v.Name] == nil }
		if op == nil || op.Role != resource.List || op.elements == nil || slices.ContainsFunc(b.Scope, isOther) {
			continue
		}
		as := s.q
		as.op = op
		as.collection = op.Collection(as.pathText)
		items := initial(&as).items
		return decoded(&as, slices.Clone(items[:min(len(items), generatedEvents)]))
	}
	return nil
}

// Run writes events until done is closed, the client leaves, the session is reset or the time that the client asked
// for is over. A client that is more than 256 changes behind is dropped.
func (s *Stream) Run(write func([]byte) error, done <-chan struct{}) {
	if !s.history.Enter() {
		return
	}
	defer s.history.Leave()
	pause := time.NewTicker(StreamPause)
	defer pause.Stop()
	var over, tick <-chan time.Time
	if s.q.Preferences.Has(prefer.Wait) {
		timer := time.NewTimer(s.q.Preferences.Wait)
		defer timer.Stop()
		over = timer.C
	}
	if len(s.of.forms) == 0 {
		ticker := time.NewTicker(StreamInterval)
		defer ticker.Stop()
		tick = ticker.C
	}
	for {
		changes, next, ok := s.history.After(s.position)
		if !ok {
			return
		}
		for _, c := range changes {
			s.position = c.Version
			if text := s.event(c); text != nil && write(text) != nil {
				return
			}
		}
		var text []byte
		select {
		case <-done:
			return
		case <-over:
			return
		case <-next:
			continue
		case <-pause.C:
			text = []byte(silence)
		case <-tick:
			s.number++
			text = s.q.set.responder.Body(s.q.media).Event(s.q.Request, s.number)
		}
		if write(text) != nil {
			return
		}
	}
}

// event returns a change as an event; nil if it is not about the stream.
func (s *Stream) event(c state.Change) []byte {
	k := s.runtimeOf(c.Item)
	if k == nil {
		return nil
	}
	kind := c.Kind
	if kind == state.Created && c.Item.Flags&state.ByClient == 0 { // a generated item was there before
		kind = state.Changed
	}
	return s.write(k, kind, strconv.FormatUint(c.Version, 10), DecodeItem(c.Item))
}

// write returns an event about an item in the first form that takes it; nil if none.
func (s *Stream) write(k *Runtime, kind state.ChangeKind, id string, item map[string]any) []byte {
	for _, form := range s.of.forms {
		if form.of != k {
			continue
		}
		if name, data, ok := form.make(&s.q, kind, id, WithoutHidden(item)); ok {
			if !s.isWanted(form, name, data, item) {
				return nil
			}
			var text []byte
			if name != "" {
				text = append(text, "event: "+name+"\n"...)
			}
			text = append(text, "id: "+id+"\ndata: "...)
			return append(jsontext.Append(text, data), "\n\n"...)
		}
	}
	return nil
}

// runtimeOf returns the resource of an item that the stream concerns, in the scope of its path; nil if it is not.
func (s *Stream) runtimeOf(item *state.Item) *Runtime {
	for _, k := range s.of.runtimes() {
		if item.Collection == "/"+k.Name || strings.HasSuffix(item.Collection, "/"+k.Name) {
			if s.isInScope(k, item) {
				return k
			}
		}
	}
	return nil
}

// isInScope reports whether an item is below what the variables of the stream's path name: by its collection, or by a
// property that has the same name as the variable or refers to the same resource. What neither says is in scope.
func (s *Stream) isInScope(k *Runtime, item *state.Item) bool {
	if len(s.q.Values.Path) == 0 {
		return true
	}
	object := DecodeItem(item)
	if object[fileData] != nil && object[fileType] != nil {
		return false
	}
	before := ""
	for segment := range strings.SplitSeq(s.q.Operation.Path, "/") {
		variable, isVariable := strings.CutPrefix(strings.TrimSuffix(segment, "}"), "{")
		if !isVariable {
			before = segment
			continue
		}
		value := s.q.pathText(variable)
		if naming.SingularName(before) == naming.SingularName(k.Name) { // events of the item itself
			if item.Key != value {
				return false
			}
			continue
		}
		if k.Scoped {
			if !strings.Contains(item.Collection+"/", state.Below("", value, "")) {
				return false
			}
			continue
		}
		for name, own := range object {
			folded := naming.Fold(name)
			isParent := len(k.ParentProperty) == 1 && k.ParentProperty[0] == name
			if isParent || folded == naming.Fold(variable) && variable != "id" || folded == naming.SingularName(before)+"id" {
				if text, _ := jsonvalue.Text(own); text != value {
					return false
				}
			}
		}
	}
	return true
}
