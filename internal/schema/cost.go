package schema

// maxVisits bounds how many (schema, value) pairs explaining a refusal may visit. Alternatives that all lead
// on into the value are visited anew in each of them, so their number can double with every level of nesting.
const maxVisits = 1 << 20

// maxReferences is how many schemas on one value may lead to each other before
// they count as a cycle, which Validate ends by itself.
const maxReferences = 64

// Affordable reports whether k.Validate(value) ends in reasonable time. Validate
// visits every branch; Affordable counts them.
func Affordable(k *Keywords, value any) bool {
	c := visitCounter{left: maxVisits}
	c.visit(k, value, 0)
	return c.left > 0
}

// Within is Conforms as far as an allowance of steps reaches, of which it takes what it costs. Beyond it no value
// conforms.
func Within(k *Keywords, value any, steps *int) bool {
	f := fastValidator{steps: min(*steps, maxSteps)}
	before := f.steps
	result := f.validate(k, value, 0)
	if *steps -= before - f.steps; result != undecided || *steps <= 0 {
		return result == valid
	}
	c := visitCounter{left: min(*steps/visitSteps, maxVisits)}
	before = c.left
	c.visit(k, value, 0)
	*steps -= (before - c.left) * visitSteps
	return c.left > 0 && k.Validate(value) == nil
}

// visitSteps is how many steps of the fast validator one visit of Validate costs, about.
const visitSteps = 8

type visitCounter struct{ left int }

func (c *visitCounter) visit(k *Keywords, value any, references int) {
	if k == nil || c.left <= 0 || references > maxReferences {
		return
	}
	c.left--
	references++
	for _, next := range []*Keywords{k.Ref, k.RecursiveRef, k.Not, k.If, k.Then, k.Else} {
		c.visit(next, value, references)
	}
	if k.DynamicRef != nil {
		c.visit(k.DynamicRef.Ref, value, references)
	}
	for _, branches := range [][]*Keywords{k.AllOf, k.AnyOf, k.OneOf} {
		for _, branch := range branches {
			c.visit(branch, value, references)
		}
	}
	for _, dependent := range k.DependentSchemas {
		c.visit(dependent, value, references)
	}
	switch v := value.(type) {
	case map[string]any:
		additional, _ := k.AdditionalProperties.(*Keywords)
		for name, member := range v {
			c.visit(k.Properties[name], member, 0)
			for _, matching := range k.PatternProperties {
				c.visit(matching, member, 0)
			}
			c.visit(additional, member, 0)
			c.visit(k.UnevaluatedProperties, member, 0)
		}
	case []any:
		for i, item := range v {
			c.visit(Item(k, i), item, 0)
			c.visit(k.Contains, item, 0)
			c.visit(k.UnevaluatedItems, item, 0)
		}
	}
}
