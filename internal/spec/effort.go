package spec

// maxEffort bounds how many (schema, value) pairs explaining a refusal may
// visit. Alternatives that all lead on into the value are visited anew in each
// of them, so their number can double with every level of nesting.
const maxEffort = 1 << 20

// affordable reports whether k.Validate(value) ends in reasonable time. Validate
// visits every branch; so does this, and only counts.
func affordable(k *Keywords, value any) bool {
	e := effort{left: maxEffort}
	e.visit(k, value, 0)
	return e.left > 0
}

type effort struct{ left int }

// maxCircle is how many schemas on one value lead to each other before they
// are taken for a circle, which Validate ends by itself.
const maxCircle = 64

func (e *effort) visit(k *Keywords, value any, inPlace int) {
	if k == nil || e.left <= 0 || inPlace > maxCircle {
		return
	}
	e.left--
	inPlace++
	for _, next := range []*Keywords{k.Ref, k.RecursiveRef, k.Not, k.If, k.Then, k.Else} {
		e.visit(next, value, inPlace)
	}
	if k.DynamicRef != nil {
		e.visit(k.DynamicRef.Ref, value, inPlace)
	}
	for _, branches := range [][]*Keywords{k.AllOf, k.AnyOf, k.OneOf} {
		for _, branch := range branches {
			e.visit(branch, value, inPlace)
		}
	}
	for _, dependent := range k.DependentSchemas {
		e.visit(dependent, value, inPlace)
	}
	switch v := value.(type) {
	case map[string]any:
		additional, _ := k.AdditionalProperties.(*Keywords)
		for name, member := range v {
			e.visit(k.Properties[name], member, 0)
			for _, matching := range k.PatternProperties {
				e.visit(matching, member, 0)
			}
			e.visit(additional, member, 0)
			e.visit(k.UnevaluatedProperties, member, 0)
		}
	case []any:
		for i, item := range v {
			if i < len(k.PrefixItems) {
				e.visit(k.PrefixItems[i], item, 0)
			} else {
				e.visit(k.Items2020, item, 0)
			}
			e.visit(k.Contains, item, 0)
			e.visit(k.UnevaluatedItems, item, 0)
		}
	}
}
