package resource

import (
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
)

// referring are the words that end names of properties which refer to something
// by its key.
var referring = naming.Set("id ids uuid uuids guid guids sid sids key keys")

// Referred gives the resource whose keys the property of that name holds, as
// ownerId holds one of owners; nil where the name says nothing of the kind.
func (p *Plan) Referred(property string) *Resource {
	w := naming.Words(property)
	if len(w) < 2 || !referring[w[len(w)-1]] {
		return nil
	}
	stem := strings.Join(w[:len(w)-1], "")
	last := w[len(w)-2]
	var found *Resource
	for _, r := range p.Resources {
		if r.Singleton || r.Key == nil {
			continue
		}
		name := r.Name[strings.LastIndexByte(r.Name, '/')+1:]
		switch naming.SingularName(name) {
		case stem:
			return r
		case last: // primaryOwnerId
			if found == nil {
				found = r
			}
		}
	}
	return found
}
