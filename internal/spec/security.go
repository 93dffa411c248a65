package spec

import (
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/getkin/kin-openapi/openapi3"
)

func (c *compiler) schemes(n *tree.Node) {
	for _, member := range n.Fields() {
		ref := c.doc.Components.SecuritySchemes[member.Name]
		if ref == nil || ref.Value == nil {
			continue
		}
		s := &SecurityScheme{Key: member.Name, Type: ref.Value.Type, Scheme: strings.ToLower(ref.Value.Scheme),
			In: ref.Value.In, Name: ref.Value.Name, Flows: flowsOf(member.Value), Place: member.Value.Place()}
		known := []string{"apiKey", "http", "oauth2", "openIdConnect", "mutualTLS"}
		problem := ""
		switch {
		case !slices.Contains(known, s.Type):
			problem = exchange.Quote(s.Type) + " is no type of security scheme" + c.hint(s.Type, known)
		case s.Type == "apiKey" && !slices.Contains([]string{"header", "query", "cookie"}, s.In):
			problem = "an apiKey is in header, query or cookie, not in " + exchange.Quote(s.In)
		case s.Type == "apiKey" && s.Name == "":
			problem = "an apiKey needs the \"name\" of the parameter that carries it"
		case s.Type == "apiKey" && !nameable(s.In, s.Name):
			problem = exchange.Quote(s.Name) + " cannot be the name of a " + s.In + " (RFC 9110 section 5.1)"
			field, word, _ := strings.Cut(s.Name, ":") // with what comes before the key: "Authorization: Bearer"
			word = strings.ToLower(strings.TrimSpace(word))
			switch s.Name = ""; {
			case s.In == "header" && strings.EqualFold(field, "Authorization") && nameable(s.In, word):
				s.Type, s.Scheme, s.In = "http", word, ""
			case nameable(s.In, field):
				s.Name = field
			}
		case s.Type == "http" && s.Scheme == "":
			problem = "an http security scheme needs a \"scheme\" such as bearer or basic"
		}
		if problem != "" {
			c.fault(member.Value, "unknown-security-scheme", problem)
		}
		c.security[member.Name] = s
	}
	c.schemeNames = slices.Sorted(maps.Keys(c.security))
}

func flowsOf(scheme *tree.Node) (all []Flow) {
	for _, m := range scheme.Get("flows").Fields() {
		f := Flow{
			Kind: m.Name, AuthorizationURL: m.Value.Get("authorizationUrl").Str(), TokenURL: m.Value.Get("tokenUrl").Str(),
			RefreshURL: m.Value.Get("refreshUrl").Str(), DeviceURL: m.Value.Get("deviceAuthorizationUrl").Str(),
		}
		for _, scope := range m.Value.Get("scopes").Fields() {
			f.Scopes = append(f.Scopes, scope.Name)
		}
		all = append(all, f)
	}
	return all
}

// requirements flattens security requirements to an OR of ANDs. An unknown scheme cannot be met, so an alternative
// with it stays: what the document protects must not become public.
func (c *compiler) requirements(model openapi3.SecurityRequirements, n *tree.Node) []Requirement {
	var alternatives []Requirement
	for i, requirement := range model {
		alternative := Requirement{}
		for _, member := range n.List()[i].Fields() {
			scheme, ok := c.security[member.Name]
			if !ok {
				place := n.File.Place(member.Offset)
				hint := c.hint(member.Name, c.schemeNames)
				c.warn(place, "unknown-security-scheme",
					"security scheme "+exchange.Quote(member.Name)+" is not in components.securitySchemes"+hint)
				scheme = &SecurityScheme{Key: member.Name, Place: place}
				c.security[member.Name] = scheme
			}
			alternative = append(alternative, Need{scheme, requirement[member.Name]})
		}
		alternatives = append(alternatives, alternative)
	}
	return alternatives
}

// implied are header fields whose definition as a parameter is ignored: the fields that OpenAPI 3.1 section 4.8.12.2.1
// lists, and fields for HTTP's framing and connections, which clients and servers set themselves (RFC 9110 sections 7
// and 8.6, RFC 9112 section 6).
var implied = []string{"accept", "content-type", "authorization", "host", "content-length", "transfer-encoding",
	"connection", "keep-alive", "proxy-connection", "te", "trailer"}

// isImplied reports whether a parameter is ignored: it is one of implied, or a credential that the operation's
// security requirements already ask for.
func (o *Operation) isImplied(p *Parameter) bool {
	inHeader := p.In == exchange.InHeader
	if inHeader && slices.Contains(implied, strings.ToLower(p.Name)) {
		return true
	}
	return slices.ContainsFunc(slices.Concat(o.Security...), func(need Need) bool {
		s := need.Scheme
		return s.Type == "apiKey" && s.In == p.In && (s.Name == p.Name || inHeader && strings.EqualFold(s.Name, p.Name))
	})
}
