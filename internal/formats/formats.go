// Package formats is the registry of the values of "format": their validation, generated values and typical mistakes.
// To add a format, add a row to the table in table.go; its test covers every row.
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
	Source string // the RFC, or the registry

	// Validate checks values; values of types to which the format does not apply are valid. It is nil for formats
	// that jsonschema/v6 checks itself and for formats without a rule, such as password.
	Validate func(any) error
	Min, Max *big.Rat // for numeric formats
	Whole    bool     // numbers have no fraction

	Generate func(*Faker) string // nil for formats of numbers only
	// Lengthen makes a generated string at least missing characters longer; nil appends letters.
	Lengthen func(s string, missing int) string
	// MinLength and MaxLength limit the valid strings, in characters; 0 for no limit. They are set if a schema's
	// length is likely to contradict the format.
	MinLength, MaxLength int
	Shortest             string // the shortest valid string, in which "?" is any letter; "" if Generate returns it
	// Inferred is set if a pattern may describe the format without naming it.
	Inferred bool

	Wrong        []string // plausible mistakes, the most likely first
	WrongNumbers []WrongNumber
	Boundary     []string // valid strings that Generate rarely returns
	Rare         []string // valid strings that programs may well refuse
}

// WrongNumber is a number that a numeric format does not allow.
type WrongNumber struct {
	Value string
	What  string
	Rank  int // priority in tests: 0 is the highest
}

// Lookup returns a format by name, in any case, nil if it is unknown.
func Lookup(name string) *Format {
	if f := byName[name]; f != nil || name == "" {
		return f
	}
	return byName[strings.ToLower(name)]
}

// Contradicts reports whether no string with a length (in characters) or no number within the limits fits the format;
// nil for no limit.
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

// IsNumeric reports whether the format is for numbers.
func (f *Format) IsNumeric() bool { return f != nil && f.Min != nil }

// Lengthened returns s with at least missing more characters, if the format allows.
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
