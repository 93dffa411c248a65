package state

// ChangeKind is what happened to an item.
type ChangeKind uint8

// What can happen to an item.
const (
	Created ChangeKind = iota
	Changed
	Deleted
)

func (k ChangeKind) String() string { return [...]string{"created", "changed", "deleted"}[k] }

// Change is one write of an item.
type Change struct {
	Version uint64 // of the item, or of its tombstone: it grows with each change
	Kind    ChangeKind
	Item    *Item // after the change; the item before it, if it was deleted
}

// Write is a Change without its item.
type Write struct {
	Collection, Key string
	Kind            ChangeKind
	Version         uint64 // of the item after the change; of the item before it, if it was deleted
}

const (
	maxChanges      = 256     // of a History
	maxChangesBytes = 1 << 20 // of the items in them
	maxWatchers     = 64      // of a State
)

// History is the last changes of a State. It is safe for concurrent use.
type History struct {
	of       *State
	changes  []Change
	bytes    int64         // of the items in changes
	complete uint64        // the version after which all changes are known
	next     chan struct{} // closed at the next change, and at the end
	watchers int
	ended    bool // all items were replaced, or the session was dropped
}

// Watch returns the State's history, which records changes from the first call on, and the version of the last change.
func (s *State) Watch() (h *History, version uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.history == nil {
		s.history = &History{of: s, next: make(chan struct{}), complete: s.contents.version}
	}
	return s.history, s.contents.version
}

// Enter counts a watcher until Leave is called. It reports false, and counts none, if there are 64 already.
func (h *History) Enter() bool {
	h.of.mu.Lock()
	defer h.of.mu.Unlock()
	if h.watchers == maxWatchers {
		return false
	}
	h.watchers++
	return true
}

// Leave ends watching.
func (h *History) Leave() {
	h.of.mu.Lock()
	defer h.of.mu.Unlock()
	h.watchers--
}

// IsFull reports whether Enter would report false.
func (h *History) IsFull() bool {
	h.of.mu.Lock()
	defer h.of.mu.Unlock()
	return h.watchers == maxWatchers
}

// After returns the changes after a version, oldest first, and a channel that is closed at the next one. ok is false if
// all items were replaced since, as by a reset, or if older changes are no longer known.
func (h *History) After(version uint64) (changes []Change, next <-chan struct{}, ok bool) {
	h.of.mu.Lock()
	defer h.of.mu.Unlock()
	if h.ended || version < h.complete {
		return nil, nil, false
	}
	for i := range h.changes {
		if h.changes[i].Version > version {
			changes = append(changes, h.changes[i:]...)
			break
		}
	}
	return changes, h.next, true
}

// record notes a change. The caller holds the State's lock.
func (h *History) record(kind ChangeKind, version uint64, item *Item) {
	if h == nil || item == nil {
		return
	}
	h.changes = append(h.changes, Change{version, kind, item})
	h.bytes += item.memory()
	for len(h.changes) > maxChanges || h.bytes > maxChangesBytes && len(h.changes) > 1 {
		h.complete = h.changes[0].Version
		h.bytes -= h.changes[0].Item.memory()
		h.changes[0] = Change{}
		h.changes = h.changes[1:]
	}
	close(h.next)
	h.next = make(chan struct{})
}

func (h *History) size() int64 {
	if h == nil {
		return 0
	}
	return h.bytes
}

// EndHistory ends what watches the State.
func (s *State) EndHistory() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endHistory()
}

func (s *State) endHistory() {
	if h := s.history; h != nil {
		h.ended = true
		close(h.next)
		s.history = nil
	}
}
