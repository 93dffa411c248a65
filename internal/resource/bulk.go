package resource

import "github.com/coldframe/coldframe/internal/naming"

// keyLists are names of arrays that name the items which a change is for.
var keyLists = naming.Set(`ids keys uuids names`)

// keysBeside finds, beside an item that is sent in a wrapper, the keys of the items
// that are to be changed so: keys in {keys, data}. nil where there are none.
func keysBeside(request view, item *Shape) []string {
	if item == nil || len(item.Path) != 1 || item.Many {
		return nil
	}
	for _, m := range request.members() {
		if m.name == item.Path[0] || !keyLists[m.folded] || m.view.kind() != Array {
			continue
		}
		switch m.view.element().kind() {
		case String, Integer, Number, Any:
			return []string{m.name}
		}
	}
	return nil
}
