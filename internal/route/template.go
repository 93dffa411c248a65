package route

import (
	"net/url"
	"strings"
)

// template is a path of the document, parsed.
//
// Keys such as /x?y=z and /x#frag, which several operations use to share one path, are matched by their path;
// what stands behind it decides between operations as far as it reads as name=value pairs that the request's
// query has or has not. Such an operation can also be reached alone, by its whole key percent-encoded:
// /x%23frag.
type template struct {
	segments []segment // of the path
	names    []string  // of the path's variables
	pairs    []pair    // that the query must have
	whole    []segment // of the whole key; nil where the key is just a path
}

// segment is what stands between two slashes: literals and variables in turn, one literal more than
// variables. {base}...{head} has the literals "", "..." and "".
type segment struct {
	literals []string // percent-decoded
}

func (s segment) literal() (string, bool) { return s.literals[0], len(s.literals) == 1 }

func (s segment) variable() bool {
	return len(s.literals) == 2 && s.literals[0] == "" && s.literals[1] == ""
}

// pair is a name and a value in the query; "*" of any value.
type pair struct {
	name, value string
	any         bool
}

func parseTemplate(key string) template {
	var t template
	path, rest := cutPath(key)
	t.segments, t.names = parsePath(path)
	if rest == "" {
		return t
	}
	query, fragment, _ := strings.Cut(rest, "#")
	t.pairs = appendPairs(nil, strings.TrimPrefix(query, "?"))
	if strings.Contains(fragment, "=") {
		t.pairs = appendPairs(t.pairs, fragment)
	}
	if whole, names := parsePath(key); len(names) == len(t.names) {
		t.whole = whole
	}
	return t
}

// cutPath cuts a key at the first "?" or "#" outside of braces.
func cutPath(key string) (path, rest string) {
	for i := 0; i < len(key); i++ {
		switch key[i] {
		case '{':
			if end := strings.IndexByte(key[i:], '}'); end >= 0 {
				i += end
			}
		case '?', '#':
			return key[:i], key[i:]
		}
	}
	return key, ""
}

// parsePath reads a path with or without its leading slash. A brace without its partner is a literal.
func parsePath(path string) (segments []segment, names []string) {
	path = strings.TrimPrefix(path, "/")
	var literals []string
	start := 0 // of the literal
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

func appendPairs(pairs []pair, query string) []pair {
	for field := range strings.SplitSeq(query, "&") {
		if field == "" {
			continue
		}
		name, value, _ := strings.Cut(field, "=")
		p := pair{name: unescapeQuery(name), value: unescapeQuery(value)}
		p.any = strings.HasPrefix(value, "{") && strings.HasSuffix(value, "}")
		pairs = append(pairs, p)
	}
	return pairs
}

func (p pair) in(query string) bool {
	for query != "" {
		var field string
		field, query, _ = strings.Cut(query, "&")
		name, value, _ := strings.Cut(field, "=")
		if unescapeQuery(name) == p.name && (p.any || unescapeQuery(value) == p.value) {
			return true
		}
	}
	return false
}

// unescapeQuery decodes a name or value of a query; what cannot be decoded stands for itself.
func unescapeQuery(s string) string {
	if decoded, err := url.QueryUnescape(s); err == nil {
		return decoded
	}
	return s
}
