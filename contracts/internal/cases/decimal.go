package cases

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
)

// maxZeros is the largest exponent that is written out.
const maxZeros = 30

// encode writes a value of the parameter as it travels.
func (p *parameter) encode(value any) (string, error) {
	if p.Content == nil {
		value = inDecimal(value)
	}
	return decode.Encode(p.Parameter, value)
}

// inDecimal gives a value that is written as text with its numbers in plain
// decimal: JSON allows 1e2 for 100, programs that read texts hardly do.
func inDecimal(value any) any {
	switch v := value.(type) {
	case json.Number:
		return decimal(v)
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = inDecimal(item)
		}
		return items
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			object[name] = inDecimal(member)
		}
		return object
	}
	return value
}

// decimal writes a number without an exponent, unless that has more zeros than
// anyone would write, and zero without a sign.
func decimal(n json.Number) json.Number {
	if n == "-0" {
		return "0"
	}
	mantissa, exponent, ok := strings.Cut(strings.ToLower(string(n)), "e")
	if !ok {
		return n
	}
	by, err := strconv.Atoi(exponent)
	if err != nil || by > maxZeros || by < -maxZeros || len(mantissa) > maxZeros {
		return n
	}
	if r := rational(n); r != nil {
		if written := number(r); written != "" {
			return written
		}
	}
	return n
}
