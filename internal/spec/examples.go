package spec

import (
	"cmp"
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/tree"
)

// exampleOf is an example and the schema that it must conform to.
type exampleOf struct {
	*Example
	node   *tree.Node
	schema *Schema
	stream *MediaType // for a media type with an itemSchema
}

// examplesOf returns the examples of a media type or a parameter, without linked ones (externalValue).
func (c *compiler) examplesOf(n *tree.Node, of *Schema, in *MediaType) []*Example {
	var examples []*Example
	add := func(name string, value *tree.Node) {
		if value != nil {
			e := &Example{Name: name, Value: c.value(value), Place: value.Place()}
			examples = append(examples, e)
			c.examples = append(c.examples, exampleOf{e, value, of, in})
		}
	}
	add("", n.Get("example"))
	for _, member := range n.Get("examples").Fields() {
		add(member.Name, cmp.Or(member.Value.Get("value"), member.Value.Get("dataValue")))
	}
	return examples
}

// value returns the value of an example, always the same copy: several operations refer to most examples of a
// document.
func (c *compiler) value(n *tree.Node) any {
	value, ok := c.values[n]
	if !ok {
		value = n.Value()
		c.values[n] = value
	}
	return value
}

// ExampleValue returns the value of an example for a schema of some types. A number or boolean for a text is the text
// as it is written: authors of YAML leave out the quotes of 90210, 007 and 1.10.
func ExampleValue(n *tree.Node, types []string) any {
	isUnquoted := (n.Kind == tree.Number || n.Kind == tree.Bool) && slices.Contains(types, "string") &&
		!slices.Contains(types, "number") && !slices.Contains(types, "integer") && !slices.Contains(types, "boolean")
	if isUnquoted {
		return n.Written()
	}
	return n.Value()
}

// checkExamples validates every example. An example that violates its schema is a warning and is not served unless
// the user asks for it.
func (c *compiler) checkExamples() {
	for _, e := range c.examples {
		if e.schema != nil {
			e.Broken = e.schema.Check(e.Value, exchange.InBody, "")
		}
		if len(e.Broken) > 0 {
			value := ExampleValue(e.node, schema.AllowedTypes(e.schema.Keywords))
			if broken := e.schema.Check(value, exchange.InBody, ""); len(broken) == 0 {
				e.Value, e.Broken = value, nil
			}
		}
		if len(e.Broken) == 0 && e.stream != nil && e.stream.Item != nil {
			e.Broken = e.stream.Check(e.Value)
		}
		if len(e.Broken) == 0 {
			continue
		}
		name := "the example"
		if e.Name != "" {
			name = "example " + exchange.Quote(e.Name)
		}
		c.warn(e.Place, "broken-example", name+" breaks its own schema: "+exchange.Join(e.Broken))
	}
}
