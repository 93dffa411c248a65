package state

// collection is the items of one name, in the order in which they were made.
type collection struct {
	owner      *owner
	name       string
	items      trie[*Item] // tombstones too
	order      vector      // without tombstones
	tombstones int
	reserved   *Item // stands among the tombstones for a collection that was made for its next key
	next       int64 // the integer key that comes next
}

func (c *collection) key() string { return c.name }

// highest is the largest integer key that others follow: larger ones are times
// and the like, and the keys that the store makes fit in an int32.
const highest = 1 << 30

// see makes the next integer key larger than a key.
func (c *collection) see(key string) {
	if len(key) == 0 || len(key) > 10 || key[0] == '0' && len(key) > 1 {
		return
	}
	n := int64(0)
	for i := range len(key) {
		if key[i] < '0' || key[i] > '9' {
			return
		}
		n = n*10 + int64(key[i]-'0')
	}
	if n <= highest {
		c.next = max(c.next, n+1)
	}
}
