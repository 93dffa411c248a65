package generate

import "github.com/brianvoe/gofakeit/v7"

// faker is gofakeit over a stream that a key begins anew for every value, so it
// needs no lock and no allocation.
type faker struct {
	*gofakeit.Faker
	stream *stream
}

func newFaker() *faker {
	s := &stream{}
	return &faker{gofakeit.NewFaker(s, false), s}
}

// at begins the stream of a key.
func (f *faker) at(key Key) *faker {
	f.stream.state = uint64(key)
	return f
}
