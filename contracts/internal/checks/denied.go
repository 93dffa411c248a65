package checks

import (
	"slices"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// denial is a choice in the schema of a success of which some branches say that the request was refused.
type denial struct{ refused, others []*spec.Keywords }

// denials returns the choices in the successful responses of a contract whose branches distinguish refusals from
// successes: a boolean that is true in one branch and false in another, or a branch that is the schema of an error.
func denials(c *spec.Contract) map[*spec.Response][]denial {
	errors := map[*spec.Keywords]bool{}
	eachJSON := func(o *spec.Operation, isError bool, do func(*spec.Response, *spec.Keywords)) {
		for _, r := range o.Responses {
			code, _ := r.Code()
			if class := code / 100; isError && class != 4 && class != 5 || !isError && class != 2 {
				continue
			}
			for _, m := range r.Content {
				if m.IsJSON() && m.Schema != nil {
					do(r, m.Schema.Keywords)
				}
			}
		}
	}
	for _, o := range c.Operations {
		eachJSON(o, true, func(_ *spec.Response, k *spec.Keywords) { errors[schema.Resolve(k)] = true })
	}
	all := map[*spec.Response][]denial{}
	for _, o := range c.Operations {
		eachJSON(o, false, func(r *spec.Response, k *spec.Keywords) {
			for part := range schema.All(k) {
				for _, branches := range [][]*spec.Keywords{part.OneOf, part.AnyOf} {
					var d denial
					for _, branch := range branches {
						if errors[schema.Resolve(branch)] || isAlwaysFalse(branch, branches) {
							d.refused = append(d.refused, branch)
						} else {
							d.others = append(d.others, branch)
						}
					}
					if d.refused != nil && d.others != nil {
						all[r] = append(all[r], d)
					}
				}
			}
		})
	}
	return all
}

// isAlwaysFalse reports whether a boolean is always false in a branch that is always true in another.
func isAlwaysFalse(branch *spec.Keywords, branches []*spec.Keywords) bool {
	isOnly := func(k *spec.Keywords, want bool) bool {
		values := schema.Values(k)
		return len(values) == 1 && values[0] == want
	}
	for name, k := range schema.Properties(branch) {
		isTrue := func(other *spec.Keywords) bool { return isOnly(schema.Property(other, name), true) }
		if isOnly(k, false) && slices.ContainsFunc(branches, isTrue) {
			return true
		}
	}
	return false
}

// Denies reports whether the body of a success says that the request was refused, by a choice that the document has
// for the response.
func (c *Checker) Denies(x *Exchange) bool {
	if x.Status()/100 != 2 || len(c.denials) == 0 || x.Case.Operation == nil {
		return false
	}
	choices := c.denials[x.Case.Operation.Response(x.Status())]
	if choices == nil {
		return false
	}
	value, err := jsontext.Decode(string(x.Response.Body))
	isOf := func(k *spec.Keywords) bool { return schema.Conforms(k, value) }
	return err == nil && slices.ContainsFunc(choices, func(d denial) bool {
		return slices.ContainsFunc(d.refused, isOf) && !slices.ContainsFunc(d.others, isOf)
	})
}
