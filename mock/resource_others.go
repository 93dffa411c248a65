package mock

import "github.com/coldframe/coldframe/internal/spec"

// withOthers adds to what an answer shows of an item the members that no schema
// declares, where the answer's says of them that it has them. What requests
// declare and answers do not is not theirs to show, a password, say.
func (k *keeping) withOthers(s *shownItem, have, item map[string]any) map[string]any {
	if s.others == nil || len(item) == len(have) {
		return have
	}
	for name, value := range item {
		if s.listed[name] == nil && !k.declares(name) && spec.Conforms(s.others, value) {
			have[name] = value
		}
	}
	return have
}

// declares reports whether the schema of an item, or one by which it is sent,
// lists a property.
func (k *keeping) declares(name string) bool {
	if k.listed[name] != nil {
		return true
	}
	for _, s := range k.sent {
		if s.sendable[name] != nil {
			return true
		}
	}
	return false
}
