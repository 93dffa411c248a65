package schema

import (
	"iter"
	"maps"
	"strconv"
)

// Properties returns the properties that a schema lists for an object, including branches of anyOf and oneOf. If two
// parts list a name, the first counts.
func Properties(k *Keywords) map[string]*Keywords {
	return propertiesOf(Possible(k))
}

// CommonProperties returns the properties that a schema lists regardless of the chosen branches of anyOf and oneOf.
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

// Property returns the schema of a name in Properties, nil if none.
func Property(k *Keywords, name string) *Keywords {
	for part := range Possible(k) {
		if property := part.Properties[name]; property != nil {
			return property
		}
	}
	return nil
}

// DecidesAlone reports whether property is the only schema of k that restricts the values of a property: an object
// that conforms still does with any value that the property's schema accepts.
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

// maxChoices is the number of oneOf and anyOf within each other that Required looks into.
const maxChoices = 4

// Required returns the names that every object of a schema must have: the required names of All, and the names that all
// alternatives of a oneOf or anyOf require.
func Required(k *Keywords) map[string]bool { return required(k, maxChoices) }

func required(k *Keywords, choices int) map[string]bool {
	names := map[string]bool{}
	for part := range All(k) {
		for _, name := range part.Required {
			names[name] = true
		}
		for _, alternatives := range [][]*Keywords{part.OneOf, part.AnyOf} {
			if len(alternatives) == 0 || choices == 0 {
				continue
			}
			common := required(alternatives[0], choices-1)
			for _, other := range alternatives[1:] {
				theirs := required(other, choices-1)
				maps.DeleteFunc(common, func(name string, _ bool) bool { return !theirs[name] })
			}
			maps.Copy(names, common)
		}
	}
	return names
}

// Undeclared returns the schema of unlisted members: the first additionalProperties in All. It returns nil if there
// is none or it forbids them.
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

// Members returns Properties plus required names that are not listed, with the schema of Undeclared.
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

// Items returns the schema of an array's items, through references and allOf; nil if none.
func Items(k *Keywords) *Keywords {
	for part := range All(k) {
		if part.Items2020 != nil {
			return part.Items2020
		}
	}
	return nil
}

// Item returns the own schema of k for the item at an index, nil if it has none.
func Item(k *Keywords, index int) *Keywords {
	if index < len(k.PrefixItems) {
		return k.PrefixItems[index]
	}
	return k.Items2020
}

// At returns the schema of the value at a JSON Pointer's tokens, in any branch; nil if none.
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
