package scenario

import (
	"errors"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/formula"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
)

// Kept is the access of expressions and rules to a session's items.
type Kept struct {
	// Item returns the JSON of the kept item that the request's path names, and the time when a client created it:
	// zero if the session began with it. The JSON is nil if there is no item.
	Item func() (json []byte, created time.Time)
	// Items returns the JSON of the kept items of the collection at a path, and their number.
	Items func(path string) (items iter.Seq[[]byte], count int, err error)
}

// The names of items in expressions. counted, which no expression can contain, replaces len(items(…)): it decodes
// nothing.
const (
	itemName  = "item"
	itemsName = "items"
	counted   = "a count"
)

// itemPath returns the path of the item of an operation: the operation's path up to its last variable; "" if it has
// none.
func itemPath(op *spec.Operation) string { return op.Path[:strings.LastIndexByte(op.Path, '}')+1] }

// expand fills in the variables of a path, escaped, so that different values yield different paths. It reports the
// first unknown variable.
func expand(path string, params map[string]any) (expanded, unknown string) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(path, "{")
		b.WriteString(before)
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			return b.String(), ""
		}
		value, known := params[name]
		if !known {
			return "", name
		}
		text, _ := jsonvalue.Text(value)
		b.WriteString(url.PathEscape(text))
		path = after
	}
}

// item returns the item that the path names, as a value for expressions; nil if none.
func (r *Request) item() any {
	if r.Kept.Item == nil {
		return nil
	}
	text, _ := r.Kept.Item()
	if text == nil {
		return nil
	}
	value, _ := jsontext.Decode(string(text))
	return formula.Native(value)
}

// decodedStep is the number of bytes of items that an expression decodes for one step.
const decodedStep = 16

// items returns the items of a collection. It charges the steps before it decodes.
func (r *Request) items(path string) ([]any, error) {
	if list, ok := r.lists[path]; ok {
		return list, nil
	}
	found, count, err := r.collection(path)
	if err != nil {
		return nil, err
	}
	list := make([]any, 0, min(count, maxSteps))
	for text := range found {
		if r.left -= 1 + len(text)/decodedStep; r.left <= 0 {
			return nil, errSteps
		}
		value, err := jsontext.Decode(string(text))
		if err != nil {
			return nil, err
		}
		list = append(list, formula.Native(value))
	}
	if r.lists == nil {
		r.lists = map[string][]any{}
	}
	r.lists[path] = list
	return list, nil
}

func (r *Request) count(path string) (int, error) {
	_, count, err := r.collection(path)
	return count, err
}

func (r *Request) collection(path string) (iter.Seq[[]byte], int, error) {
	expanded, unknown := expand(path, r.Params)
	if unknown != "" {
		return nil, 0, fmt.Errorf("the request's path has no {%s}, which items(%q) needs", unknown, shorten(path))
	}
	if r.Kept.Items == nil {
		return nil, 0, errors.New("nothing is kept here")
	}
	return r.Kept.Items(expanded)
}

var variable = lazyregexp.New(`\{[^}]*\}`)

// wrongCollection returns an error message for the literal path of items(…); "" if it is valid.
func (s scope) wrongCollection(path string) string {
	shape := variable.Get().ReplaceAllString(path, "{}")
	names := func(op *spec.Operation) bool { return variable.Get().ReplaceAllString(op.Path, "{}") == shape }
	switch {
	case strings.HasSuffix(shape, "/{}"):
		above := path[:strings.LastIndexByte(path, '/')]
		return fmt.Sprintf("%s names an item; items takes the path of a collection, %q", path, above)
	case !slices.ContainsFunc(s.contract.Operations, names):
		return s.unknownCollection(path)
	}
	for _, v := range variable.Get().FindAllString(path, -1) {
		if name := strings.Trim(v, "{}"); s.strict && !slices.Contains(s.params, name) {
			return fmt.Sprintf("items fills in {%s} from the path of the request, which has none; "+
				`write a value, or items("/…/" + an expression + "/…")`, name)
		}
	}
	return ""
}

func (s scope) unknownCollection(path string) string {
	router := route.New(s.contract)
	var m route.Match
	for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
		if router.Find(method, path, &m) == route.Found {
			return ""
		}
	}
	var paths []string
	for _, op := range s.contract.Operations {
		if !strings.HasSuffix(op.Path, "}") && !slices.Contains(paths, op.Path) {
			paths = append(paths, op.Path)
		}
	}
	return fmt.Sprintf("the document has no path %q%s", shorten(path), hint(path, paths, "there are"))
}

// namedItem returns the item at a path with variables, and the time of its creation.
func (r *Request) namedItem(path string) (about namedItem) {
	about.path, _ = expand(path, r.Params)
	if r.Kept.Item != nil {
		_, about.created = r.Kept.Item()
	}
	return about
}
