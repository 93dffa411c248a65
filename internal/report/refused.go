package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/report"
)

// refused is an operation that accepted no request.
type refused struct {
	*report.Refused
	Name    string
	Answers []string // a line for each
	Setup   string   // the line below operations of a setup that would help; "" if none does
}

// setupParts are the parts of requests in the order of a setup.
var setupParts = []string{"path", "query", "header", "cookie", "body"}

const (
	maxRefused = 10 // operations
	maxAnswers = 3  // of each
	maxSample  = 200
)

func newRefused(r *report.Report) []refused {
	var all []refused
	for _, o := range r.Operations {
		if o.Refused == nil {
			continue
		}
		one := refused{Refused: o.Refused, Name: line(o.Name)}
		for _, a := range o.Refused.Refusals {
			one.Answers = append(one.Answers, answerLine(a))
		}
		if len(one.Answers) == 0 {
			one.Answers = []string{"nothing was sent, for what it could change"}
		}
		var parts []string
		for _, part := range setupParts {
			var values []string
			for _, n := range o.Refused.Needs {
				if n.In == part {
					values = append(values, quoted(n.Name)+": "+sample(n))
				}
			}
			if len(values) > 0 {
				parts = append(parts, part+": {"+strings.Join(values, ", ")+"}")
			}
		}
		if len(parts) > 0 {
			one.Setup = quoted(o.Name) + ": {" + strings.Join(parts, ", ") + "}"
		}
		all = append(all, one)
	}
	return all
}

func answerLine(a report.Refusal) string {
	text := number(a.Count) + " × " + statusName(a.Status)
	switch a.Status {
	case 401, 403:
		text += " (the credentials of the run are not enough)"
	}
	if a.About != "" {
		text += ", about " + line(a.About)
	}
	if a.Message != "" {
		text += ": " + line(a.Message)
	}
	return text
}

// quoted writes a name as YAML and JSON have it.
func quoted(name string) string { return line(string(jsontext.AppendString(nil, name))) }

// sample returns the value that was sent, or a value to be replaced.
func sample(n report.Need) string {
	if text := line(string(n.Sent)); text != "" && len(text) <= maxSample {
		return text
	}
	return `"…"`
}

// refusedTitle counts the operations that accepted no request.
func (m *model) RefusedTitle() string {
	return fmt.Sprintf("NO REQUEST SUCCEEDED in %d of %s", len(m.Refused), plural(len(m.Operations), "operation"))
}

// RefusedHint says what is done with the lines of setups.
func (m *model) RefusedHint() string {
	if !slices.ContainsFunc(m.Refused, func(r refused) bool { return r.Setup != "" }) {
		return ""
	}
	return `Put the lines that help below "operations:" in a file for --setup, with values that the backend has. ` +
		"--suggest-setup FILE writes such a file."
}

// SuggestSetup returns a setup file for the operations that accepted no request. It loads unchanged: the values are
// comments.
func SuggestSetup(r *report.Report) []byte {
	var b strings.Builder
	all := newRefused(r)
	fmt.Fprintf(&b, "# A setup for coldframe test, suggested by a run against %s with seed %d.\n", line(r.URL), r.Seed)
	if len(all) == 0 {
		b.WriteString("# Every operation that was tested accepted a request: nothing is needed.\n\noperations: {}\n")
		return []byte(b.String())
	}
	b.WriteString("# The operations below accepted no request. Where a value would help, put one that the backend has\n" +
		"# in place of what was sent, and remove the \"# \" in front of it.\n")
	type shared struct {
		report.Need
		by []string
	}
	var path []shared
	for _, o := range all {
		for _, n := range o.Needs {
			if n.In != "path" || n.Own {
				continue
			}
			i := slices.IndexFunc(path, func(s shared) bool { return s.Name == n.Name })
			if i < 0 {
				i, path = len(path), append(path, shared{Need: n})
			}
			path[i].by = append(path[i].by, o.Name)
		}
	}
	if len(path) > 0 {
		b.WriteString("\npath:\n")
	}
	for _, s := range path {
		fmt.Fprintf(&b, "  # %s: %s   # for %s\n", quoted(s.Name), sample(s.Need), someOf(s.by, maxNamed))
	}
	b.WriteString("\noperations:\n")
	for _, o := range all {
		for _, answer := range o.Answers {
			fmt.Fprintf(&b, "  # %s\n", answer)
		}
		fmt.Fprintf(&b, "  %s:\n", quoted(o.Name))
		for _, part := range setupParts {
			title := "    " + part + ":\n"
			for _, n := range o.Needs {
				if n.In == part && (part != "path" || n.Own) {
					fmt.Fprintf(&b, "%s      # %s: %s\n", title, quoted(n.Name), sample(n))
					title = ""
				}
			}
		}
	}
	return []byte(b.String())
}
