package backends

import "slices"

// field is one property of an object.
type field struct {
	name     string
	required bool
	missing  string // the fault by which it may be left out
	null     string // the fault by which it may be null
	spare    any    // what is kept if a fault let it be left out
	standard any    // its default; nil if it has none
	noted    string // the fault by which the default is not applied
	readOnly bool   // ignored if a client sends it
	taken    string // the fault by which it is accepted nevertheless
	demanded string // the fault by which an optional property is required
	rule     rule
}

// need is a required property.
func need(name, missing, null string, spare any, rules ...rule) field {
	return field{name: name, required: true, missing: missing, null: null, spare: spare, rule: all(rules...)}
}

// may is an optional property.
func may(name string, rules ...rule) field {
	return field{name: name, rule: all(rules...)}
}

// filled is an optional property with a default.
func filled(name string, standard any, noted string, rules ...rule) field {
	return field{name: name, standard: standard, noted: noted, rule: all(rules...)}
}

// given is a property that only the service sets.
func given(name, taken string) field {
	return field{name: name, readOnly: true, taken: taken, rule: all()}
}

func (f field) orDemanded(fault string) field { f.demanded = fault; return f }
func (f field) orNull(fault string, spare any) field {
	f.null, f.spare = fault, spare
	return f
}

// others says what of the properties that an object does not know.
type others struct {
	refused bool
	fault   string // by which they pass if they are refused
	rule    rule   // holds them if they are described
	max     int    // of properties in all; 0 means no limit
	maxless string // the fault by which the limit does not hold
}

// ignored passes over the properties that are not known.
var ignored = others{}

// closed refuses them.
func closed(fault string) others { return others{refused: true, fault: fault} }

// object takes objects. The object that it returns has the known properties, the
// defaults filled in, and the others if a rule describes them.
func object(rest others, fields ...field) rule {
	return func(k *check, at string, value any) any {
		sent, ok := value.(map[string]any)
		if !ok {
			k.report("", at, "must be an object")
			return value
		}
		if rest.max > 0 && len(sent) > rest.max {
			k.report(rest.maxless, at, "has too many properties")
		}
		kept := map[string]any{}
		for _, f := range fields {
			f.take(k, at+"/"+f.name, sent, kept)
		}
		for _, name := range sortedNames(sent) {
			if slices.ContainsFunc(fields, func(f field) bool { return f.name == name }) {
				continue
			}
			switch {
			case rest.refused:
				k.report(rest.fault, at+"/"+name, "is not known")
			case rest.rule != nil:
				kept[name] = rest.rule(k, at+"/"+name, sent[name])
			}
		}
		return kept
	}
}

// take moves one property from what was sent to what is kept.
func (f field) take(k *check, at string, sent, kept map[string]any) {
	value, has := sent[f.name]
	switch {
	case f.readOnly:
		if has && k.s.has(f.taken) {
			kept[f.name] = value
		}
	case !has && f.standard != nil:
		if !k.s.has(f.noted) {
			kept[f.name] = f.standard
		}
	case !has && (f.required || k.s.has(f.demanded)):
		fault := f.missing
		if !f.required {
			fault = ""
		}
		k.report(fault, at, "is missing")
		kept[f.name] = f.spare
	case !has:
	case value == nil && k.s.has(f.null):
		kept[f.name] = f.spare
		if f.spare == nil {
			delete(kept, f.name)
		}
	default:
		kept[f.name] = f.rule(k, at, value)
	}
}

func sortedNames(object map[string]any) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
