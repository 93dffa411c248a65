package spec

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/getkin/kin-openapi/openapi3"
)

// schemes compiles the document's security schemes.
func (c *compiler) schemes(n *tree.Node) {
	c.security = map[string]*SecurityScheme{}
	if n == nil {
		return
	}
	for _, member := range n.Members {
		ref := c.doc.Components.SecuritySchemes[member.Name]
		if ref == nil || ref.Value == nil {
			continue
		}
		s := &SecurityScheme{
			Key:    member.Name,
			Type:   ref.Value.Type,
			Scheme: strings.ToLower(ref.Value.Scheme),
			In:     ref.Value.In,
			Name:   ref.Value.Name,
			Place:  member.Value.Place(),
		}
		known := []string{"apiKey", "http", "oauth2", "openIdConnect", "mutualTLS"}
		switch {
		case !slices.Contains(known, s.Type):
			c.fault(member.Value, "unknown-security-scheme",
				exchange.Quote(s.Type)+" is no type of security scheme"+nearest.Hint(s.Type, known))
		case s.Type == "apiKey" && !slices.Contains([]string{"header", "query", "cookie"}, s.In):
			c.fault(member.Value, "unknown-security-scheme",
				"an apiKey is in header, query or cookie, not in "+exchange.Quote(s.In))
		case s.Type == "apiKey" && s.Name == "":
			c.fault(member.Value, "unknown-security-scheme", "an apiKey needs the \"name\" of the parameter that carries it")
		case s.Type == "http" && s.Scheme == "":
			c.fault(member.Value, "unknown-security-scheme",
				"an http security scheme needs a \"scheme\" such as bearer or basic")
		}
		c.security[member.Name] = s
	}
}

// requirements flattens security requirements to an OR of ANDs. An unknown
// scheme can be met by nobody, so its alternative stays and asks for it: what
// the document wants protected is not left open.
func (c *compiler) requirements(model openapi3.SecurityRequirements, n *tree.Node) []Requirement {
	var alternatives []Requirement
	for i, requirement := range model {
		alternative := Requirement{}
		for _, member := range n.Items[i].Members {
			scheme, ok := c.security[member.Name]
			if !ok {
				place := n.File.Place(member.Offset)
				names := make([]string, 0, len(c.security))
				for name := range c.security {
					names = append(names, name)
				}
				slices.Sort(names)
				c.warn(place, "unknown-security-scheme",
					"security scheme "+exchange.Quote(member.Name)+" is not in components.securitySchemes"+nearest.Hint(member.Name,
						names))
				scheme = &SecurityScheme{Key: member.Name, Place: place}
				c.security[member.Name] = scheme
			}
			alternative = append(alternative, Need{scheme, requirement[member.Name]})
		}
		alternatives = append(alternatives, alternative)
	}
	return alternatives
}
