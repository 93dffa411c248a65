package backends

import "slices"

// A rule checks one value and returns the value to keep: the same,
// unless something was filled in or let through in another form. A rule passes
// over values of types that it does not speak of. Its last argument is the
// fault that switches it off; "" is none.
type rule func(k *check, at string, value any) any

// check collects what is wrong with one request.
type check struct {
	s        *Server
	problems []problem
	crash    string // what a service says that fails over the input
}

// problem is one thing that is wrong: where, and what.
type problem struct{ Field, Problem string }

func (k *check) report(fault, at, text string) {
	if !k.s.has(fault) {
		k.problems = append(k.problems, problem{at, text})
	}
}

// all applies rules in turn and stops after the first that finds a problem.
func all(rules ...rule) rule {
	return func(k *check, at string, value any) any {
		before := len(k.problems)
		for _, r := range rules {
			value = r(k, at, value)
			if len(k.problems) > before {
				break
			}
		}
		return value
	}
}

// only applies a rule with a fault switched on, a rule that the document does
// not have.
func only(fault string, r rule) rule {
	return func(k *check, at string, value any) any {
		if k.s.has(fault) {
			return r(k, at, value)
		}
		return value
	}
}

// nullable lets null pass, unless the fault is switched on.
func nullable(fault string, rules ...rule) rule {
	inner := all(rules...)
	return func(k *check, at string, value any) any {
		if value == nil && !k.s.has(fault) {
			return nil
		}
		return inner(k, at, value)
	}
}

// crashes answers 500 for the values that bad picks, with the fault switched on.
func crashes(fault string, bad func(any) bool) rule {
	return only(fault, func(k *check, at string, value any) any {
		if bad(value) {
			k.crash = "unhandled error at " + at
		}
		return value
	})
}

// changes keeps another value than was sent, with the fault switched on.
func changes(fault string, change func(any) any) rule {
	return only(fault, func(_ *check, _ string, value any) any { return change(value) })
}

// among is an enum of any JSON values.
func among(fault string, values ...any) rule {
	return func(k *check, at string, value any) any {
		if !slices.ContainsFunc(values, func(v any) bool { return same(v, value) }) {
			k.report(fault, at, "is none of the known values")
		}
		return value
	}
}

// branch is one way of a oneOf: which objects mean it, and what they must be.
type branch struct {
	means func(map[string]any) bool
	rule  rule
}

// exactlyOne is a oneOf. With the fault several branches at once pass.
func exactlyOne(severalFault, noneFault string, branches ...branch) rule {
	return func(k *check, at string, value any) any {
		object, ok := value.(map[string]any)
		if !ok {
			k.report("", at, "must be an object")
			return value
		}
		var meant []branch
		for _, b := range branches {
			if b.means(object) {
				meant = append(meant, b)
			}
		}
		switch {
		case len(meant) == 0:
			k.report(noneFault, at, "is none of the known kinds")
		case len(meant) > 1:
			k.report(severalFault, at, "is of several kinds at once")
		default:
			return meant[0].rule(k, at, value)
		}
		return value
	}
}

// with reports whether an object has a property.
func with(name string) func(map[string]any) bool {
	return func(object map[string]any) bool { _, has := object[name]; return has }
}
