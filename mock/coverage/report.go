package coverage

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

func itoa(i int) string { return strconv.Itoa(i) }

// Report is what has been used so far.
type Report struct {
	Covered    int               `json:"covered"`
	Total      int               `json:"total"`
	Percent    float64           `json:"percent"` // 100 where there is nothing to cover
	Operations []OperationReport `json:"operations"`
}

// OperationReport is about one operation; it counts as a point itself.
type OperationReport struct {
	Operation string  `json:"operation"`
	Hits      uint64  `json:"hits"`
	Covered   int     `json:"covered"`
	Total     int     `json:"total"`
	Points    []Point `json:"points"`
	file      string
	line      int
}

// Point is one thing that can be used.
type Point struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	Hits uint64 `json:"hits"` // of what responses have, at least 1 once it was served
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// Report lays out what has not been asked for yet and counts.
func (c *Coverage) Report() *Report {
	r := &Report{Operations: []OperationReport{}}
	for _, o := range c.operations {
		o.lay()
		operation := OperationReport{Operation: o.ID, Hits: o.hits.Load(), Total: 1 + len(o.points), Points: make([]Point, len(o.points)),
			file: o.Place.File, line: o.Place.Line}
		if operation.Hits > 0 {
			operation.Covered++
		}
		for i, p := range o.points {
			operation.Points[i] = Point{p.kind, p.name, p.hits.Load(), p.place.File, p.place.Line}
			if operation.Points[i].Hits > 0 {
				operation.Covered++
			}
		}
		r.Covered, r.Total = r.Covered+operation.Covered, r.Total+operation.Total
		r.Operations = append(r.Operations, operation)
	}
	r.Percent = 100
	if r.Total > 0 {
		r.Percent = float64(int(1000*float64(r.Covered)/float64(r.Total))) / 10
	}
	return r
}

// Text gives the report for people: each operation with what was not used.
func (r *Report) Text() string {
	var b strings.Builder
	for _, o := range r.Operations {
		fmt.Fprintf(&b, "%s: %d of %d\n", o.Operation, o.Covered, o.Total)
		if o.Hits == 0 {
			continue
		}
		for _, p := range o.Points {
			if p.Hits == 0 {
				fmt.Fprintf(&b, "  not used: %s %s (%s:%d)\n", p.Kind, p.Name, p.File, p.Line)
			}
		}
	}
	fmt.Fprintf(&b, "%d of %d used, %.1f %%\n", r.Covered, r.Total, r.Percent)
	return b.String()
}

// LCOV gives the report in the format of lcov's tracefiles (geninfo(1)), on
// the lines of the document. What shares a line is summed up.
func (r *Report) LCOV() string {
	files := map[string]map[int]uint64{}
	add := func(file string, line int, hits uint64) {
		if file == "" || line == 0 {
			return
		}
		if files[file] == nil {
			files[file] = map[int]uint64{}
		}
		files[file][line] += hits
	}
	for _, o := range r.Operations {
		add(o.file, o.line, o.Hits)
		for _, p := range o.Points {
			add(p.File, p.Line, p.Hits)
		}
	}
	var b strings.Builder
	for _, file := range slices.Sorted(maps.Keys(files)) {
		lines, hit := files[file], 0
		fmt.Fprintf(&b, "TN:\nSF:%s\n", file)
		for _, line := range slices.Sorted(maps.Keys(lines)) {
			fmt.Fprintf(&b, "DA:%d,%d\n", line, lines[line])
			if lines[line] > 0 {
				hit++
			}
		}
		fmt.Fprintf(&b, "LF:%d\nLH:%d\nend_of_record\n", len(lines), hit)
	}
	return b.String()
}
