package cases

import (
	"cmp"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
)

// rational returns a JSON number, 0 for one of a huge exponent; nil if text is not a number.
func rational(value any) *big.Rat {
	n, isNumber := value.(json.Number)
	if _, exponent, ok := strings.Cut(strings.ToLower(string(n)), "e"); ok && len(exponent) > 4 {
		n = "0"
	}
	if r, ok := new(big.Rat).SetString(string(n)); isNumber && ok {
		return r
	}
	return nil
}

// number writes a number out; "" if its digits have no end.
func number(r *big.Rat) json.Number {
	if r.IsInt() {
		return json.Number(r.Num().String())
	}
	digits, exact := r.FloatPrec()
	if !exact {
		return ""
	}
	return json.Number(r.FloatString(digits))
}

func (p *parameter) encode(value any) (string, error) {
	if p.Content == nil {
		value = inDecimal(value)
	}
	return decode.Encode(p.Parameter, value)
}

// inDecimal returns a value that is written as text with its numbers in plain
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
		return cmp.Or(number(r), n)
	}
	return n
}
