package resource

import (
	"slices"
	"strings"
)

// Role is what an operation does.
type Role uint8

const (
	Unknown    Role = iota // nothing is known; it has no part in the state
	Action                 // not CRUD: it does not change the state
	Create                 // makes an item
	List                   // shows the items
	Read                   // shows an item
	Replace                // replaces an item
	Update                 // changes an item in part
	Delete                 // removes an item
	Upsert                 // makes an item under the key that the request names, or replaces it
	DeleteMany             // removes the items of a collection, all or those that parameters choose
)

var roleNames = [...]string{"unknown", "action", "create", "list", "read", "replace", "update", "delete", "upsert", "delete-many"}

func (r Role) String() string { return roleNames[r] }

// MarshalText gives the word that String gives.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// Roles gives the words for roles.
func Roles() []string { return slices.Clone(roleNames[:]) }

func parseRole(word string) (Role, bool) {
	i := slices.Index(roleNames[:], word)
	return Role(max(i, 0)), i >= 0
}

// PatchKind is how the body of a PATCH says what changes.
type PatchKind uint8

const (
	MergePatch PatchKind = iota // the properties that change, null for those that go (RFC 7396)
	JSONPatch                   // a list of steps (RFC 6902)
)

// PatchOf gives the kind by the media type's subtype: json-patch+json is a list
// of steps, everything else holds properties.
func PatchOf(subtype string) PatchKind {
	if subtype == "json-patch+json" || strings.HasPrefix(subtype, "json-patch-query") {
		return JSONPatch
	}
	return MergePatch
}
