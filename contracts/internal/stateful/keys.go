package stateful

import (
	"strconv"

	"github.com/coldframe/coldframe/internal/resource"
)

// unusualKeys are keys that paths must encode (RFC 3986 section 2.1), and that backends decode twice or not at all.
var unusualKeys = []string{"a b", "a+b", "a%20b", "a&b=c", "ä"}

// keys creates items with keys that paths must encode, and reads them. A backend may refuse such keys.
func keys(t *tester) {
	create, read := must(t, t.operation(resource.Create, resource.Upsert)), must(t, t.keyedOperation(resource.Read))
	t.require(clientChoosesKey(t))
	for _, key := range unusualKeys {
		key += strconv.Itoa(t.requests)
		r := request{scope: t.mustScope(create), title: "create an item with a key that paths must encode", mayFail: true}
		switch {
		case create.KeyIn == resource.InPath && t.Builder(create.Operation).Takes(create.Variable, key):
			r.key = key
		case create.KeyIn != resource.InPath && len(t.key()) == 1 && t.Builder(read.Operation).Takes(read.Variable, key):
			r.have = map[string]any{t.key()[0]: key}
		default:
			continue
		}
		x := t.send(create, r)
		if !x.Succeeded() {
			continue
		}
		i := t.createdBy(create, x, r.scope)
		t.require(i != nil && i.Key == key) // or the backend makes keys of them
		if awaitItem(t, i, "read it", x, func(r *reading) bool { return r != nil }) == nil {
			checkReadable(t, i)
		}
	}
}
