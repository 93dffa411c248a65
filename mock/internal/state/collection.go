package state

// collection is the items of one name, in the order in which they were made.
type collection struct {
	owner      *owner
	name       string
	hashed     uint64      // the hash of name
	items      trie[*Item] // tombstones too
	order      vector      // without tombstones
	tombstones int
	reserved   *Item // stands among the tombstones for a collection that was made for its next key
	next       int64 // the integer key that comes next
}

func (c *collection) key() string  { return c.name }
func (c *collection) hash() uint64 { return c.hashed }

// highest is the largest integer key that others follow: larger ones are times
// and the like, and the keys that the store makes fit in an int32.
const highest = 1 << 30

// integer gives the integer that a key is, up to highest, or -1.
func integer(key string) int64 {
	if len(key) == 0 || len(key) > 10 || key[0] == '0' && len(key) > 1 {
		return -1
	}
	n := int64(0)
	for i := range len(key) {
		if key[i] < '0' || key[i] > '9' {
			return -1
		}
		n = n*10 + int64(key[i]-'0')
	}
	if n > highest {
		return -1
	}
	return n
}
