package spec

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/getkin/kin-openapi/openapi3"
)

// maxBasePaths bounds what the variables of one server's path may make of it.
const maxBasePaths = 32

// basePaths gives the paths of the servers, with every value that their
// variables list.
func basePaths(servers openapi3.Servers) []string {
	paths := []string{""}
	for _, server := range servers {
		for _, location := range serverPaths(server) {
			if u, err := url.Parse(location); err == nil {
				paths = append(paths, strings.TrimRight("/"+strings.Trim(u.EscapedPath(), "/"), "/"))
			}
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return slices.Compact(paths)
}

// serverPaths gives the part of a server's URL after its host for every value
// of its variables.
func serverPaths(server *openapi3.Server) []string {
	location := server.URL
	if _, after, ok := strings.Cut(location, "://"); ok {
		_, path, _ := strings.Cut(after, "/")
		location = "/" + path
	} else if strings.HasPrefix(location, "{") { // a variable for scheme and host
		if _, path, ok := strings.Cut(location, "}/"); ok {
			location = "/" + path
		}
	}
	locations := []string{location}
	for _, name := range templateVariables(location) {
		variable := server.Variables[name]
		if variable == nil {
			continue
		}
		values := variable.Enum
		if !slices.Contains(values, variable.Default) {
			values = append([]string{variable.Default}, values...)
		}
		var filled []string
		for _, l := range locations {
			for _, value := range values {
				if len(filled) < maxBasePaths {
					filled = append(filled, strings.ReplaceAll(l, "{"+name+"}", value))
				}
			}
		}
		locations = filled
	}
	// What is left of a template cannot be matched.
	return slices.DeleteFunc(locations, func(l string) bool { return strings.ContainsAny(l, "{}") })
}

// servers checks the variables of a clean Server Object.
func (m *normalizer) servers(n *tree.Node) {
	variables := n.Get("variables")
	for _, name := range templateVariables(n.Get("url").Str()) {
		if variables.Get(name) == nil {
			m.warn(n.Get("url").Place(), "undeclared-server-variable",
				"the server's variable "+exchange.Quote(name)+" is not described")
		}
	}
	for _, member := range variables.Fields() {
		value, enum := member.Value.Get("default"), member.Value.Get("enum")
		switch {
		case value == nil:
			m.fault(member.Value, "missing-field", "the server's variable "+exchange.Quote(member.Name)+" needs a \"default\"")
		case enum != nil && !slices.ContainsFunc(enum.Items, func(item *tree.Node) bool { return item.Text == value.Text }):
			m.warn(value.Place(), "default-not-in-enum", "the default "+exchange.Quote(value.Text)+
				" of the server's variable "+exchange.Quote(member.Name)+" is not in its enum")
		}
	}
}
