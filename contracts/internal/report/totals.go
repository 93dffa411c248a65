package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/findings"
)

// leftOut says in a line for each reason what was left out.
func leftOut(r *findings.Report) []string {
	type group struct{ phase, reason string }
	type sum struct {
		cases      int
		operations []string
	}
	sums := map[group]*sum{}
	var order []group
	for _, l := range r.Skipped {
		g := group{l.Phase, l.Reason}
		if sums[g] == nil {
			sums[g] = &sum{}
			order = append(order, g)
		}
		s := sums[g]
		s.cases += l.Cases
		if l.Operation != "" && !slices.Contains(s.operations, l.Operation) {
			s.operations = append(s.operations, l.Operation)
		}
	}
	all := make([]string, len(order))
	for i, g := range order {
		s := sums[g]
		text := line(g.phase)
		if s.cases > 0 {
			text += ": " + plural(s.cases, "case")
		}
		switch n := len(s.operations); {
		case n == 1:
			text += " of " + line(s.operations[0])
		case n > 1:
			text += " of " + plural(n, "operation")
		}
		all[i] = strings.TrimPrefix(text+": "+line(g.reason), ": ")
	}
	return all
}

// totals says all in one line.
func totals(r *findings.Report) string {
	c := count(r)
	var parts []string
	if len(r.Findings) == 0 {
		parts = append(parts, "Nothing found")
	} else {
		found := plural(len(r.Findings), "finding")
		var of []string
		if c.errors < len(r.Findings) {
			for _, kind := range []struct {
				n    int
				name string
			}{{c.errors, "error"}, {c.warnings, "warning"}} {
				if kind.n > 0 {
					of = append(of, plural(kind.n, kind.name))
				}
			}
			if c.known > 0 {
				of = append(of, number(c.known)+" known")
			}
			found += " (" + strings.Join(of, ", ") + ")"
		}
		parts = append(parts, found+" in "+plural(c.faulty, "operation"))
	}
	parts = append(parts, fmt.Sprintf("%s and %s in %s", plural(len(r.Operations)-c.skipped, "operation"), plural(r.Requests, "request"), took(r.Took)))
	if r.Coverage != nil {
		parts = append(parts, fmt.Sprintf("%.1f %% of the document exercised", r.Coverage.Percent))
	}
	return strings.Join(append(parts, fmt.Sprintf("seed %d", r.Seed)), "; ")
}

// refused says why an operation's other answers prove little: what its plain
// requests were answered, with which all is well.
func refused(o *findings.OperationReport) string {
	if len(o.Plain) == 0 {
		return "nothing that it was asked was accepted"
	}
	return "its plain requests were not accepted (" + statuses(o.Plain) + "), so its refusals prove little"
}

// untestable says how many operations accepted no plain request, and what they
// answered instead; "" for none.
func untestable(r *findings.Report) string {
	n, by := 0, map[string]int{}
	for _, o := range r.Operations {
		if o.Skipped != "" || o.Accepted || len(o.Plain) == 0 {
			continue
		}
		n++
		most := slices.MaxFunc(slices.Sorted(maps.Keys(o.Plain)), func(a, b int) int { return cmp.Or(o.Plain[a]-o.Plain[b], b-a) })
		by[statusName(most)]++
	}
	if n == 0 {
		return ""
	}
	var why []string
	for _, name := range slices.SortedFunc(maps.Keys(by), func(a, b string) int { return cmp.Or(by[b]-by[a], cmp.Compare(a, b)) }) {
		why = append(why, fmt.Sprintf("%s: %s", name, number(by[name])))
	}
	them := "none of their plain requests was accepted"
	if n == 1 {
		them = "none of its plain requests was accepted"
	}
	return fmt.Sprintf("%s could not be tested: %s (%s)", plural(n, "operation"), them, strings.Join(why, ", "))
}

func statusName(status int) string {
	if status == 0 {
		return "no answer"
	}
	return fmt.Sprint(status)
}

// took writes a duration as people do: 850ms, 3.2s, 2m10s.
func took(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// counts are sums of a report.
type counts struct {
	errors, warnings, known int // findings; those that are known are neither errors nor warnings
	faulty, skipped         int // operations
}

func count(r *findings.Report) counts {
	var c counts
	faulty := map[string]bool{}
	for i := range r.Findings {
		f := &r.Findings[i]
		faulty[f.Operation] = true
		for _, o := range f.Operations {
			faulty[o] = true
		}
		switch outcome(f) {
		case "known":
			c.known++
		case "warning":
			c.warnings++
		default:
			c.errors++
		}
	}
	c.faulty = len(faulty)
	for _, o := range r.Operations {
		if o.Skipped != "" {
			c.skipped++
		}
	}
	return c
}
