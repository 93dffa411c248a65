package backends

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// rational reads a JSON number exactly. Numbers too large or too small for any
// rule here are cut at 10^±400, so that no request costs a megabyte.
func rational(n json.Number) *big.Rat {
	mantissa, exponent, found := strings.Cut(strings.ToLower(string(n)), "e")
	if found {
		e, err := strconv.Atoi(exponent)
		negative := strings.HasPrefix(exponent, "-")
		if err != nil || e > 400 || e < -400 {
			exponent = map[bool]string{true: "-400", false: "400"}[negative]
		}
		mantissa += "e" + exponent
	}
	r, ok := new(big.Rat).SetString(mantissa)
	if !ok {
		return new(big.Rat)
	}
	return r
}

// number takes numbers. With the fault it takes them as strings too.
func number(fault string) rule {
	return func(k *check, at string, value any) any {
		switch v := value.(type) {
		case json.Number:
			return v
		case string:
			if n, ok := jsonNumber(v); ok {
				k.report(fault, at, "must be a number")
				return n
			}
		}
		k.report("", at, "must be a number")
		return value
	}
}

// integer takes whole numbers however they are written: 1.0 and 1e2 are some.
// The first fault takes "1" too, the second cuts 1.5 down to 1.
func integer(textFault, fractionFault string) rule {
	return func(k *check, at string, value any) any {
		n, ok := value.(json.Number)
		if s, isText := value.(string); isText {
			if n, ok = jsonNumber(s); ok {
				k.report(textFault, at, "must be an integer")
			}
		}
		if !ok {
			k.report("", at, "must be an integer")
			return value
		}
		r := rational(n)
		if !r.IsInt() {
			k.report(fractionFault, at, "must be a whole number")
		}
		whole := new(big.Int).Quo(r.Num(), r.Denom())
		return json.Number(whole.String())
	}
}

// boolean takes true and false. With the fault it takes "true" and 1 too.
func boolean(fault string) rule {
	return func(k *check, at string, value any) any {
		switch v := value.(type) {
		case bool:
			return v
		case string:
			if v == "true" || v == "false" {
				k.report(fault, at, "must be true or false")
				return v == "true"
			}
		case json.Number:
			if v == "1" || v == "0" {
				k.report(fault, at, "must be true or false")
				return v == "1"
			}
		}
		k.report("", at, "must be true or false")
		return value
	}
}

// compare reports numbers for which wrong holds of their order to limit.
func compare(limit, fault, text string, wrong func(order int) bool) rule {
	bound := rational(json.Number(limit))
	return func(k *check, at string, value any) any {
		if n, ok := value.(json.Number); ok && wrong(rational(n).Cmp(bound)) {
			k.report(fault, at, text+limit)
		}
		return value
	}
}

func minimum(limit, fault string) rule {
	return compare(limit, fault, "must be >= ", func(order int) bool { return order < 0 })
}

func maximum(limit, fault string) rule {
	return compare(limit, fault, "must be <= ", func(order int) bool { return order > 0 })
}

// above and below are the exclusive bounds.
func above(limit, fault string) rule {
	return compare(limit, fault, "must be > ", func(order int) bool { return order <= 0 })
}

func below(limit, fault string) rule {
	return compare(limit, fault, "must be < ", func(order int) bool { return order >= 0 })
}

func multipleOf(step, fault string) rule {
	divisor := rational(json.Number(step))
	return func(k *check, at string, value any) any {
		if n, ok := value.(json.Number); ok && !new(big.Rat).Quo(rational(n), divisor).IsInt() {
			k.report(fault, at, "must be a multiple of "+step)
		}
		return value
	}
}

// jsonNumber reads a text that is a JSON number.
func jsonNumber(s string) (json.Number, bool) {
	var n json.Number
	if s == "" || s[0] == '"' || s == "null" || json.Unmarshal([]byte(s), &n) != nil || strings.TrimSpace(s) != s {
		return "", false
	}
	return n, true
}
