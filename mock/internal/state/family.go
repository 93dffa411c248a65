package state

import "strings"

// family is the names of all collections below one item, at any depth.
type family struct {
	owner  *owner
	above  string // as Below writes it, without the last slash
	hashed uint64 // the hash of above
	names  trie[*name]
}

func (f *family) key() string  { return f.above }
func (f *family) hash() uint64 { return f.hashed }

// name is the name of a collection, for all the families that it is in.
type name struct {
	text   string
	hashed uint64
}

func (n *name) key() string  { return n.text }
func (n *name) hash() uint64 { return n.hashed }

// ancestors goes over what may be the items that a collection is below: a
// resource's name may have slashes of its own, so some are none.
func ancestors(collection string, yield func(above string)) {
	for i := 1; i < len(collection); i++ {
		if collection[i] == '/' && strings.IndexByte(collection[1:i], '/') >= 0 {
			yield(collection[:i])
		}
	}
}

// adopt notes a new collection with what it is below.
func (c *contents) adopt(in *collection) {
	var own *name
	ancestors(in.name, func(above string) {
		if own == nil {
			own = &name{in.name, in.hashed}
		}
		c.family(above).names.set(c.owner, own)
	})
}

// orphan forgets a collection that has gone.
func (c *contents) orphan(in *collection) {
	own := &name{in.name, in.hashed}
	ancestors(in.name, func(above string) {
		f := c.family(above)
		if f.names.remove(c.owner, own); f.names.root == nil {
			c.families.remove(c.owner, f)
		}
	})
}

// family gives a family to change, which is made where there is none.
func (c *contents) family(above string) *family {
	hash := c.hasher.hash(above)
	known, _ := c.families.get(hash, above)
	switch {
	case known == nil:
		known = &family{above: above, hashed: hash}
	case known.owner == c.owner:
		return known
	default:
		copied := *known
		known = &copied
	}
	known.owner = c.owner
	c.families.set(c.owner, known)
	return known
}

// below gives the names of all collections below an item.
func (c *contents) below(above string) (names []string) {
	if f, _ := c.families.get(c.hasher.hash(above), above); f != nil {
		f.names.root.each(func(n *name) bool {
			names = append(names, n.text)
			return true
		})
	}
	return names
}
