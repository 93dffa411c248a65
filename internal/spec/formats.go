package spec

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

var errNotASchema = errors.New("it is no schema")

// registerFormats adds the formats of the OpenAPI Format Registry to those
// that the library knows from JSON Schema (date, date-time, time, duration,
// email, hostname, ipv4, ipv6, uri, uuid, regex, …). Formats without a rule
// (password, binary) accept everything.
func registerFormats(c *jsonschema.Compiler) {
	for name, check := range map[string]func(any) error{
		"int32":  wholeNumber(math.MinInt32, math.MaxInt32),
		"int64":  wholeNumber(math.MinInt64, math.MaxInt64),
		"float":  finite(math.MaxFloat32),
		"double": finite(math.MaxFloat64),
		"byte":   base64Text,
	} {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: check})
	}
}

func wholeNumber(low, high int64) func(any) error {
	least, most := big.NewInt(low), big.NewInt(high)
	return func(v any) error {
		number, ok := v.(json.Number)
		if !ok {
			return nil
		}
		if i, err := number.Int64(); err == nil {
			if i < low || i > high {
				return errors.New("out of range")
			}
			return nil
		}
		r, ok := new(big.Rat).SetString(string(number))
		if !ok || !r.IsInt() {
			return errors.New("no whole number")
		}
		if r.Num().Cmp(least) < 0 || r.Num().Cmp(most) > 0 {
			return errors.New("out of range")
		}
		return nil
	}
}

func finite(limit float64) func(any) error {
	return func(v any) error {
		number, ok := v.(json.Number)
		if !ok {
			return nil
		}
		f, err := number.Float64()
		if err != nil || math.Abs(f) > limit {
			return errors.New("out of range")
		}
		return nil
	}
}

// base64Text is format byte: base64 of RFC 4648 section 4.
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
