package state

// Limits bound one State. The zero value of a field means its default.
type Limits struct {
	Items int   // default 100,000; as many tombstones
	Bytes int64 // of items' keys and JSON; default 256 MiB; a sixteenth for tombstones' keys
	// Dropped is called after a write for which old items had to go, with how
	// many. It is called by several goroutines at once.
	Dropped func(items int)
}

const (
	defaultItems   = 100_000
	defaultBytes   = 256 << 20
	tombstoneShare = 16
)

func (l Limits) withDefaults() Limits {
	if l.Items <= 0 {
		l.Items = defaultItems
	}
	if l.Bytes <= 0 {
		l.Bytes = defaultBytes
	}
	return l
}
