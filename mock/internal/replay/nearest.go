package replay

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
)

const (
	// CodeNotRecorded is the code of findings on a request that no recorded exchange answers.
	CodeNotRecorded = "not-recorded"

	maxCompared    = 1000 // entries that are compared with a request
	maxDifferences = 10   // that are reported
)

// Explain says why no exchange answers a request: the findings compare it with the nearest one of its operation.
func (s *Set) Explain(r *Request) []exchange.Finding {
	all, _ := r.Said()
	said, _ := jsontext.Decode(string(jsontext.Append(nil, all)))
	sent, _ := said.(map[string]any)
	var nearest *Entry
	var differences []difference
	for _, e := range s.candidates(r) {
		value, _ := jsontext.Decode(string(e.said))
		recorded, _ := value.(map[string]any)
		if found := compare(nil, "", recorded, sent); nearest == nil || len(found) < len(differences) {
			nearest, differences = e, found
		}
	}
	f := exchange.Finding{Code: CodeNotRecorded, In: exchange.InRequest}
	if nearest == nil {
		f.Message = "no recorded exchange is of " + r.Operation.Method + " " + r.Operation.Path
		return []exchange.Finding{f}
	}
	f.Message = fmt.Sprintf("no recorded exchange matches; the nearest is %s, which was answered with %d",
		nearest, nearest.Response.Status)
	if len(differences) == 0 {
		f.Message += "; it differs in its method, credentials, condition or range"
	}
	findings := []exchange.Finding{f}
	for _, d := range differences[:min(len(differences), maxDifferences)] {
		findings = append(findings, d.finding())
	}
	return findings
}

// candidates returns the entries to compare with a request: of the same operation.
func (s *Set) candidates(r *Request) (all []*Entry) {
	for _, e := range s.Entries {
		if e.said != nil && e.Operation == r.Operation {
			if all = append(all, e); len(all) == maxCompared {
				break
			}
		}
	}
	return all
}

// difference is a place at which two requests differ. A value that is not there is missing.
type difference struct {
	pointer        string // its first token is the part of the request
	recorded, sent any
}

type missing struct{}

func (d difference) finding() exchange.Finding {
	part, pointer, _ := strings.Cut(strings.TrimPrefix(d.pointer, "/"), "/")
	f := exchange.Finding{Code: CodeNotRecorded, In: part, Pointer: pointer}
	if pointer != "" {
		f.Pointer = "/" + pointer
	}
	if part != inBody {
		name, rest, more := strings.Cut(pointer, "/")
		if f.Name, f.Pointer = exchange.UnescapePointer(name), ""; more {
			f.Pointer = "/" + rest
		}
	}
	f.Message = "recorded " + text(d.recorded) + ", sent " + text(d.sent)
	return f
}

func text(value any) string {
	if value == (missing{}) {
		return "nothing"
	}
	return exchange.Shorten(string(jsontext.Append(nil, value)), exchange.MaxQuoted)
}

// compare appends the differences of two values at a pointer.
func compare(to []difference, pointer string, recorded, sent any) []difference {
	if a, ok := recorded.(map[string]any); ok {
		if b, ok := sent.(map[string]any); ok {
			names := maps.Clone(a)
			maps.Copy(names, b)
			for _, name := range slices.Sorted(maps.Keys(names)) {
				to = compare(to, pointer+"/"+exchange.EscapePointer(name), member(a, name), member(b, name))
			}
			return to
		}
	}
	if a, ok := recorded.([]any); ok {
		if b, ok := sent.([]any); ok && len(a) == len(b) {
			for i := range a {
				to = compare(to, pointer+"/"+strconv.Itoa(i), a[i], b[i])
			}
			return to
		}
	}
	if jsonvalue.Equals(recorded, sent) {
		return to
	}
	return append(to, difference{pointer, recorded, sent})
}

func member(object map[string]any, name string) any {
	if value, ok := object[name]; ok {
		return value
	}
	return missing{}
}
