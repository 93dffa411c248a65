package jsonvalue

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Why a JSON Patch cannot be applied.
var (
	ErrTest      = errors.New("the value is another one")                          // a test operation found it
	ErrMalformed = errors.New("it is no JSON Patch")                               // whatever it is applied to
	ErrNoPlace   = errors.New("an operation is about something that is not there") // in this target
)

// patchError is one of the failures above with its own message.
type patchError struct {
	kind error
	text string
}

func (e *patchError) Error() string        { return e.text }
func (e *patchError) Is(target error) bool { return target == e.kind }

func malformed(format string, args ...any) error {
	return &patchError{ErrMalformed, fmt.Sprintf(format, args...)}
}

const (
	maxPatch     = 10_000  // operations of one patch
	maxPatchSize = 100_000 // values that the copies of one patch may make
)

// Patch applies a JSON Patch (RFC 6902), given as its decoded array. The target
// does not change. An error says which operation failed and why.
func Patch(target, patch any) (any, error) {
	list, ok := patch.([]any)
	if !ok {
		return nil, malformed("a JSON Patch is an array of operations")
	}
	if len(list) > maxPatch {
		return nil, fmt.Errorf("the patch has %d operations, more than %d", len(list), maxPatch)
	}
	size := 0
	for i, element := range list {
		operation, ok := element.(map[string]any)
		if !ok {
			return nil, malformed("operation %d is no object", i)
		}
		var err error
		if target, err = apply(target, operation, &size); err != nil {
			return nil, fmt.Errorf("operation %d: %w", i, err)
		}
	}
	return target, nil
}

func apply(target any, operation map[string]any, size *int) (any, error) {
	path, err := place(operation, "path")
	if err != nil {
		return nil, err
	}
	name, _ := operation["op"].(string)
	value, hasValue := operation["value"]
	if !hasValue && (name == "add" || name == "replace" || name == "test") {
		return nil, malformed("%s needs a value", name)
	}
	switch name {
	case "add":
		return add(target, path, value)
	case "remove":
		target, _, err = Remove(target, path)
		return target, err
	case "replace":
		if _, err := at(target, path); err != nil {
			return nil, err
		}
		return set(target, path, value)
	case "test":
		have, err := at(target, path)
		if err != nil {
			return nil, err
		}
		if !Equals(have, value) {
			return nil, fmt.Errorf("test of %q: %w", operation["path"], ErrTest)
		}
		return target, nil
	case "move", "copy":
		return relocate(target, operation, path, size)
	}
	return nil, malformed("%q is no operation; there are add, remove, replace, move, copy and test", name)
}

// relocate applies a move or a copy.
func relocate(target any, operation map[string]any, path []string, size *int) (any, error) {
	from, err := place(operation, "from")
	if err != nil {
		return nil, err
	}
	moved, err := at(target, from)
	if err != nil {
		return nil, err
	}
	if operation["op"] == "copy" {
		if *size += count(moved, maxPatchSize); *size > maxPatchSize {
			return nil, errors.New("the copies are too large")
		}
		return add(target, path, moved)
	}
	if len(path) > len(from) && slices.Equal(path[:len(from)], from) {
		return nil, errors.New("nothing can be moved into itself")
	}
	if target, _, err = Remove(target, from); err != nil {
		return nil, err
	}
	return add(target, path, moved)
}

// count gives how many values there are in one, up to a limit.
func count(value any, most int) int {
	n := 1
	switch v := value.(type) {
	case map[string]any:
		for _, member := range v {
			if n += count(member, most-n); n > most {
				return n
			}
		}
	case []any:
		for _, element := range v {
			if n += count(element, most-n); n > most {
				return n
			}
		}
	}
	return n
}

func place(operation map[string]any, member string) ([]string, error) {
	text, ok := operation[member].(string)
	if !ok {
		return nil, malformed("%q is missing or no string", member)
	}
	if text == "" {
		return nil, nil
	}
	if text[0] != '/' {
		return nil, malformed("%q is no JSON Pointer", text)
	}
	tokens := strings.Split(text[1:], "/")
	for i := range tokens {
		tokens[i] = exchange.UnescapePointer(tokens[i])
	}
	return tokens, nil
}

// index reads the index of an element; "-" is the place behind the last.
func index(token string, length int) (int, error) {
	if token == "-" {
		return length, nil
	}
	n, err := strconv.Atoi(token)
	if err != nil || n < 0 || n > length || strconv.Itoa(n) != token {
		return 0, &patchError{ErrNoPlace, fmt.Sprintf("there is no element %q in an array of %d", token, length)}
	}
	return n, nil
}

func missing(token string) error {
	return &patchError{ErrNoPlace, fmt.Sprintf("there is no %q", token)}
}

// At gives the value that the tokens of a JSON Pointer lead to (RFC 6901); ok is
// false where there is none.
func At(value any, tokens []string) (found any, ok bool) {
	found, err := at(value, tokens)
	return found, err == nil
}

// With gives a copy of a value with another one where tokens lead, sharing the
// rest; ok is false where there is nothing to replace.
func With(value any, tokens []string, to any) (changed any, ok bool) {
	changed, err := set(value, tokens, to)
	return changed, err == nil
}

func at(value any, path []string) (any, error) {
	for _, token := range path {
		switch v := value.(type) {
		case map[string]any:
			member, ok := v[token]
			if !ok {
				return nil, missing(token)
			}
			value = member
		case []any:
			i, err := index(token, len(v))
			if err != nil || i == len(v) {
				return nil, missing(token)
			}
			value = v[i]
		default:
			return nil, missing(token)
		}
	}
	return value, nil
}

// change gives the value with the container at the end of path replaced.
func change(value any, path []string, with func(container any, token string) (any, error)) (any, error) {
	token, rest := path[0], path[1:]
	if len(rest) == 0 {
		return with(value, token)
	}
	inner, err := at(value, path[:1])
	if err != nil {
		return nil, err
	}
	if inner, err = change(inner, rest, with); err != nil {
		return nil, err
	}
	return set(value, path[:1], inner)
}

// set replaces what is there.
func set(value any, path []string, to any) (any, error) {
	if len(path) == 0 {
		return to, nil
	}
	return change(value, path, func(container any, token string) (any, error) {
		switch v := container.(type) {
		case map[string]any:
			v = maps.Clone(v)
			v[token] = to
			return v, nil
		case []any:
			i, err := index(token, len(v)-1)
			if err != nil {
				return nil, err
			}
			v = slices.Clone(v)
			v[i] = to
			return v, nil
		}
		return nil, missing(token)
	})
}

func add(value any, path []string, what any) (any, error) {
	if len(path) == 0 {
		return what, nil
	}
	return change(value, path, func(container any, token string) (any, error) {
		switch v := container.(type) {
		case map[string]any:
			v = maps.Clone(v)
			v[token] = what
			return v, nil
		case []any:
			i, err := index(token, len(v))
			if err != nil {
				return nil, err
			}
			return slices.Insert(slices.Clone(v), i, what), nil
		}
		return nil, missing(token)
	})
}

// Remove gives a copy of a value without what tokens lead to, and what that was. The
// error says where they lead nowhere.
func Remove(value any, path []string) (rest, removed any, err error) {
	if len(path) == 0 {
		return nil, value, nil
	}
	if removed, err = at(value, path); err != nil {
		return nil, nil, err
	}
	rest, err = change(value, path, func(container any, token string) (any, error) {
		switch v := container.(type) {
		case map[string]any:
			v = maps.Clone(v)
			delete(v, token)
			return v, nil
		case []any:
			i, err := index(token, len(v)-1)
			if err != nil {
				return nil, err
			}
			return slices.Delete(slices.Clone(v), i, i+1), nil
		}
		return nil, missing(token)
	})
	return rest, removed, err
}
