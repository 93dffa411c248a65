package formats

import (
	"time"

	"github.com/brianvoe/gofakeit/v7"

	"github.com/coldframe/coldframe/internal/locales"
)

// Faker generates random values from a seed: equal seeds produce equal values. Seeding it again does not allocate. It
// is not safe for concurrent use.
type Faker struct {
	*gofakeit.Faker
	// Origin is later than all generated times, by at most a year. Default: 2025-01-01T00:00:00Z.
	Origin time.Time
	// Locale is the locale of values; nil is locales.Default.
	Locale *locales.Locale
	source *Source
}

// Epoch returns Origin or its default.
func (f *Faker) Epoch() time.Time {
	if f.Origin.IsZero() {
		return epoch
	}
	return f.Origin
}

// NewFaker returns a faker with seed 0.
func NewFaker() *Faker {
	s := new(Source)
	return &Faker{Faker: gofakeit.NewFaker(s, false), source: s}
}

// Seed restarts the faker and returns it.
func (f *Faker) Seed(seed uint64) *Faker {
	*f.source = Source(seed)
	return f
}

// FirstName returns a first name of the locale.
func (f *Faker) FirstName() string {
	if f.Locale == nil || f.Locale.First == nil {
		return f.Faker.FirstName()
	}
	return f.Locale.First[f.IntN(len(f.Locale.First))]
}

// LastName returns a last name of the locale.
func (f *Faker) LastName() string {
	if f.Locale == nil || f.Locale.Last == nil {
		return f.Faker.LastName()
	}
	return f.Locale.Last[f.IntN(len(f.Locale.Last))]
}

// FullName joins a name in the order of the locale.
func (f *Faker) FullName(first, last string) string {
	if f.Locale != nil && f.Locale.LastFirst {
		return last + " " + first
	}
	return first + " " + last
}

// IntN returns a number from 0 to n-1; n must be positive.
func (f *Faker) IntN(n int) int { return f.source.IntN(n) }

// Uint64 returns 64 random bits.
func (f *Faker) Uint64() uint64 { return f.source.Uint64() }

// Source is the random number generator splitmix64. It is a rand.Source.
type Source uint64

// Increment is the increment of the state of splitmix64.
const Increment = 0x9e3779b97f4a7c15

func (s *Source) Uint64() uint64 {
	*s += Increment
	return Mix(uint64(*s))
}

// IntN returns a number from 0 to n-1; n must be positive.
func (s *Source) IntN(n int) int { return int(s.Uint64() % uint64(n)) }

// Mix is the output function of splitmix64: it spreads a change of one bit over all bits.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Call calls the gofakeit function with a name in lower case, without arguments. ok is false if none, if it
// returns no plain value, or if its result depends on the time of day.
func (f *Faker) Call(name string) (value any, ok bool) {
	info := gofakeit.GetFuncLookup(name)
	if info == nil || info.Generate == nil || ofTheDay[name] {
		return nil, false
	}
	value, err := info.Generate(f.Faker, gofakeit.NewMapParams(), info)
	return value, err == nil
}

// ofTheDay are the functions whose results depend on the time of day.
var ofTheDay = map[string]bool{
	"date": true, "pastdate": true, "futuredate": true, "daterange": true, "time": true, "timerange": true,
	"creditcardexp": true, "creditcard": true, "car": true, "person": true, "year": true,
}
