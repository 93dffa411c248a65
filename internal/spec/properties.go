package spec

// Properties gives the properties that the schema lists for an object, through
// references and compositions. Where two parts list a name, the first counts.
func (s *Schema) Properties() map[string]*Keywords {
	properties := map[string]*Keywords{}
	collectProperties(s.Keywords, properties, map[*Keywords]bool{})
	return properties
}

func collectProperties(k *Keywords, into map[string]*Keywords, seen map[*Keywords]bool) {
	if k == nil || seen[k] {
		return
	}
	seen[k] = true
	for name, property := range k.Properties {
		if _, ok := into[name]; !ok {
			into[name] = property
		}
	}
	collectProperties(k.Ref, into, seen)
	for _, parts := range [][]*Keywords{k.AllOf, k.AnyOf, k.OneOf} {
		for _, part := range parts {
			collectProperties(part, into, seen)
		}
	}
}

// Requires gives the names that every object of the schema must have.
func (s *Schema) Requires() map[string]bool {
	required := map[string]bool{}
	collectRequired(s.Keywords, required, map[*Keywords]bool{})
	return required
}

func collectRequired(k *Keywords, into map[string]bool, seen map[*Keywords]bool) {
	if k == nil || seen[k] {
		return
	}
	seen[k] = true
	for _, name := range k.Required {
		into[name] = true
	}
	collectRequired(k.Ref, into, seen)
	for _, part := range k.AllOf {
		collectRequired(part, into, seen)
	}
}

// Members gives the properties that values list, and those that they require and
// do not list, with what is said of undeclared ones.
func (s *Schema) Members() map[string]*Keywords {
	members := s.Properties()
	for name := range s.Requires() {
		if members[name] != nil {
			continue
		}
		if members[name] = s.Undeclared(); members[name] == nil {
			members[name] = &Keywords{}
		}
	}
	return members
}

// Undeclared gives what the schema says of members that it does not list: the
// first additionalProperties of it and of what every value conforms to, nil where
// there is none or where it forbids them.
func (s *Schema) Undeclared() *Keywords { return undeclared(s.Keywords, map[*Keywords]bool{}) }

func undeclared(k *Keywords, seen map[*Keywords]bool) *Keywords {
	if k == nil || seen[k] {
		return nil
	}
	seen[k] = true
	switch additional := k.AdditionalProperties.(type) {
	case bool:
		if additional {
			return &Keywords{}
		}
		return nil
	case *Keywords:
		return additional
	}
	if found := undeclared(k.Ref, seen); found != nil {
		return found
	}
	for _, part := range k.AllOf {
		if found := undeclared(part, seen); found != nil {
			return found
		}
	}
	return nil
}
