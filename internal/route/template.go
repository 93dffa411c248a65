package route

import (
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
)

// template is a parsed path of the document. Keys such as /x?y=z and /x#frag, with which several operations share one
// path, are matched by their path. Such an operation can also be reached alone, by its percent-encoded key:
// /x%23frag.
type template struct {
	segments []segment // of the path
	names    []string  // of the path's variables
	whole    []segment // segments of the whole key; nil if the key is just a path
}

// segment is the part between two slashes: alternating literals and variables, with one literal more than variables.
// {base}...{head} has the literals "", "..." and "".
type segment struct {
	literals []string // percent-decoded
}

func (s segment) literal() (string, bool) { return s.literals[0], len(s.literals) == 1 }

func (s segment) variable() bool {
	return len(s.literals) == 2 && s.literals[0] == "" && s.literals[1] == ""
}

func parseTemplate(o *spec.Operation) template {
	var t template
	path := o.Template()
	t.segments, t.names = parsePath(path)
	if path != o.Path {
		if whole, names := parsePath(o.Path); len(names) == len(t.names) {
			t.whole = whole
		}
	}
	return t
}

// parsePath parses a path with or without its leading slash. A brace without its partner is a literal.
func parsePath(path string) (segments []segment, names []string) {
	path = strings.TrimPrefix(path, "/")
	var literals []string
	start := 0 // start of the literal
	for i := 0; i < len(path); i++ {
		switch path[i] {
		case '/':
			segments = append(segments, segment{append(literals, unescape(path[start:i]))})
			literals, start = nil, i+1
		case '{':
			end := strings.IndexByte(path[i:], '}')
			if end < 0 {
				continue
			}
			literals = append(literals, unescape(path[start:i]))
			names = append(names, path[i+1:i+end])
			i += end
			start = i + 1
		}
	}
	return append(segments, segment{append(literals, unescape(path[start:]))}), names
}
