package impact

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
)

// handler is the mock of one run: it applies a change to the responses of the plain mock.
type handler struct {
	mock     http.Handler
	contract *contract
	change   *Change  // nil in a plain run
	traffic  *traffic // records a plain run; nil in others
	sent     *echoes
	changed  sync.Map     // of *resource.Resource: collections that the suite has changed
	applied  atomic.Int64 // how often the change had an effect
}

// ServeHTTP implements http.Handler.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var match route.Match
	if h.contract.router.Find(r.Method, r.URL.EscapedPath(), &match) != route.Found {
		h.mock.ServeHTTP(w, r) // the control API, pictures, preflights
		return
	}
	op := match.Operation
	body := h.contract.sent(op, match.Values, r)
	if h.change.isOf(op) && (h.change.Kind == errorKind || h.change.Files != nil) {
		h.applied.Add(1)
		if h.change.Files == nil {
			r.Header.Add("Prefer", "code="+strconv.Itoa(h.change.status))
		}
	}
	held := &holder{ResponseWriter: w, bodiless: r.Method == "HEAD"}
	h.mock.ServeHTTP(held, r)
	status := held.status
	if status == 0 {
		status = http.StatusOK
	}
	if status < 400 {
		h.sent.add(body)
		h.noteChange(op)
	}
	header, text := w.Header(), held.body.Bytes()
	documented := op.Response(status)
	if held.holds {
		media, value := h.contract.body(documented, header, text)
		if h.traffic != nil {
			h.traffic.add(h, op, documented, status, media, value, header)
		} else if h.change.isOf(op) && h.change.Files == nil && media != nil &&
			h.apply(op, documented, media, value, header, &text) {
			h.applied.Add(1)
		}
		header.Set("Content-Length", strconv.Itoa(len(text)))
		w.WriteHeader(status)
		w.Write(text)
	} else if h.traffic != nil {
		h.traffic.add(h, op, documented, status, nil, nil, header)
	}
}

// noteChange notes what collections a successful request changes.
func (h *handler) noteChange(op *spec.Operation) {
	if op.Method == "GET" || op.Method == "HEAD" {
		return
	}
	if b := h.contract.plan.Of(op); b != nil {
		h.changed.Store(b.Resource, true)
		if b.Makes != nil {
			h.changed.Store(b.Makes.Resource, true)
		}
	}
}

// listing returns how a response shows a collection that the suite has not changed, or a list of nothing that is kept;
// nil if it shows none.
func (h *handler) listing(op *spec.Operation, documented *spec.Response, value any) *resource.Listing {
	b := h.contract.plan.Of(op)
	if _, isList := value.([]any); isList && op.Method == "GET" && (b == nil || b.List == nil) {
		return &resource.Listing{}
	}
	if b == nil || b.Role != resource.List || b.List == nil || b.Success != documented {
		return nil
	}
	if h.hasChanged(b.Resource) {
		return nil
	}
	return b.List
}

// isKept reports whether a property shows the items of a collection: the items of the list itself, which is varied as a
// whole, or the items of a collection that the suite has changed.
func (h *handler) isKept(op *spec.Operation, p *place) bool {
	b := h.contract.plan.Of(op)
	switch {
	case b == nil:
		return false
	case b.List != nil && len(b.List.Items.Path) > 0 && p.path == strings.Join(b.List.Items.Path, "."):
		return true
	}
	return b.Resource != nil && h.hasChanged(b.Resource.Lists[p.member.Name])
}

func (h *handler) hasChanged(r *resource.Resource) bool {
	_, changed := h.changed.Load(r)
	return changed && r != nil
}

// apply applies the change to a response. It reports whether that had an effect: the result must conform.
func (h *handler) apply(
	op *spec.Operation, documented *spec.Response, media *spec.MediaType, value any, header http.Header, text *[]byte,
) bool {
	c := h.change
	if c.field != "" {
		_, there := header[c.field]
		delete(header, c.field)
		return there
	}
	changed := value
	if c.list {
		l := h.listing(op, documented, value)
		if l == nil {
			return false
		}
		fields := maps.Clone(header)
		if c.Kind == emptyKind {
			changed = emptied(l, value, fields)
		} else {
			changed = last(l, value, fields)
		}
		if changed == nil || !media.Conforms(changed) {
			return false
		}
		clear(header)
		maps.Copy(header, fields)
	} else if !h.vary(op, media, value) {
		return false
	}
	*text = jsontext.Append(nil, changed)
	return true
}

// vary changes a property in all objects of a body where the result conforms and the suite has not sent the value.
func (h *handler) vary(op *spec.Operation, media *spec.MediaType, value any) bool {
	kind, varied := kindOf(h.change.Kind), false
	walk(media, value, func(p place, object map[string]any) {
		before := object[p.member.Name]
		if p.key() != h.change.key || !kind.varies(before) || h.sent.has(p.member.Name, before) || h.isKept(op, &p) {
			return
		}
		if kind.apply(&p, object); media.Conforms(value) {
			varied = true
		} else {
			object[p.member.Name] = before
		}
	})
	return varied
}

// holder holds the whole body of a JSON response back; others pass.
type holder struct {
	http.ResponseWriter
	bodiless bool // the response to HEAD
	status   int  // 0 until it is known
	holds    bool
	body     bytes.Buffer
}

func (w *holder) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	if status < 200 {
		w.ResponseWriter.WriteHeader(status) // an interim response
		return
	}
	w.status = status
	media, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
	media = strings.ToLower(strings.TrimSpace(media))
	encoded := w.Header().Get("Content-Encoding") != ""
	if w.holds = !encoded && !w.bodiless && status != http.StatusPartialContent &&
		(strings.HasSuffix(media, "/json") || strings.HasSuffix(media, "+json")); !w.holds {
		w.ResponseWriter.WriteHeader(status)
	}
}

func (w *holder) Write(text []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.holds {
		return w.body.Write(text)
	}
	return w.ResponseWriter.Write(text)
}

// FlushError sends what passes, for http.ResponseController.
func (w *holder) FlushError() error {
	if w.holds {
		return nil
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap lets an http.ResponseController hijack.
func (w *holder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// traffic is what a suite uses of a document, as a plain run shows it.
type traffic struct {
	mu         sync.Mutex
	operations map[*spec.Operation]*used
	places     map[string]*seenPlace
}

// used is what was seen of an operation.
type used struct {
	requests int
	statuses map[int]int
	fields   map[string]bool // names of documented fields of successful responses
	lists    map[string]bool // kinds that its pages can be varied by
}

// seenPlace is a property that responses have.
type seenPlace struct {
	place
	operations []*spec.Operation
	varies     map[string]bool // kinds that would change a value that the suite has not sent
	echoed     bool            // the suite has sent a value
}

func (t *traffic) add(
	h *handler, op *spec.Operation, documented *spec.Response, status int, media *spec.MediaType, value any,
	header http.Header,
) {
	t.mu.Lock()
	defer t.mu.Unlock()
	u := t.operations[op]
	if u == nil {
		u = &used{statuses: map[int]int{}, fields: map[string]bool{}, lists: map[string]bool{}}
		t.operations[op] = u
	}
	u.requests++
	u.statuses[status]++
	if documented == nil || status >= 400 {
		return
	}
	for _, f := range documented.Headers {
		if header.Get(f.Name) != "" {
			u.fields[f.Name] = true
		}
	}
	if media == nil {
		return
	}
	if l := h.listing(op, documented, value); l != nil {
		t.addList(u, l, media, value, header)
	}
	walk(media, value, func(p place, object map[string]any) {
		if h.isKept(op, &p) {
			return
		}
		s := t.places[p.key()]
		if s == nil {
			s = &seenPlace{place: p, varies: map[string]bool{}}
			t.places[p.key()] = s
		}
		if !slices.Contains(s.operations, op) {
			s.operations = append(s.operations, op)
		}
		before := object[p.member.Name]
		if h.sent.has(p.member.Name, before) {
			s.echoed = true
			return
		}
		for _, k := range kinds {
			if k.possible != nil && !s.varies[k.Name] && k.varies(before) {
				s.varies[k.Name] = true
			}
		}
	})
}

func (t *traffic) addList(u *used, l *resource.Listing, media *spec.MediaType, value any, header http.Header) {
	list, _ := jsonvalue.Property(value, l.Items.Path)
	items, _ := list.([]any)
	if empty := emptied(l, value, maps.Clone(header)); len(items) > 0 && media.Conforms(empty) {
		u.lists[emptyKind] = true
	}
	if end := last(l, value, maps.Clone(header)); end != nil && media.Conforms(end) {
		u.lists[lastPageKind] = true
	}
}
