package resources

import (
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/sums"
)

// recalculated returns an item whose counters and amounts follow from its other values, if only the server sets
// them: the number of its lines, the total of each, and their sum; and what formulas compute, before the sums and of
// them.
func (k *Runtime) recalculated(item map[string]any) map[string]any {
	return k.computed(k.sums().Apply(k.computed(k.withCounters(item))))
}

// compileSums finds the amounts of the items that follow from others.
func (k *Runtime) compileSums() *sums.Plan {
	return sums.Compile(k.properties, func(path ...string) bool {
		if len(path) == 1 {
			return k.isComputable(path[0])
		}
		return !k.isSentInList(path[0], path[1])
	})
}

// isComputable reports whether clients cannot send a property: no creation has it, or no request at all if none creates
// items.
func (k *Runtime) isComputable(name string) bool {
	if k.creates {
		return k.isSetByServer(name)
	}
	for _, op := range k.operations {
		for _, to := range op.Takes {
			if to == name {
				return false
			}
		}
		if op.request.sends(name) {
			return false
		}
	}
	return true
}

// isSentInList reports whether clients can send a member of the elements of a list: in a request for the whole item, or
// in one for a single element.
func (k *Runtime) isSentInList(list, member string) bool {
	sends := func(members map[string]*schema.Keywords) bool {
		return members[member] != nil && !schema.ReadOnly(members[member])
	}
	for _, op := range k.operations {
		if op.request.sends(list) && sends(schema.Properties(schema.Items(op.request.sendable[list]))) {
			return true
		}
		if op.Part == nil || op.Part.Property != list || op.Binding.Operation.Body == nil {
			continue
		}
		for _, media := range op.Binding.Operation.Body.Content {
			if media.Schema != nil && sends(media.Schema.Members()) {
				return true
			}
		}
	}
	return false
}
