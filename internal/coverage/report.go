package coverage

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Report is the coverage so far.
type Report struct {
	Session string `json:"session,omitempty"` // "" for all sessions together
	Summary
	Kinds      []KindReport      `json:"kinds"`
	Operations []OperationReport `json:"operations"` // in the document's order
}

// Summary counts points.
type Summary struct {
	Covered int     `json:"covered"`
	Total   int     `json:"total"`
	Percent float64 `json:"percent"` // rounded down to a tenth; 100 if there is nothing to cover
}

// KindReport summarizes all points of a kind.
type KindReport struct {
	Kind string `json:"kind"`
	Summary
}

// OperationReport is the report on one operation, which is a point itself.
type OperationReport struct {
	Operation string `json:"operation"` // operationId, or "METHOD path"
	Method    string `json:"method"`
	Path      string `json:"path"`
	Hits      uint64 `json:"hits"`
	Place
	Summary
	Points []Point `json:"points"` // the operation's points
}

// Point is one part that can be used.
type Point struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	// Hits is the number of uses. For parts of responses, and for one session, it is only 0 or 1 or more.
	Hits uint64 `json:"hits"`
	Place
	within int // index in OperationReport.Points; -1 for the operation
}

// Place is the place of a point in the document.
type Place = exchange.Place

func (s *Summary) count(used bool) {
	s.Total++
	if used {
		s.Covered++
	}
}

// percent sets Percent after counting.
func (s *Summary) percent() {
	s.Percent = 100
	if s.Total > 0 {
		s.Percent = math.Floor(1000*float64(s.Covered)/float64(s.Total)) / 10
	}
}

// Reaches reports whether at least so many percent of the points were used, without rounding.
func (s *Summary) Reaches(percent float64) bool {
	return s.Total == 0 || float64(s.Covered)*100 >= percent*float64(s.Total)
}

// Report returns the report for all sessions together. It lays out the remaining operations.
func (c *Coverage) Report() *Report {
	return c.report("", func(o *operation, i int) uint64 { return o.total[i].Load() })
}

// Session returns the report for one session; nil if it has used nothing.
func (c *Coverage) Session(name string) *Report {
	t := (*c.sessions.Load())[name]
	if t == nil {
		return nil
	}
	return c.report(name, func(o *operation, i int) uint64 {
		if b := t.operations[o.index].Load(); b != nil && b.has(i) {
			return 1
		}
		return 0
	})
}

// Empty returns the report for a session that has used nothing.
func (c *Coverage) Empty(session string) *Report {
	return c.report(session, func(*operation, int) uint64 { return 0 })
}

func (c *Coverage) report(session string, hits func(*operation, int) uint64) *Report {
	r := &Report{Session: session, Operations: make([]OperationReport, 0, len(c.operations))}
	byKind := make(map[string]*Summary, len(kinds))
	for _, kind := range kinds {
		byKind[kind] = &Summary{}
	}
	for _, o := range c.operations {
		l := o.lay()
		operation := OperationReport{Operation: o.ID, Method: o.Method, Path: o.Path,
			Points: make([]Point, 0, len(l.points)-1)}
		for i, p := range l.points {
			n := hits(o, i)
			place := c.place(p)
			operation.count(n > 0)
			r.count(n > 0)
			byKind[p.kind].count(n > 0)
			if i == 0 {
				operation.Hits, operation.Place = n, place
				continue
			}
			operation.Points = append(operation.Points, Point{p.kind, p.name, n, place, p.within - 1})
		}
		operation.percent()
		r.Operations = append(r.Operations, operation)
	}
	r.percent()
	for _, kind := range kinds {
		if kind == KindConstraint && !c.constraints {
			continue
		}
		byKind[kind].percent()
		r.Kinds = append(r.Kinds, KindReport{kind, *byKind[kind]})
	}
	return r
}

// place returns the place that reports show for a point.
func (c *Coverage) place(p point) Place {
	place := p.place
	if p.node != nil {
		place = p.node.Place()
	}
	return c.contract.PlaceOfName(place)
}

// Missing is an unused part, with the number of points inside.
type Missing struct {
	Point
	Inside int // points
}

// Missing returns the unused parts in the document's order: operations, and the unused parts of used operations.
func (r *Report) Missing() []Missing {
	var missing []Missing
	for i := range r.Operations {
		missing = append(missing, r.Operations[i].Missing()...)
	}
	return missing
}

// Missing returns the operation if it was not used, else its unused parts, in the document's order.
func (o *OperationReport) Missing() []Missing {
	if o.Hits == 0 {
		return []Missing{{Point{Kind: KindOperation, Name: o.Method + " " + o.Path, Place: o.Place}, len(o.Points)}}
	}
	var missing []Missing
	at := make([]int, len(o.Points)) // index into missing plus 1
	for i, p := range o.Points {
		switch {
		case p.Hits > 0:
		case p.within >= 0 && at[p.within] > 0:
			at[i] = at[p.within]
			missing[at[i]-1].Inside++
		default:
			missing = append(missing, Missing{Point: p})
			at[i] = len(missing)
		}
	}
	return missing
}

// Untried returns the constraints of an operation's requests that no request violated, in the document's order.
func (o *OperationReport) Untried() []Point {
	var untried []Point
	for _, p := range o.Points {
		if p.Kind == KindConstraint && p.Hits == 0 {
			untried = append(untried, p)
		}
	}
	return untried
}

// String returns the name of the part and its place.
func (m Missing) String() string {
	text := m.Point.String()
	if m.Inside > 0 {
		text += " with " + strconv.Itoa(m.Inside) + " inside"
	}
	return text
}

// String returns the name of the point and its place.
func (p Point) String() string {
	if p.Kind == KindOperation {
		return p.Label()
	}
	return p.Kind + " " + p.Label()
}

// Label is String without the kind.
func (p Point) Label() string {
	text := p.Name
	if place := p.Place.String(); place != "" {
		text += " (" + place + ")"
	}
	return text
}

// JSON returns the report in the format of the control API, indented.
func (r *Report) JSON() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(r)
	return b.Bytes(), err
}
