package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/report"
)

// operationRow is what reports print of one operation.
type operationRow struct {
	*report.Operation
	Name, Tags, Location string
	Verdict, Note        string
	Answers              string   // how often each status came
	IsCovered            bool     // the report has its coverage
	coverage.Summary              // of the operation's coverage
	Missing, Untried     []string // what was not exercised, and constraints that were never tried
}

// The verdicts on an operation.
const (
	passed  = "ok"
	failed  = "FAIL"
	skipped = "skip"
	weak    = "weak" // no plain request was accepted, so that refusals prove little
)

// newOperationRow returns the row of an operation. isFaulty says that an error was found in it.
func newOperationRow(o *report.Operation, isFaulty bool, c *coverage.OperationReport) operationRow {
	out := operationRow{
		Operation: o, Name: line(o.Name), Tags: line(strings.Join(o.Tags, ", ")), Location: place(o.Place),
		Verdict: passed, Answers: statuses(o.Statuses),
	}
	switch {
	case o.Skipped != "":
		out.Verdict, out.Note = skipped, line(o.Skipped)
	case isFaulty:
		out.Verdict = failed
	case !o.Accepted && o.Cases > 0:
		out.Verdict, out.Note = weak, refusedReason(o)
	}
	if c != nil {
		out.IsCovered, out.Summary, out.Missing = true, c.Summary, lineAll(missing(c))
		if c.Hits > 0 {
			out.Untried = lineAll(untried(c))
		}
	}
	return out
}

// refusedReason says why an operation's other answers prove little.
func refusedReason(o *report.Operation) string {
	if len(o.Plain) == 0 {
		return "nothing that it was asked was accepted"
	}
	return "its plain requests were not accepted (" + statuses(o.Plain) + "), so its refusals prove little"
}

func statuses(counts map[int]int) string {
	var all []string
	for _, status := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, fmt.Sprintf("%s × %s", number(counts[status]), statusName(status)))
	}
	return strings.Join(all, ", ")
}

func statusName(status int) string {
	if status == 0 {
		return "no answer"
	}
	return fmt.Sprint(status)
}

// untestable says how many operations accepted no plain request, and what they
// answered most often instead; "" if none.
func untestable(r *report.Report) string {
	n, by := 0, map[string]int{}
	for _, o := range r.Operations {
		if o.Skipped != "" || o.Accepted || len(o.Plain) == 0 {
			continue
		}
		n++
		most := slices.MaxFunc(slices.Sorted(maps.Keys(o.Plain)),
			func(a, b int) int { return cmp.Or(o.Plain[a]-o.Plain[b], b-a) })
		by[statusName(most)]++
	}
	if n == 0 {
		return ""
	}
	var answers []string
	for _, name := range slices.SortedFunc(maps.Keys(by),
		func(a, b string) int { return cmp.Or(by[b]-by[a], cmp.Compare(a, b)) }) {
		answers = append(answers, name+": "+number(by[name]))
	}
	their := "their"
	if n == 1 {
		their = "its"
	}
	return fmt.Sprintf("%s could not be tested: none of %s plain requests was accepted (%s)", plural(n, "operation"),
		their, strings.Join(answers, ", "))
}

// missing names what of an operation was not exercised.
func missing(o *coverage.OperationReport) []string {
	all := []string{}
	for _, m := range o.Missing() {
		all = append(all, m.String())
	}
	return all
}

// untried names the constraints of an operation that no request violated. Those
// of one name differ by the branches that they are in.
func untried(o *coverage.OperationReport) []string {
	all, named := []string{}, map[string]int{}
	for _, p := range o.Points {
		named[p.Name]++
	}
	for _, p := range o.Untried() {
		if named[p.Name] > 1 {
			if branch := branchOf(p.Place.Pointer); branch != "" {
				p.Name += " in " + branch
			}
		}
		all = append(all, p.Label())
	}
	return all
}

// branchOf names the schema or the branch that a place in the document is in: Ebook, oneOf/2.
func branchOf(pointer string) string {
	tokens := strings.Split(pointer, "/")
	for i := len(tokens) - 2; i > 0; i-- {
		switch tokens[i] {
		case "oneOf", "anyOf", "allOf":
			return tokens[i] + "/" + tokens[i+1]
		case "schemas":
			return tokens[i+1]
		}
	}
	return ""
}
