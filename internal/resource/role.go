package resource

import (
	"slices"
	"strings"
)

// Role is what an operation does.
type Role uint8

const (
	Unknown    Role = iota // unknown; it does not use the state
	Action                 // not CRUD; it does not change the state
	Create                 // creates an item
	List                   // answers the items
	Read                   // answers an item
	Replace                // replaces an item
	Update                 // changes an item in part
	Delete                 // deletes an item
	Upsert                 // creates or replaces the item of the key in the request
	DeleteMany             // deletes all items of a collection, or those that the request names
)

var roleNames = [...]string{"unknown", "action", "create", "list", "read", "replace", "update", "delete", "upsert", "delete-many"}

func (r Role) String() string { return roleNames[r] }

// MarshalText gives the word that String gives.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// Roles gives the names of all roles.
func Roles() []string { return slices.Clone(roleNames[:]) }

func parseRole(word string) (Role, bool) {
	i := slices.Index(roleNames[:], word)
	return Role(max(i, 0)), i >= 0
}

// PatchKind is how the body of a PATCH says what changes.
type PatchKind uint8

const (
	MergePatch PatchKind = iota // the changed properties, null for removed ones (RFC 7396)
	JSONPatch                   // a list of operations (RFC 6902)
)

// PatchOf gives the kind of a media type's subtype: JSONPatch for json-patch+json,
// else MergePatch.
func PatchOf(subtype string) PatchKind {
	if subtype == "json-patch+json" || strings.HasPrefix(subtype, "json-patch-query") {
		return JSONPatch
	}
	return MergePatch
}
