package resources

import (
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// checkState refuses an operation on an item that is in a state for which the document has a conflict. An item that
// nobody created or changed has a state by chance, and refuses nothing.
func checkState(q *Request, item Item) error {
	for _, c := range q.op.Conflicts {
		if !c.OfParent && isIn(c, item.Value) {
			return inState(q.op.runtime, c)
		}
	}
	return nil
}

// checkParentState refuses an operation below an item that is in a state for which the document has a conflict.
func (q *Request) checkParentState() error {
	for _, c := range q.op.Conflicts {
		n := len(q.op.Scope)
		if !c.OfParent || n == 0 {
			continue
		}
		v := q.op.Scope[n-1]
		parent := q.set.runtimes[v.Parent]
		if parent == nil {
			continue
		}
		collection := "/" + parent.Name
		if parent.Scoped {
			collection = q.op.runtime.collectionBelow(q.op.Binding, n-1, parent.Name, q.pathText)
		}
		kept, _ := q.get(collection, q.pathText(v.Name))
		if kept != nil && isIn(c, DecodeItem(kept)) {
			return inState(parent, c)
		}
	}
	return nil
}

// checkReferrers refuses to delete an item that an item of a client names, if the document has a conflict for it that
// neither a state nor a version explains.
func checkReferrers(q *Request, item Item) error {
	if !q.op.Binding.Operation.DocumentsExactly(409) || len(q.op.StateCodes()) > 0 || q.op.Headers.IfMatch != "" {
		return nil
	}
	for _, c := range q.op.runtime.referrers {
		isOfClient := func(i *state.Item) bool { return i.Flags&state.ByClient != 0 }
		if slices.ContainsFunc(q.namedBy(c, item.Key), isOfClient) {
			return refuseAs("", exchange.Finding{
				Code: "item-in-use", Message: "items of " + c.runtime.Name + " refer to the item", In: exchange.InRequest,
			})
		}
	}
	return nil
}

func isIn(c resource.Conflict, item map[string]any) bool {
	text, ok := jsonvalue.Text(item[c.Property])
	return ok && text == c.Value
}

func inState(k *Runtime, c resource.Conflict) error {
	return refuseAs(c.Code, exchange.Finding{
		Code: "state-conflict", Message: "the item of " + k.Name + " has the " + c.Property + " " + quote(c.Value),
		In: exchange.InRequest,
	})
}
