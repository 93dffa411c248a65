package spec

import (
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/tree"
)

// examplesOf gives the examples of a media type or a parameter. Those that are
// only linked (externalValue) are left out.
func (c *compiler) examplesOf(n *tree.Node, schema *Schema) []*Example {
	var examples []*Example
	add := func(name string, value *tree.Node) {
		if value == nil {
			return
		}
		e := &Example{Name: name, Value: value.Value(), Place: value.Place()}
		examples = append(examples, e)
		if schema != nil {
			c.examples = append(c.examples, exampleOf{e, schema})
		}
	}
	add("", n.Get("example"))
	if named := n.Get("examples"); named != nil {
		for _, member := range named.Members {
			value := member.Value.Get("value")
			if value == nil {
				value = member.Value.Get("dataValue")
			}
			add(member.Name, value)
		}
	}
	return examples
}

// checkExamples validates every example. One that breaks its schema is
// a warning and is not served unless the user asks for it.
func (c *compiler) checkExamples() {
	for _, e := range c.examples {
		e.example.Broken = e.schema.Check(e.example.Value, exchange.InBody, "")
		c.reportExample(e.example)
	}
	for _, m := range c.streams {
		for _, e := range m.Examples {
			if len(e.Broken) == 0 {
				e.Broken = m.Check(e.Value)
				c.reportExample(e)
			}
		}
	}
}

// reportExample warns of an example that breaks its schema.
func (c *compiler) reportExample(e *Example) {
	if len(e.Broken) == 0 {
		return
	}
	name := "the example"
	if e.Name != "" {
		name = "example " + exchange.Quote(e.Name)
	}
	c.warn(e.Place, "broken-example", name+" breaks its own schema: "+exchange.Join(e.Broken))
}
