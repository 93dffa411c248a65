package backends

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode/utf8"
)

// str takes strings. With the fault, numbers and booleans are written as such.
func str(fault string) rule {
	return func(k *check, at string, value any) any {
		switch v := value.(type) {
		case string:
			return v
		case json.Number:
			k.report(fault, at, "must be a string")
			return string(v)
		case bool:
			k.report(fault, at, "must be a string")
			return string(text(v))
		}
		k.report("", at, "must be a string")
		return value
	}
}

// minLength and maxLength count code points.
func minLength(n int, fault string) rule {
	return func(k *check, at string, value any) any {
		if s, ok := value.(string); ok && utf8.RuneCountInString(s) < n {
			k.report(fault, at, "is too short")
		}
		return value
	}
}

func maxLength(n int, fault string) rule {
	return func(k *check, at string, value any) any {
		if s, ok := value.(string); ok && utf8.RuneCountInString(s) > n {
			k.report(fault, at, "is too long")
		}
		return value
	}
}

// maxBytes and maxUnits count as some programs do, in bytes and in UTF-16.
func maxBytes(n int) rule {
	return func(k *check, at string, value any) any {
		if s, ok := value.(string); ok && len(s) > n {
			k.report("", at, "is too long")
		}
		return value
	}
}

func maxUnits(n int) rule {
	return func(k *check, at string, value any) any {
		if s, ok := value.(string); ok {
			units := 0
			for _, r := range s {
				units++
				if r > 0xffff {
					units++
				}
			}
			if units > n {
				k.report("", at, "is too long")
			}
		}
		return value
	}
}

func pattern(expression, fault string) rule {
	re := regexp.MustCompile(expression)
	return func(k *check, at string, value any) any {
		if s, ok := value.(string); ok && !re.MatchString(s) {
			k.report(fault, at, "does not match "+expression)
		}
		return value
	}
}

// loosely takes another, wider expression with a fault switched on.
func loosely(fault, wider string, r rule) rule {
	wide := pattern(wider, "")
	return func(k *check, at string, value any) any {
		if k.s.has(fault) {
			return wide(k, at, value)
		}
		return r(k, at, value)
	}
}

// oneOfWords is an enum of strings. The second fault makes it blind to case.
func oneOfWords(fault, caseFault string, words ...string) rule {
	return func(k *check, at string, value any) any {
		s, ok := value.(string)
		if !ok {
			k.report("", at, "must be one of "+strings.Join(words, ", "))
			return value
		}
		for _, word := range words {
			if s == word {
				return word
			}
			if strings.EqualFold(s, word) && k.s.has(caseFault) {
				return word
			}
		}
		k.report(fault, at, "must be one of "+strings.Join(words, ", "))
		return value
	}
}

// format holds a string to a format.
func format(name, fault string) rule {
	fits := formats[name]
	return func(k *check, at string, value any) any {
		if s, ok := value.(string); ok && !fits(s) {
			k.report(fault, at, "is no "+name)
		}
		return value
	}
}
