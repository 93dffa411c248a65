package schema

import (
	"iter"
	"strconv"
)

// Properties returns the properties that a schema lists for an object, those of
// anyOf and oneOf among them. Where two parts list a name, the first counts.
func Properties(k *Keywords) map[string]*Keywords {
	return propertiesOf(Possible(k))
}

// CommonProperties returns the properties that a schema lists whichever branch of
// anyOf and oneOf a value takes.
func CommonProperties(k *Keywords) map[string]*Keywords { return propertiesOf(All(k)) }

func propertiesOf(parts iter.Seq[*Keywords]) map[string]*Keywords {
	properties := map[string]*Keywords{}
	for part := range parts {
		for name, property := range part.Properties {
			if properties[name] == nil {
				properties[name] = property
			}
		}
	}
	return properties
}

// Property returns the schema that Properties has for a name, nil if it has none.
func Property(k *Keywords, name string) *Keywords {
	for part := range Possible(k) {
		if property := part.Properties[name]; property != nil {
			return property
		}
	}
	return nil
}

// DecidesAlone reports whether a schema of k, and no other one, says which values a property may have, whatever else an
// object has: objects that conform still do with any value that the schema takes.
func DecidesAlone(k *Keywords, name string, property *Keywords) bool {
	parts, ok := flatParts(nil, k, 0)
	listed := false
	for _, part := range parts {
		if of := part.Properties[name]; of != nil {
			ok, listed = ok && of == property, true
		}
	}
	return ok && listed
}

// Required returns the names that every object of a schema must have.
func Required(k *Keywords) map[string]bool {
	required := map[string]bool{}
	for part := range All(k) {
		for _, name := range part.Required {
			required[name] = true
		}
	}
	return required
}

// Undeclared returns the schema of members that k does not list: the first additionalProperties of All. It is
// nil if there is none or where it forbids them.
func Undeclared(k *Keywords) *Keywords {
	for part := range All(k) {
		switch additional := part.AdditionalProperties.(type) {
		case bool:
			if additional {
				return &Keywords{}
			}
		case *Keywords:
			return additional
		}
	}
	return nil
}

// Members returns Properties and, by Undeclared, the names that are required and not listed.
func Members(k *Keywords) map[string]*Keywords {
	members := Properties(k)
	for name := range Required(k) {
		if members[name] != nil {
			continue
		}
		if members[name] = Undeclared(k); members[name] == nil {
			members[name] = &Keywords{}
		}
	}
	return members
}

// Items returns the schema of an array's items, through references and allOf; nil if there is none.
func Items(k *Keywords) *Keywords {
	for part := range All(k) {
		if part.Items2020 != nil {
			return part.Items2020
		}
	}
	return nil
}

// Item returns what k itself says of the item at an index, nil if it says nothing.
func Item(k *Keywords, index int) *Keywords {
	if index < len(k.PrefixItems) {
		return k.PrefixItems[index]
	}
	return k.Items2020
}

// At returns the schema of what the tokens of a JSON Pointer lead to within a
// value, in any branch; nil if no schema has it.
func At(k *Keywords, tokens []string) *Keywords {
	if len(tokens) == 0 {
		return k
	}
	index, err := strconv.Atoi(tokens[0])
	for part := range Possible(k) {
		inner := []*Keywords{part.Properties[tokens[0]]}
		if err == nil && index >= 0 {
			inner = append(inner, Item(part, index))
		}
		for _, k := range inner {
			if found := At(k, tokens[1:]); found != nil {
				return found
			}
		}
	}
	return nil
}
