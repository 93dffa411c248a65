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
