package runner

import (
	"context"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/resource"
)

// maxPreparations is how many sequences of actions are tried to bring an item into a state that admits an operation.
const maxPreparations = 12

// prepare looks for actions after which an item admits an operation that has refused new items: a delivery needs a
// parcel that was dispatched, a download an upload, a restoration a deletion. It tries each other action alone,
// then two in a row.
func (t *Tester) prepare(ctx context.Context, target *Target, refused *checks.Exchange) {
	b := t.Plan.Of(target.Operation)
	if b == nil || b.Resource == nil || b.KeyIn != resource.InPath || !refused.Exists ||
		!slices.Contains([]int{403, 404, 409, 410, 422, 423}, refused.Status()) {
		return
	}
	var alone, all [][]*resource.Binding
	for _, other := range b.Resource.Bindings {
		method := other.Operation.Method
		mayPrepare := other.Role == resource.Action || other.Role == resource.Delete ||
			other.Operation.Path == b.Operation.Path
		if other != b && mayPrepare && other.KeyIn == resource.InPath && method != "GET" && t.of[other.Operation] != nil {
			alone = append(alone, []*resource.Binding{other})
		}
	}
	all = alone
	for _, first := range alone {
		for _, second := range alone {
			if first[0] != second[0] {
				all = append(all, append(slices.Clip(first), second...))
			}
		}
	}
	for _, actions := range all[:min(len(all), maxPreparations)] {
		t.pool.Prepare(target.Operation, actions)
		if x, _ := t.plain(ctx, target, maxPlain); x.Succeeded() {
			target.Accepted = true
			target.builder.Adopt(x.Case)
			return
		}
	}
	t.pool.Prepare(target.Operation, nil)
}
