package jsonvalue

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/exchange"
)

// The reasons why a JSON Patch cannot be applied.
var (
	ErrTest      = errors.New("the value is another one")                          // a test operation failed
	ErrMalformed = errors.New("it is no JSON Patch")                               // with any target
	ErrNoPlace   = errors.New("an operation is about something that is not there") // with this target
)

// patchError is one of the errors above with its own message.
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
	maxPatchSize = 100_000 // values that the copies of one patch may create
)

// Patch applies a JSON Patch (RFC 6902), given as its decoded array, and returns the result. The target does not
// change. An error says which operation failed and why.
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
		return change(target, path, insert, value)
	case "remove":
		target, _, err = Remove(target, path)
		return target, err
	case "replace", "test":
		have, err := at(target, path)
		switch {
		case err != nil:
			return nil, err
		case name == "replace":
			return change(target, path, replace, value)
		case !Equals(have, value):
			return nil, fmt.Errorf("test of %q: %w", operation["path"], ErrTest)
		}
		return target, nil
	case "move", "copy":
		return relocate(target, operation, path, size)
	}
	return nil, malformed("%q is no operation; there are add, remove, replace, move, copy and test", name)
}

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
		for range Walk(moved) {
			if *size++; *size > maxPatchSize {
				return nil, errors.New("the copies are too large")
			}
		}
		return change(target, path, insert, moved)
	}
	if len(path) > len(from) && slices.Equal(path[:len(from)], from) {
		return nil, errors.New("nothing can be moved into itself")
	}
	if target, _, err = Remove(target, from); err != nil {
		return nil, err
	}
	return change(target, path, insert, moved)
}

func place(operation map[string]any, member string) ([]string, error) {
	text, ok := operation[member].(string)
	if !ok {
		return nil, malformed("%q is missing or no string", member)
	}
	if text != "" && text[0] != '/' {
		return nil, malformed("%q is no JSON Pointer", text)
	}
	return exchange.SplitPointer(text), nil
}

// index parses the index of an element; "-" is the index after the last one.
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

// At returns the value at the tokens of a JSON Pointer (RFC 6901); ok is false if none.
func At(value any, tokens []string) (found any, ok bool) {
	found, err := at(value, tokens)
	return found, err == nil
}

// With returns a copy of a value in which the value at tokens is replaced; the rest is shared. ok is false if there
// is nothing to replace.
func With(value any, tokens []string, to any) (changed any, ok bool) {
	changed, err := change(value, tokens, replace, to)
	return changed, err == nil
}

// WithMember returns a copy of an object with one member set.
func WithMember(object map[string]any, name string, value any) map[string]any {
	if object = maps.Clone(object); object == nil {
		object = make(map[string]any, 1)
	}
	object[name] = value
	return object
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

// edit is a change of the value at a path.
type edit uint8

const (
	replace edit = iota
	insert
	remove
)

// change returns a copy of a value, edited at path. The rest is shared.
func change(value any, path []string, e edit, to any) (any, error) {
	if len(path) == 0 {
		return to, nil
	}
	token, rest := path[0], path[1:]
	if len(rest) > 0 {
		inner, err := at(value, path[:1])
		if err != nil {
			return nil, err
		}
		if to, err = change(inner, rest, e, to); err != nil {
			return nil, err
		}
		e = replace
	}
	switch v := value.(type) {
	case map[string]any:
		v = maps.Clone(v)
		if e == remove {
			delete(v, token)
		} else {
			v[token] = to
		}
		return v, nil
	case []any:
		length := len(v)
		if e != insert {
			length--
		}
		i, err := index(token, length)
		if err != nil {
			return nil, err
		}
		v = slices.Clone(v)
		switch e {
		case insert:
			return slices.Insert(v, i, to), nil
		case remove:
			return slices.Delete(v, i, i+1), nil
		}
		v[i] = to
		return v, nil
	}
	return nil, missing(token)
}

// Remove returns a copy of a value without the value at tokens, and the removed value. The error says that there is
// none.
func Remove(value any, path []string) (rest, removed any, err error) {
	if removed, err = at(value, path); err != nil {
		return nil, nil, err
	}
	rest, err = change(value, path, remove, nil)
	return rest, removed, err
}

// Merge applies a merge patch (RFC 7396). Neither value is changed; the result may share parts with both.
func Merge(target, patch any) any {
	members, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	object, _ := target.(map[string]any)
	if object = maps.Clone(object); object == nil {
		object = map[string]any{}
	}
	for name, member := range members {
		if member == nil {
			delete(object, name)
			continue
		}
		object[name] = Merge(object[name], member)
	}
	return object
}
