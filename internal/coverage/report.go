package coverage

import (
	"math"

	"github.com/coldframe/coldframe/report/coverage"
	"github.com/coldframe/coldframe/report/exchange"
)

// The values of package report/coverage, which the machinery uses by these names.
type (
	Report          = coverage.Report
	Summary         = coverage.Summary
	KindReport      = coverage.KindReport
	OperationReport = coverage.OperationReport
	Point           = coverage.Point
	Place           = exchange.Place
)

// The kinds of points.
const (
	KindOperation        = coverage.KindOperation
	KindParameter        = coverage.KindParameter
	KindValue            = coverage.KindValue
	KindMediaType        = coverage.KindMediaType
	KindStatus           = coverage.KindStatus
	KindRequestProperty  = coverage.KindRequestProperty
	KindResponseProperty = coverage.KindResponseProperty
	KindConstraint       = coverage.KindConstraint
)

// count adds a point to a sum.
func count(s *Summary, used bool) {
	s.Total++
	if used {
		s.Covered++
	}
}

// setPercent completes a sum once all its points are counted.
func setPercent(s *Summary) {
	s.Percent = 100
	if s.Total > 0 {
		s.Percent = math.Floor(1000*float64(s.Covered)/float64(s.Total)) / 10
	}
}

// Report lays out what has not been asked for yet and counts for all sessions together.
func (c *Coverage) Report() *Report {
	return c.report("", func(o *operationCounts, i int) uint64 { return o.total[i].Load() })
}

// Session returns the report for one session; nil if it has used nothing.
func (c *Coverage) Session(name string) *Report {
	t := (*c.sessions.Load())[name]
	if t == nil {
		return nil
	}
	return c.report(name, func(o *operationCounts, i int) uint64 {
		if b := t.operations[o.index].Load(); b != nil && b.has(i) {
			return 1
		}
		return 0
	})
}

// Empty returns the report for a session that has used nothing.
func (c *Coverage) Empty(session string) *Report {
	return c.report(session, func(*operationCounts, int) uint64 { return 0 })
}

func (c *Coverage) report(session string, hits func(*operationCounts, int) uint64) *Report {
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
			count(&operation.Summary, n > 0)
			count(&r.Summary, n > 0)
			count(byKind[p.kind], n > 0)
			if i == 0 {
				operation.Hits, operation.Place = n, place
				continue
			}
			operation.Points = append(operation.Points,
				Point{Kind: p.kind, Name: p.name, Hits: n, Place: place, Within: p.within - 1})
		}
		setPercent(&operation.Summary)
		r.Operations = append(r.Operations, operation)
	}
	setPercent(&r.Summary)
	for _, kind := range kinds {
		if kind == KindConstraint && !c.constraints {
			continue
		}
		setPercent(byKind[kind])
		r.Kinds = append(r.Kinds, KindReport{Kind: kind, Summary: *byKind[kind]})
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
