// Package resource infers the resources of an API from its contract: collections
// and items, what each operation does to them, where an item stands in a body,
// which property is its key, and how lists are filtered, sorted and paged.
//
// Paths, methods, schemas and names are evidence. Tables of rules weigh it, so each decision has a reason and
// a confidence. Overrides in the document (x-coldframe-resource) or beside it (coldframe.yaml) win.
package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// Plan is what was inferred from a contract: immutable and safe for concurrent reads.
type Plan struct {
	Resources []*Resource // in the order in which the document comes to them
	Bindings  []*Binding  // one for each operation, in the document's order
	Logins    []*Login    // what operations do with the access of users, in the document's order
	of        map[*spec.Operation]*Binding
}

// Of returns what an operation does, nil for an operation of another contract.
func (p *Plan) Of(o *spec.Operation) *Binding { return p.of[o] }

// Resource returns the resource of that name, nil if none.
func (p *Plan) Resource(name string) *Resource {
	for _, r := range p.Resources {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// Resource is a collection of items, or a singleton.
type Resource struct {
	Name      string // the last literal of its paths, with those before if that is not unique: plants, owners/plants
	Singleton bool   // there is one item for each value of its scope, without a key
	// Scoped: the variables before the key are part of an item's identity.
	// Otherwise the key alone identifies it.
	Scoped bool
	// Parent is the resource whose items come before this one's in a path, the
	// first such path; nil if none.
	Parent *Resource
	// ParentProperty holds the parent's key in an item (ownerId); nil if no property does.
	ParentProperty []string
	// Key identifies items; nil for a singleton.
	Key *Key
	// Unique are properties besides the key of which no two items have the same value, if the document has an error for
	// it.
	Unique []string
	// MaybeUnique is the one of Unique that only its name suggests: the 409 may have another reason. "" if none.
	MaybeUnique string
	// Formulas compute properties from the item, in this order; nil if none.
	Formulas []Formula
	// Item is the fullest schema of an item that the document has, as responses see it; nil if the
	// document describes none. Value is the part of it that is the item, if the item is in a wrapper.
	Item  *spec.Schema
	Value *spec.Keywords
	// Nesting is how bodies hold the properties of items, which are flat; nil if the items hold them themselves.
	Nesting *Nesting
	// Properties are the item's, in the document's order.
	Properties []Property
	// Created and Updated are the properties that hold the times at which an item
	// was created and last changed; "" if none.
	Created, Updated string
	// Begun is the only property with the time of an event that all new items have and no request sends: joinedAt;
	// "" if none.
	Begun string
	// Version is the property that holds a number or tag that changes with the
	// item (version, revision, etag); "" if none.
	Version string
	// Refers are the properties that hold the key of an item of another resource, by the type of the object beside them:
	// assigneeId beside an assignee. nil if none.
	Refers map[string]*Resource
	// Lists are the properties that are lists of items of another resource, by the type of their elements. nil if none.
	Lists    map[string]*Resource
	Bindings []*Binding // its operations, in the document's order
	Evidence []Evidence // the rules that found its paths and schema
}

// Property is a property of a resource's items.
type Property struct {
	Name     string
	Kind     schema.Type
	Format   string // "" if the document has none
	ReadOnly bool
	Schema   *spec.Keywords
}

// lastName is the last literal of the resource's paths.
func lastName(r *Resource) string { return r.Name[strings.LastIndexByte(r.Name, '/')+1:] }

// Has reports whether one of the resource's operations has the role.
func (r *Resource) Has(role Role) bool {
	return slices.ContainsFunc(r.Bindings, func(b *Binding) bool { return b.Role == role })
}

// Chooser says who chooses the key of a new item.
type Chooser uint8

const (
	Server Chooser = iota // the key is readOnly or not in the request of a creation
	Client                // a creation requires the key, or PUT creates the item
	Either                // a creation may have the key, else the server generates it
)

func (c Chooser) String() string { return [...]string{"server", "client", "either"}[c] }

// Key identifies the items of a resource.
type Key struct {
	// Property is the path to the key in an item; nil if no property holds it
	// and the value of the path's variable is the key.
	Property []string
	Kind     schema.Type // of its values
	Format   string      // uuid, int64, … "" if the document has none
	Schema   *spec.Keywords
	ChosenBy Chooser
	evidence Evidence
}

// Variable is a variable of an operation's path that comes before the key's.
type Variable struct {
	Name string
	// Property is the path to the same value in an item of the operation's resource; nil if it has none.
	Property []string
	// Parent is the resource whose key the variable is, nil if none.
	Parent *Resource
}

// KeyIn says where a request names its item.
type KeyIn uint8

const (
	Nowhere KeyIn = iota
	InPath        // the variable Binding.Variable
	InBody        // the key's property of the item in the body
	InQuery       // the query parameter Binding.Variable
	ByName        // the last literal of the path, which Binding.Variable is: /plants/latest
)

func (k KeyIn) String() string { return [...]string{"", "path", "body", "query", "name"}[k] }

// Binding is what an operation does to a resource.
type Binding struct {
	Operation *spec.Operation
	Resource  *Resource // nil if none
	Role      Role
	// Reads: an action whose response has the item that the path names.
	Reads bool
	// Sets is what an action changes in the item that the path names, as PATCH would; nil for nothing.
	Sets []Assignment
	// Conflicts are the states of items in which the operation is refused; nil if none.
	Conflicts []Conflict
	// Taken are the unique properties whose values the operation refuses if another item has them, with the error code
	// of the document that says so, "" if none does; nil if none.
	Taken map[string]string
	// Part is the part of the item that an action on a path below it changes; nil for the item itself.
	Part *Part
	// Makes is the creation of an item that an action below another one leads to: an order of a cart, a copy of a file;
	// nil if none.
	Makes *Binding
	// Source is how a creation changes the item that it takes from: POST /orders empties the cart; nil if it takes from
	// none. Its operation stands for the item only.
	Source *Binding
	// Bulk is what an action does to several items, and what a creation of several answers; nil for one or none.
	Bulk *Bulk
	// Exports is the list whose items the operation answers as a table; nil if none.
	Exports *Binding
	// Statistics are the members of an action's answer that follow from the items of lists; nil if none.
	Statistics []Statistic
	// Takes maps the properties of an action's body to properties of the item that it changes; nil if none.
	Takes map[string]string
	// Fields is the query parameter of a read that names the properties that are shown; "" if none.
	Fields string
	// Kinds are the types of items that a list of several shows, Resource the first; nil if it shows one.
	Kinds []Kind
	// Subset: a list of some of the collection's items, chosen by a rule that the
	// document does not have: /launches/upcoming.
	Subset bool

	KeyIn    KeyIn
	Variable string // of the path or the query, that holds the key
	// Keys is the path to the array of keys in the body of a request that changes
	// several items; nil if it changes one.
	Keys []string
	// KeyPath is the path to the item's key in the body of a remote procedure: POST /plants.update; nil for others.
	KeyPath []string
	// Lookup is the path to the property that Variable names, if that is not
	// the resource's key: /contacts/{number} beside /contacts/{id}.
	Lookup []string
	Scope  []Variable // the path's variables before the key, in order

	// KeyQuery is the query parameter with the key of a new item, "" if none.
	KeyQuery string
	// Rename maps properties of the request to properties of the item that are spelled
	// differently: FriendlyName → friendly_name. nil if none.
	Rename map[string]string

	Request  *Shape   // where the item stands in the request's body; nil if it has none
	Response *Shape   // where it stands in the answer's; nil if that shows no item
	List     *Listing // of a list: where the items stand and what chooses them
	// Success is the response that Success selects for the operation; nil if none.
	Success *spec.Response
	// Media is the JSON media type of Success that Response and List describe; nil if it has none.
	Media   *spec.MediaType
	Headers Headers

	// Computes are what an action computes by an override, from the item and from the body.
	Computes []Formula
	// Errors are the codes of error bodies by an override, by status or by the code of a finding; nil if none.
	Errors map[string]string
	// Unbound is what a request can say without effect.
	Unbound []Unbound

	Confidence float64 // from 0 to 1
	Reason     string  // a few words
	Evidence   []Evidence
	Declared   bool // the role was given by an override
}

// Role is what an operation does.
type Role uint8

const (
	Unknown    Role = iota // unknown; it does not use the state
	Action                 // not CRUD; it changes no more than Binding.Sets says
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

// Roles returns the names of all roles.
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

// PatchOf returns the kind of a media type's subtype: JSONPatch for json-patch+json, else MergePatch.
func PatchOf(subtype string) PatchKind {
	if subtype == "json-patch+json" || strings.HasPrefix(subtype, "json-patch-query") {
		return JSONPatch
	}
	return MergePatch
}

// creates reports whether a method can create an item: POST does, and PUT where
// the item does not exist yet (RFC 9110 sections 9.3.3 and 9.3.4).
func creates(method string) bool { return method == "POST" || method == "PUT" }

// Success returns the response when all is well and its status: 201 where the
// method can create and the document has it, else the lowest 2xx, 2XX before
// default (both as 200). The response is nil if the document has none.
func Success(o *spec.Operation) (int, *spec.Response) {
	var first *spec.Response
	for _, r := range o.Responses { // exact codes ascending, then ranges, then default
		code, count := r.Code()
		if count == 1 && code == 201 && creates(o.Method) {
			return 201, r
		}
		if first == nil && (code/100 == 2 || r.Status == "default") {
			first = r
		}
	}
	if first == nil {
		return 200, nil
	}
	code, _ := first.Code()
	return max(code, 200), first
}

// referring are the words that end names of properties which refer to something by its key.
var referring = words.RoleOf("reference")

// Referred returns the resource whose keys the property of that name holds, as ownerId holds one of owners, and
// tripCode one of trips if their key is called so; nil if the name says nothing of the kind.
func (p *Plan) Referred(property string) *Resource {
	w := naming.Words(property)
	if len(w) < 2 {
		return nil
	}
	if !referring.Has(w[len(w)-1]) {
		return p.keyedBy(naming.Fold(property))
	}
	stem := strings.Join(w[:len(w)-1], "")
	last := w[len(w)-2]
	var found *Resource
	for _, r := range p.Resources {
		if r.Singleton || r.Key == nil {
			continue
		}
		switch naming.SingularName(lastName(r)) {
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

// keyedBy returns the only resource whose key has a folded name that begins with the name of its items; nil if none.
func (p *Plan) keyedBy(name string) (found *Resource) {
	for _, r := range p.Resources {
		if r.Key == nil || len(r.Key.Property) != 1 || naming.Fold(r.Key.Property[0]) != name ||
			!strings.HasPrefix(name, naming.SingularName(lastName(r))) {
			continue
		}
		if found != nil {
			return nil
		}
		found = r
	}
	return found
}
