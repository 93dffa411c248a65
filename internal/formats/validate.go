package formats

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"
)

var errOutOfRange = errors.New("out of range")

// integers validates whole numbers of a range.
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

// floats validates numbers up to a magnitude.
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
