// Package formats is the registry of the values of "format": how they are validated, generated and got wrong.
// Adding a format takes one row of the table in table.go: its test covers every row.
package formats

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"
)

// Format is one row of the registry.
type Format struct {
	Name   string
	Source string // the RFC, or where the format is registered

	// Validate checks values; types that the format is not about are valid. It is nil for formats that
	// jsonschema/v6 checks itself and for those that have no rule, such as password.
	Validate func(any) error
	Min, Max *big.Rat // of numeric formats
	Whole    bool     // its numbers have no fraction

	Generate func(*Faker) string // nil for formats of numbers only
	// Lengthen appends to a generated string, so that it is at least so many
	// characters longer; nil appends letters.
	Lengthen func(s string, missing int) string
	// MinLength and MaxLength bound the valid strings, in characters; 0 for no bound. They stand where a length of
	// a schema is likely to contradict the format.
	MinLength, MaxLength int
	Shortest             string // the shortest valid string, where "?" is any letter; "" if Generate has it
	// Inferred says that a pattern may describe the format without naming it.
	Inferred   bool
	FieldNames string // property names that suggest the format, lower case, without separators

	Wrong        []string // plausible mistakes, the likeliest first
	WrongNumbers []WrongNumber
	Boundary     []string // valid strings that are rarer than what Generate makes
}

// WrongNumber is a number that a numeric format does not allow.
type WrongNumber struct {
	Value string
	What  string
	Rank  int // how much it matters to test it: 0 is the most
}

// Lookup returns a format by its name, nil if it is unknown. Names in another case are found too.
func Lookup(name string) *Format {
	if f := byName[name]; f != nil || name == "" {
		return f
	}
	return byName[strings.ToLower(name)]
}

// Contradicts reports whether no string of a length, in characters, or no number between limits fits the format; nil
// for no limit.
func (f *Format) Contradicts(minLength, maxLength, minimum, maximum *big.Rat) bool {
	below := func(limit *big.Rat, n int) bool {
		return n > 0 && limit != nil && limit.Cmp(big.NewRat(int64(n), 1)) < 0
	}
	above := func(limit *big.Rat, n int) bool {
		return n > 0 && limit != nil && limit.Cmp(big.NewRat(int64(n), 1)) > 0
	}
	return below(maxLength, f.MinLength) || above(minLength, f.MaxLength) ||
		f.IsNumeric() && (minimum != nil && minimum.Cmp(f.Max) > 0 || maximum != nil && maximum.Cmp(f.Min) < 0)
}

// IsNumeric reports whether the format is about numbers.
func (f *Format) IsNumeric() bool { return f != nil && f.Min != nil }

// Lengthened returns s with at least so many characters more, as far as the format allows.
func (f *Format) Lengthened(s string, missing int) string {
	switch {
	case missing <= 0:
		return s
	case f.Lengthen != nil:
		return f.Lengthen(s, missing)
	}
	return s + strings.Repeat("a", missing)
}

var byName = func() map[string]*Format {
	m := make(map[string]*Format, len(All))
	for i := range All {
		m[All[i].Name] = &All[i]
	}
	return m
}()

var errOutOfRange = errors.New("out of range")

func integers(low, high int64) func(any) error {
	least, most := big.NewInt(low), big.NewInt(high)
	return func(v any) error {
		number, ok := v.(json.Number)
		if !ok {
			return nil
		}
		if i, err := number.Int64(); err == nil {
			if i < low || i > high {
				return errOutOfRange
			}
			return nil
		}
		r, ok := new(big.Rat).SetString(string(number))
		if !ok || !r.IsInt() {
			return errors.New("not a whole number")
		}
		if r.Num().Cmp(least) < 0 || r.Num().Cmp(most) > 0 {
			return errOutOfRange
		}
		return nil
	}
}

func floats(limit float64) func(any) error {
	return func(v any) error {
		number, ok := v.(json.Number)
		if !ok {
			return nil
		}
		if f, err := number.Float64(); err != nil || math.Abs(f) > limit {
			return errOutOfRange
		}
		return nil
	}
}

// base64Text validates base64 (RFC 4648 section 4) without line breaks.
func base64Text(v any) error {
	text, ok := v.(string)
	if !ok {
		return nil
	}
	if strings.ContainsAny(text, "\r\n") {
		return errors.New("line breaks in base64")
	}
	_, err := base64.StdEncoding.DecodeString(text)
	return err
}
