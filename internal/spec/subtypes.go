package spec

import (
	"errors"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/tree"
)

// maxSubtypeDepth limits how deep objects are looked for that name a subtype.
const maxSubtypeDepth = 64

// subtypes checks the objects of a value whose schema is a parent with a discriminator: an object that names a schema
// which extends the parent must conform to that schema, and one that names none is refused (OpenAPI 3.0.3 section
// 4.7.25: "no schema can be determined and validation SHOULD fail"). The value conforms to its schema otherwise.
type subtypes struct {
	*Schema
	in, name  string
	allowance Allowance // a copy, so that a check without subtypes allocates none
	findings  []exchange.Finding
}

// checkSubtypes returns the findings of subtypes.
func (s *Schema) checkSubtypes(a *Allowance, value any, in, name string) []exchange.Finding {
	if s.schemas == nil || !s.schemas.extends {
		return nil
	}
	c := subtypes{Schema: s, in: in, name: name, allowance: *a}
	c.check(s.Shape(), value, nil)
	*a = c.allowance
	c.findings = exchange.Sort(c.findings)
	return c.findings[:min(len(c.findings), maxFindings)]
}

func (c *subtypes) check(shape *schema.Shape, value any, path []string) {
	if len(path) > maxSubtypeDepth || len(c.findings) >= maxFindings {
		return
	}
	switch v := value.(type) {
	case []any:
		for i, element := range v {
			c.check(shape.Item(i), element, append(slices.Clip(path), strconv.Itoa(i)))
		}
	case map[string]any:
		for _, choice := range shape.Choices() {
			if choice.By == nil || !choice.By.Extended || !slices.Contains(shape.Certain(), choice.Owner) {
				continue
			}
			name, ok := v[choice.By.Property].(string)
			if !ok {
				continue
			}
			subtype, known := subtypeOf(choice.By, name)
			switch {
			case !known:
				c.refuse(choice, name, path)
				return
			case subtype == nil || subtype == choice.Owner:
				continue
			}
			if c.conforms(subtype, v, path) {
				c.check(c.ShapeOf(subtype), value, path)
			}
			return
		}
		for name, member := range v {
			c.check(shape.Property(name), member, append(slices.Clip(path), name))
		}
	}
}

// conforms reports whether an object conforms to its subtype, and adds findings if it does not.
func (c *subtypes) conforms(subtype *Keywords, object map[string]any, path []string) bool {
	if conforms, _ := schema.FastValidate(subtype, object, &c.allowance); conforms {
		return true
	}
	if !schema.Affordable(subtype, object, &c.allowance) {
		return true // the value as a whole is affordable, so this is rare
	}
	var invalid *jsonschema.ValidationError
	if err := subtype.Validate(object); err == nil || !errors.As(err, &invalid) {
		return err == nil
	}
	for _, f := range c.findingsOf(invalid, object, c.in, c.name) {
		f.Pointer = tree.Pointer(path) + f.Pointer
		c.findings = append(c.findings, f)
	}
	return false
}

func (c *subtypes) refuse(choice schema.Choice, name string, path []string) {
	var known []any
	for _, value := range slices.Concat(append(choice.By.Values, choice.By.Own)...) {
		known = append(known, value)
	}
	c.findings = append(c.findings, exchange.Finding{
		Code: "enum", In: c.in, Name: c.name, Document: c.PlaceOf(choice.Owner, "discriminator"),
		Pointer: tree.Pointer(append(slices.Clip(path), choice.By.Property)),
		Message: "must be one of " + listed(known) + ", which name the subtypes, is " + brief(name),
	})
}

// subtypeOf returns the schema that a value of a discriminator names, nil for the parent itself or if it is not known.
// known is false if the value is refused. If there is no mapping, a value may have another case than the name.
func subtypeOf(by *schema.Discriminator, value string) (subtype *Keywords, known bool) {
	if branch := by.Branch(value); branch >= 0 {
		return by.Branches[branch], true
	}
	if by.Implicit {
		same := func(name string) bool { return naming.Fold(name) == naming.Fold(value) }
		for i, values := range by.Values {
			if slices.ContainsFunc(values, same) {
				return by.Branches[i], true
			}
		}
		if slices.ContainsFunc(by.Own, same) {
			return nil, true
		}
	}
	return nil, !by.Closed
}

// PartsOf returns the schemas that apply to an object by what it says of itself: schema.All of the schema, and of each
// subtype that a discriminator of the object names, or that alone of its alternatives lists all that the object has.
func (s *Schema) PartsOf(object map[string]any) (parts []*Keywords) {
	var add func(k *Keywords)
	add = func(k *Keywords) {
		for part := range schema.All(k) {
			if !slices.Contains(parts, part) {
				parts = append(parts, part)
			}
		}
		for _, choice := range s.ShapeOf(k).Choices() {
			if !slices.Contains(parts, choice.Owner) {
				continue // an alternative of a subtype that the object does not have
			}
			if subtype := choiceOf(choice, object); subtype != nil && !slices.Contains(parts, subtype) {
				add(subtype)
			}
		}
	}
	add(s.Keywords)
	return parts
}

// choiceOf returns the alternative of an object; nil if it is unknown.
func choiceOf(choice schema.Choice, object map[string]any) (found *Keywords) {
	if choice.By != nil {
		if name, ok := object[choice.By.Property].(string); ok {
			subtype, _ := subtypeOf(choice.By, name)
			return subtype
		}
	}
	for _, branch := range choice.Branches {
		members := schema.Properties(branch)
		lists := len(members) > 0
		for name, value := range object {
			lists = lists && members[name] != nil && Conforms(members[name], value)
		}
		switch {
		case !lists:
		case found != nil:
			return nil
		default:
			found = branch
		}
	}
	return found
}
