package route

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// FuzzFind compares Find with kin-openapi's gorillamux router, if the result is
// well defined: one template in one document, so that its order of templates
// has no say, and no literals that a path could hold percent-encoded. Of those
// templates that gorillamux finds, Find must return the one that comes first by
// this package's rules, with the same values.
func FuzzFind(f *testing.F) {
	for _, seed := range [][2]string{
		{"GET /plants\nPOST /plants\nGET /plants/{id}", "/plants/7"},
		{"GET /a/{x}/c\nGET /a/b/d\nPUT /a/{y}/c", "/a/b/c"},
		{"GET /compare/{base}...{head}\nGET /compare/{x}", "/compare/a....b"},
		{"GET /{Sid}.json\nPOST /{Sid}", "/CA.json.json"},
		{"base /v1\nGET /{x}/y\nGET /y", "/v1/y"},
		{"base /v1 /v1/v2\nGET /\nPOST /v2", "/v1/v2/"},
		{"GET /x/\nPOST /x\nPUT /x/{id}", "/x/"},
		{"GET /{g}/{h}/{k}\nPOST /z/{h}/k\nGET /z/{h}/{k}", "/z/%2F/%20"},
		{"GET /{x}-{y}-{z}:run", "/1-2-3-4:run"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, operations, path string) {
		if !wellDefined(operations, path) {
			return
		}
		c := contract(operations)
		r := New(c)
		allowed := map[string]bool{}
		type hit struct {
			op     int
			values []string
			rank   string
		}
		hits := map[string][]hit{}
		for i, op := range c.Operations {
			for _, base := range op.BasePaths {
				for _, exact := range []bool{true, false} {
					sent := path
					if !exact {
						sent = toggleSlash(path)
					}
					oracle := oneTemplate(t, base, op.Path)
					if oracle == nil {
						return
					}
					values, found := ask(t, oracle, sent)
					if found {
						allowed[op.Method] = true
						names := parseTemplate(op).names
						list := make([]string, len(names))
						for i, name := range names {
							list[i] = values[name]
						}
						hits[op.Method] = append(hits[op.Method], hit{i, list, rank(exact, base, op.Path)})
					}
				}
			}
		}
		for _, method := range []string{"GET", "POST", "PUT"} {
			var m Match
			switch result := r.Find(method, path, &m); {
			case result == Found:
				if len(hits[method]) == 0 {
					t.Fatalf("%s %s: %s, but gorillamux finds none\n%s", method, path, m.Operation.Path, operations)
				}
				first := slices.MinFunc(hits[method], func(a, b hit) int { return strings.Compare(a.rank, b.rank) })
				if !slices.ContainsFunc(hits[method], func(h hit) bool {
					return h.rank == first.rank && c.Operations[h.op] == m.Operation && slices.Equal(h.values, m.Values)
				}) {
					t.Fatalf("%s %s: %s %q, but gorillamux has %v\n%s", method, path, m.Operation.Path, m.Values, hits[method], operations)
				}
			case len(hits[method]) > 0:
				t.Fatalf("%s %s: %v, but gorillamux finds %v\n%s", method, path, result, hits[method], operations)
			case (result == MethodNotAllowed) != (len(allowed) > 0):
				t.Fatalf("%s %s: %v, but gorillamux allows %v\n%s", method, path, result, allowed, operations)
			}
			if got := slices.Contains(r.Allowed(path), method); got != allowed[method] {
				t.Fatalf("%s is allowed for %s: %v, gorillamux says %v\n%s", method, path, got, allowed[method], operations)
			}
		}
	})
}

// rank orders what matches a path as the package's comment does; what comes
// first is the least.
func rank(exact bool, base, path string) string {
	var b []byte
	if !exact {
		b = append(b, 1)
	} else {
		b = append(b, 0)
	}
	b = append(b, 255-byte(strings.Count(base, "/")), 255-byte(len(base)))
	segments, _ := parsePath(path)
	for _, s := range segments {
		switch _, literal := s.literal(); {
		case literal:
			b = append(b, 0)
		case s.variable():
			b = append(b, 2)
		default:
			b = append(b, 1, 255-byte(len(strings.Join(s.literals, ""))), byte(len(s.literals)))
		}
	}
	return string(b)
}

func toggleSlash(path string) string {
	if strings.HasSuffix(path, "/") {
		return path[:len(path)-1]
	}
	return path + "/"
}

// wellDefined reports whether gorillamux means the same by the templates.
func wellDefined(operations, path string) bool {
	const literal = "GHIJKLMNOPQRSTUVWXYZghijklmnopqrstuvwxyz-._~:@"
	if len(operations) > 400 || len(path) > 200 {
		return false
	}
	for line := range strings.Lines(operations) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "":
			continue
		case "base":
			for base := range strings.FieldsSeq(rest) {
				if base[0] != '/' || strings.Trim(base, literal+"/") != "" || strings.HasSuffix(base, "/") || strings.Contains(base, "//") {
					return false
				}
			}
			continue
		case "GET", "POST", "PUT":
		default:
			return false
		}
		if !strings.HasPrefix(rest, "/") || strings.Contains(rest, "}{") {
			return false
		}
		segments, names := parsePath(rest)
		slices.Sort(names)
		if len(slices.Compact(slices.Clone(names))) != len(names) {
			return false
		}
		for _, name := range names {
			if name == "" || strings.Trim(name, literal[:46]) != "" {
				return false
			}
		}
		for _, s := range segments {
			if strings.Trim(strings.Join(s.literals, ""), literal) != "" {
				return false
			}
		}
	}
	// Escapes of what a literal can hold are for TestEncodedLiterals.
	for i := 0; i < len(path); i++ {
		if path[i] == '%' && (!isEscape(path, i) || strings.IndexByte(literal, hex(path[i+1])<<4|hex(path[i+2])) >= 0) {
			return false
		}
	}
	u, err := url.ParseRequestURI(path)
	return err == nil && u.EscapedPath() == path && strings.HasPrefix(path, "/")
}

var paths = map[[2]string]routers.Router{}

func oneTemplate(t *testing.T, base, path string) routers.Router {
	key := [2]string{base, path}
	if r, ok := paths[key]; ok {
		return r
	}
	document := &openapi3.T{Paths: openapi3.NewPaths(openapi3.WithPath(path, &openapi3.PathItem{Get: &openapi3.Operation{}}))}
	if base != "" {
		document.Servers = openapi3.Servers{{URL: base}}
	}
	r, err := gorillamux.NewRouter(document)
	if err != nil {
		t.Logf("gorillamux: %v", err)
		r = nil
	}
	if len(paths) > 10_000 {
		clear(paths)
	}
	paths[key] = r
	return r
}

func ask(t *testing.T, r routers.Router, path string) (map[string]string, bool) {
	if path == "" {
		return nil, false
	}
	u, err := url.ParseRequestURI(path)
	if err != nil {
		t.Fatal(err)
	}
	_, values, err := r.FindRoute(&http.Request{Method: "GET", URL: u, Host: "localhost"})
	return values, err == nil
}

// FuzzAnything has no oracle: nothing panics or hangs, and what the router's
// functions say of a path fits together.
func FuzzAnything(f *testing.F) {
	f.Add("GET /a/{x}/c\nGET /a/b\nPOST /{y}...{z}", "GET", "/a/b/c", "")
	f.Add("GET /q?kind=a\nGET /q#x\nbase /v1\nGET //{}", "GET", "/v1/q%23x", "kind=%61")
	f.Add("GET {\nGET }{\nGET /%\nGET /{a}{b}{c}", "GET", "/%4", "&=%")
	f.Add("GET /{a}%20{b}\nGET /%{a}%41", "GET", "/%25%41%20A", "")
	f.Fuzz(func(t *testing.T, operations, method, path, query string) {
		if len(operations) > 2000 {
			return
		}
		r := New(contract(operations))
		r.Nearest(method, path)
		allowed := r.Allowed(path)
		if !slices.IsSorted(allowed) {
			t.Fatalf("not sorted: %q", allowed)
		}
		var m Match
		result := r.Find(method, path, &m)
		if (result == Found) != slices.Contains(allowed, method) || (result == NotFound) != (len(allowed) == 0) {
			t.Fatalf("%v, but allowed are %q", result, allowed)
		}
		if (m.Operation != nil) != (result == Found) || len(m.Names) != len(m.Values) {
			t.Fatalf("%v with %+v", result, m)
		}
		for _, value := range m.Values {
			if value == "" || strings.Contains(value, "/") {
				t.Fatalf("a value is %q", value)
			}
		}
		if m.Alternatives != nil && !slices.Contains(m.Alternatives, m.Operation) {
			t.Fatal("the operation is not among its alternatives")
		}
	})
}

// TestEncodedLiterals encodes every character of a path's literals in turn.
func TestEncodedLiterals(t *testing.T) {
	r := New(contract("base /v-1\nGET /plants/{id}:cut\nGET /plants/all"))
	for _, path := range []string{"/v-1/plants/7:cut", "/v-1/plants/all", "/plants/7:cut"} {
		var want, got Match
		r.Find("GET", path, &want)
		for i := range len(path) {
			if path[i] == '/' || path[i] == '7' {
				continue
			}
			const digits = "0123456789abcdef"
			encoded := path[:i] + "%" + string(digits[path[i]>>4]) + string(digits[path[i]&15]) + path[i+1:]
			if r.Find("GET", encoded, &got); got.Operation != want.Operation || !slices.Equal(got.Values, want.Values) {
				t.Errorf("%s: got %v %q", encoded, got.Operation, got.Values)
			}
		}
	}
}
