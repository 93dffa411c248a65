// Package coverage says which parts of an OpenAPI document were used, by the clients of a mock or by a contract test:
// operations, parameters, values of enums, media types, statuses, properties and, in a contract test, constraints. Each
// has its place in the document.
//
// A test can require a minimum, and print what is missing:
//
//	if r := server.Coverage(); !r.Reaches(80) {
//		t.Error(r.Text())
//	}
package coverage

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/coldframe/coldframe/report/exchange"
)

// The kinds of points.
const (
	KindOperation        = "operation"
	KindParameter        = "parameter"
	KindValue            = "value" // of an enum
	KindMediaType        = "media type"
	KindStatus           = "status"
	KindRequestProperty  = "request property"
	KindResponseProperty = "response property"
	KindConstraint       = "constraint" // of a request: it is tried if a request breaks it. Only contract tests count it
)

// Report says which parts of a document were used: the sums, and each operation with its points.
type Report struct {
	Session string `json:"session,omitempty"` // the mock's session that is counted; "" for all together
	Summary
	Kinds      []KindReport      `json:"kinds"`
	Operations []OperationReport `json:"operations"` // in the document's order
}

// Summary counts points. Parts of a document that several operations share count once for each.
type Summary struct {
	Covered int     `json:"covered"`
	Total   int     `json:"total"`
	Percent float64 `json:"percent"` // rounded down to a tenth; 100 if there is nothing to cover
}

// KindReport sums up all points of a kind.
type KindReport struct {
	Kind string `json:"kind"` // KindOperation and so on
	Summary
}

// OperationReport covers one operation, which counts as a point itself.
type OperationReport struct {
	Operation      string `json:"operation"` // operationId, or "METHOD path"
	Method         string `json:"method"`
	Path           string `json:"path"` // the template
	Hits           uint64 `json:"hits"` // how often it was used
	exchange.Place        // in the document
	Summary
	Points []Point `json:"points"` // what the operation has
}

// Point is one part of an operation that can be used.
type Point struct {
	Kind string `json:"kind"` // KindParameter and so on
	Name string `json:"name"` // query.limit, 200, 200 application/json
	// Hits is how often it was used. For what is in responses and for one session
	// it says only whether: at least 1.
	Hits           uint64 `json:"hits"`
	exchange.Place        // in the document
	// Within is the index in OperationReport.Points of the point that has this one: a status has its media types. It is
	// -1 for what the operation itself has.
	Within int `json:"-"`
}

// Reaches reports whether at least so many percent of the points were used, without rounding: 80 is 80 %. It is true if
// there are no points.
func (s *Summary) Reaches(percent float64) bool {
	return s.Total == 0 || float64(s.Covered)*100 >= percent*float64(s.Total)
}

// Missing is a point that was not used, together with the points inside of it.
type Missing struct {
	Point
	Inside int // how many points are inside of it
}

// Missing returns what was not used, in the document's order: whole operations, and the unused points of operations
// that were used.
func (r *Report) Missing() []Missing {
	var missing []Missing
	for i := range r.Operations {
		missing = append(missing, r.Operations[i].Missing()...)
	}
	return missing
}

// Missing returns the operation if it was not used, else its unused points, in the document's order.
func (o *OperationReport) Missing() []Missing {
	if o.Hits == 0 {
		return []Missing{{Point{Kind: KindOperation, Name: o.Method + " " + o.Path, Place: o.Place}, len(o.Points)}}
	}
	var missing []Missing
	at := make([]int, len(o.Points)) // in missing, from 1
	for i, p := range o.Points {
		switch {
		case p.Hits > 0:
		case p.Within >= 0 && at[p.Within] > 0:
			at[i] = at[p.Within]
			missing[at[i]-1].Inside++
		default:
			missing = append(missing, Missing{Point: p})
			at[i] = len(missing)
		}
	}
	return missing
}

// Untried returns the constraints of an operation's requests that no request broke, in the document's order.
func (o *OperationReport) Untried() []Point {
	var untried []Point
	for _, p := range o.Points {
		if p.Kind == KindConstraint && p.Hits == 0 {
			untried = append(untried, p)
		}
	}
	return untried
}

// String names what is missing and its place.
func (m Missing) String() string {
	text := m.Point.String()
	if m.Inside > 0 {
		text += " with " + strconv.Itoa(m.Inside) + " inside"
	}
	return text
}

// String names the point and its place.
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

// JSON returns the report as JSON, indented, as the control API of the mock writes it.
func (r *Report) JSON() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(r)
	return b.Bytes(), err
}
