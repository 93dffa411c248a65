package mock

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/lint"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// growing are documents of n things of a kind.
var growing = []struct {
	name     string
	n        int // about 100 ms
	document func(n int) string
}{
	{"enum of objects", 300, body(`{enum: [`, `{a: %d}, `, `]}`)},
	{"enum of strings", 2000, body(`{enum: [`, `v%d, `, `]}`)},
	{"enum of numbers", 2000, body(`{enum: [`, `%d, `, `]}`)},
	{"enum of fractions", 2000, body(`{enum: [`, `%d.5, `, `]}`)},
	{"two enums", 1000, func(n int) string {
		return schema(`{allOf: [{enum: [` + repeat(n, `v%d, `) + `]}, {enum: [` + repeat(n, `v%d, `) + `]}]}`)
	}},
	{"oneOf of objects", 1000, body(`{oneOf: [`, `{type: object, required: [a%[1]d], properties: {a%[1]d: {type: string}}}, `, `]}`)},
	{"oneOf of strings", 1000, body(`{oneOf: [`, `{const: v%d}, `, `]}`)},
	{"anyOf of objects", 1000, body(`{anyOf: [`, `{type: object, required: [a%[1]d], properties: {a%[1]d: {type: string}}}, `, `]}`)},
	{"allOf of objects", 1000, body(`{allOf: [`, `{type: object, required: [a%[1]d], properties: {a%[1]d: {type: string}}}, `, `]}`)},
	{"allOf of closed objects", 1000, body(`{allOf: [`, `{type: object, additionalProperties: false, required: [a%[1]d], properties: {a%[1]d: {type: string}}}, `, `]}`)},
	{"allOf of oneOfs", 100, body(`{allOf: [`, `{oneOf: [{required: [a%[1]d]}, {required: [b%[1]d]}]}, `, `]}`)},
	{"allOf of ifs", 100, body(`{allOf: [`, `{if: {required: [a%[1]d]}, then: {required: [b%[1]d]}}, `, `]}`)},
	{"oneOf of references", 100, func(n int) string {
		return schema(`{oneOf: [`+repeat(n, `{$ref: '#/components/schemas/C%d'}, `)+`]}`, repeat(n, "    C%[1]d: {type: object, required: [a%[1]d], properties: {a%[1]d: {type: string}}}\n"))
	}},
	{"discriminator", 100, func(n int) string {
		return schema(`{oneOf: [`+repeat(n, `{$ref: '#/components/schemas/C%d'}, `)+`], discriminator: {propertyName: kind, mapping: {`+repeat(n, `k%[1]d: '#/components/schemas/C%[1]d', `)+`}}}`,
			repeat(n, "    C%[1]d: {type: object, required: [kind], properties: {kind: {type: string}}}\n"))
	}},
	{"discriminator of allOf", 500, func(n int) string {
		return schema(`{$ref: '#/components/schemas/B'}`,
			"    B: {type: object, required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: kind, mapping: {"+repeat(n, `k%[1]d: '#/components/schemas/C%[1]d', `)+"}}}\n"+
				repeat(n, "    C%[1]d: {allOf: [{$ref: '#/components/schemas/B'}, {properties: {a%[1]d: {type: string}}}]}\n"))
	}},
	{"not", 1000, body(`{type: string, allOf: [`, `{not: {const: v%d}}, `, `]}`)},
	{"path parameters", 300, func(n int) string {
		return paths("  /"+repeat(n, "{p%d}/")+":\n    parameters: ["+repeat(n, "{name: p%d, in: path, required: true, schema: {type: string}}, ")+"]\n    get: {responses: {'204': {description: d}}}\n", "")
	}},
	{"undeclared path parameters", 300, func(n int) string {
		return paths("  /"+repeat(n, "{p%d}/")+":\n    get: {responses: {'204': {description: d}}}\n", "")
	}},
	{"unused path parameters", 200, func(n int) string {
		return paths("  /"+repeat(n, "{p%d}/")+":\n    get:\n      parameters: ["+repeat(n, "{name: q%d, in: path, required: true, schema: {type: string}}, ")+"]\n      responses: {'204': {description: d}}\n", "")
	}},
	{"query parameters", 2000, func(n int) string {
		return paths("  /a:\n    get:\n      parameters: ["+repeat(n, "{name: p%d, in: query, schema: {type: string}}, ")+"]\n      responses: {'204': {description: d}}\n", "")
	}},
	{"headers", 2000, func(n int) string {
		return paths("  /a:\n    get:\n      responses: {'204': {description: d, headers: {"+repeat(n, "x-%d: {schema: {type: string}}, ")+"}}}\n", "")
	}},
	{"properties", 1000, body(`{type: object, properties: {`, `p%d: {type: string}, `, `}}`)},
	{"properties that are objects", 2000, body(`{type: object, properties: {`, `p%d: {type: object, properties: {a: {type: integer}}}, `, `}}`)},
	{"required properties", 1000, func(n int) string {
		return schema(`{type: object, properties: {` + repeat(n, `p%d: {type: string}, `) + `}, required: [` + repeat(n, `p%d, `) + `]}`)
	}},
	{"required undeclared", 5000, body(`{type: object, required: [`, `p%d, `, `]}`)},
	{"readOnly required", 1000, func(n int) string {
		return schema(`{type: object, properties: {` + repeat(n, `p%d: {type: string, readOnly: true}, `) + `}, required: [` + repeat(n, `p%d, `) + `]}`)
	}},
	{"patternProperties", 500, body(`{type: object, patternProperties: {`, `'^p%d$': {type: string}, `, `}}`)},
	{"patterns", 500, body(`{type: object, properties: {`, `p%[1]d: {type: string, pattern: '^a%[1]d[a-z]+$'}, `, `}}`)},
	{"dependentRequired", 500, body(`{type: object, dependentRequired: {`, `p%[1]d: [q%[1]d], `, `}}`)},
	{"dependentSchemas", 300, body(`{type: object, dependentSchemas: {`, `p%[1]d: {required: [q%[1]d]}, `, `}}`)},
	{"prefixItems", 2000, body(`{type: array, prefixItems: [`, `{type: string, minLength: %d}, `, `]}`)},
	{"contains", 500, body(`{type: array, allOf: [`, `{contains: {const: v%d}}, `, `]}`)},
	{"minContains", 500, func(n int) string {
		return schema(fmt.Sprintf(`{type: array, contains: {type: integer}, minContains: %d}`, n))
	}},
	{"minItems", 500, func(n int) string { return schema(fmt.Sprintf(`{type: array, items: {type: string}, minItems: %d}`, n)) }},
	{"unique items", 500, func(n int) string {
		return schema(fmt.Sprintf(`{type: array, uniqueItems: true, items: {type: object, required: [a], properties: {a: {type: string}}}, minItems: %d}`, n))
	}},
	{"minProperties", 500, func(n int) string { return schema(fmt.Sprintf(`{type: object, minProperties: %d}`, n)) }},
	{"unique example", 1000, func(n int) string {
		return schema(`{type: array, uniqueItems: true, items: {type: object}, example: [` + repeat(n, `{a: %d}, `) + `]}`)
	}},
	{"unique media example", 1000, func(n int) string {
		return paths("  /a:\n    get:\n      responses: {'200': {description: d, content: {application/json: {schema: {type: array, uniqueItems: true}, example: ["+repeat(n, `{a: %d}, `)+"]}}}}\n", "")
	}},
	{"examples", 2000, func(n int) string {
		return paths("  /a:\n    get:\n      responses: {'200': {description: d, content: {application/json: {schema: {type: object}, examples: {"+repeat(n, `e%d: {value: {a: 1}}, `)+"}}}}}\n", "")
	}},
	{"broken examples", 2000, func(n int) string {
		return paths("  /a:\n    get:\n      responses: {'200': {description: d, content: {application/json: {schema: {type: object}, examples: {"+repeat(n, `e%d: {value: 1}, `)+"}}}}}\n", "")
	}},
	{"schema examples", 2000, body(`{type: object, examples: [`, `{a: %d}, `, `]}`)},
	{"chain of allOf", 300, func(n int) string {
		return schema(`{$ref: '#/components/schemas/C0'}`, repeat(n, "    C%[1]d: {allOf: [{$ref: '#/components/schemas/C%[2]d'}, {type: object, properties: {a%[1]d: {type: string}}}]}\n"), fmt.Sprintf("    C%d: {type: object}\n", n))
	}},
	{"chain of references", 300, func(n int) string {
		return schema(`{$ref: '#/components/schemas/C0'}`, repeat(n, "    C%[1]d: {$ref: '#/components/schemas/C%[2]d'}\n"), fmt.Sprintf("    C%d: {type: object}\n", n))
	}},
	{"chain of properties", 300, func(n int) string {
		return schema(`{$ref: '#/components/schemas/C0'}`, repeat(n, "    C%[1]d: {type: object, required: [a], properties: {a: {$ref: '#/components/schemas/C%[2]d'}}}\n"), fmt.Sprintf("    C%d: {type: object}\n", n))
	}},
	{"chain used by all", 50, func(n int) string {
		return paths(repeat(n, "  /p%[1]d:\n    get: {responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/C%[1]d'}}}}}}\n"), repeat(n, "    C%[1]d: {allOf: [{$ref: '#/components/schemas/C%[2]d'}, {type: object, properties: {a%[1]d: {type: string}}}]}\n")+fmt.Sprintf("    C%d: {type: object}\n", n))
	}},
	{"dangling references", 2000, body(`{type: object, properties: {`, `p%[1]d: {$ref: '#/components/schemas/Missing%[1]d'}, `, `}}`)},
	{"dangling references beside id", 1000, body(`{type: object, example: {id: '7'}, properties: {`, `p%[1]d: {$ref: '#/components/schemas/Missing%[1]d'}, `, `}}`)},
	{"dangling responses", 1000, func(n int) string {
		return paths(repeat(n, "  /p%[1]d:\n    get: {responses: {'200': {$ref: '#/components/responses/Missing%[1]d'}}}\n"), "")
	}},
	{"anchors", 500, func(n int) string {
		return schema(`{type: object, $defs: {`+repeat(n, `d%[1]d: {$anchor: a%[1]d, type: string}, `)+`}, properties: {`+repeat(n, `p%[1]d: {$ref: '#a%[1]d'}, `)+`}}`, "")
	}},
	{"ids", 500, func(n int) string {
		return schema(`{type: object, $defs: {`+repeat(n, `d%[1]d: {$id: 'https://example.com/%[1]d', type: string}, `)+`}, properties: {`+repeat(n, `p%[1]d: {$ref: 'https://example.com/%[1]d'}, `)+`}}`, "")
	}},
	{"dynamic anchors", 200, func(n int) string {
		return schema(`{type: object, $dynamicAnchor: x, properties: {`+repeat(n, `p%[1]d: {$ref: '#/components/schemas/C%[1]d'}, `)+`}}`, repeat(n, "    C%[1]d: {type: array, items: {$dynamicRef: '#x'}}\n"))
	}},
	{"schemas", 1000, func(n int) string {
		return paths("", repeat(n, "    C%d: {type: object, properties: {a: {type: string}}}\n"))
	}},
	{"operations", 1000, func(n int) string {
		return paths(repeat(n, "  /p%[1]d:\n    get: {operationId: g%[1]d, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/P'}}}}}}}\n    post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/P'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/P'}}}}}}\n"+
			"  /p%[1]d/{id}:\n    get: {responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/P'}}}}}}\n    delete: {responses: {'204': {description: d}}}\n"), "    P: {type: object, properties: {id: {type: string}, name: {type: string}}}\n")
	}},
	{"operations of own schemas", 300, func(n int) string {
		return paths(repeat(n, "  /p%[1]d:\n    get: {operationId: g%[1]d, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/P%[1]d'}}}}}}}\n    post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/P%[1]d'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/P%[1]d'}}}}}}\n"+
			"  /p%[1]d/{id}:\n    get: {responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/P%[1]d'}}}}}}\n    delete: {responses: {'204': {description: d}}}\n"), repeat(n, "    P%[1]d: {type: object, properties: {id: {type: string}, name%[1]d: {type: string}}}\n"))
	}},
	{"lists below parents", 300, func(n int) string {
		return paths(repeat(n, "  /p%[1]d/{p}/things:\n    get: {responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/P'}}}}}}}\n"+
			"  /p%[1]d/{p}/things/{id}:\n    get: {responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/P'}}}}}}\n"), "    P: {type: object, properties: {id: {type: string}, name: {type: string}}}\n")
	}},
	{"empty operations", 4000, func(n int) string {
		return paths(repeat(n, "  /p%d:\n    get: {responses: {'204': {description: d}}}\n"), "")
	}},
	{"operations that conflict", 1000, func(n int) string {
		return paths(repeat(n, "  /a/{p%d}:\n    get: {responses: {'204': {description: d}}}\n"), "")
	}},
	{"duplicate operationIds", 1000, func(n int) string {
		return paths(repeat(n, "  /p%d:\n    get: {operationId: a, responses: {'204': {description: d}}}\n"), "")
	}},
	{"long path", 500, func(n int) string {
		return paths("  /"+repeat(n, "p%d/")+":\n    get: {responses: {'204': {description: d}}}\n", "")
	}},
	{"methods", 1000, func(n int) string {
		return strings.Replace(paths("  /a:\n    additionalOperations: {"+repeat(n, "M%d: {responses: {'204': {description: d}}}, ")+"}\n", ""), "3.1.0", "3.2.0", 1)
	}},
	{"tags", 2000, func(n int) string {
		return paths("  /a:\n    get: {tags: ["+repeat(n, "t%d, ")+"], responses: {'204': {description: d}}}\n", "") + "tags: [" + repeat(n, "{name: t%d}, ") + "]\n"
	}},
	{"servers", 1000, func(n int) string {
		return paths("  /a:\n    get: {responses: {'204': {description: d}}}\n", "") + "servers: [" + repeat(n, "{url: 'https://example.com/v%d'}, ") + "]\n"
	}},
	{"servers of operations", 500, func(n int) string {
		return paths(repeat(n, "  /p%[1]d:\n    get: {servers: [{url: 'https://example.com/v%[1]d'}], responses: {'204': {description: d}}}\n"), "")
	}},
	{"server variable", 1000, func(n int) string {
		return paths("  /a:\n    get: {responses: {'204': {description: d}}}\n", "") + "servers: [{url: 'https://example.com/{v}', variables: {v: {default: v1, enum: [" + repeat(n, "v%d, ") + "]}}}]\n"
	}},
	{"server variables", 500, func(n int) string {
		return paths("  /a:\n    get: {responses: {'204': {description: d}}}\n", "") + "servers: [{url: 'https://example.com/" + repeat(n, "{v%d}/") + "', variables: {" + repeat(n, "v%d: {default: a}, ") + "}}]\n"
	}},
	{"security alternatives", 1000, func(n int) string {
		return paths("  /a:\n    get: {security: ["+repeat(n, "{s%d: []}, ")+"], responses: {'204': {description: d}}}\n", "  securitySchemes:\n"+repeat(n, "    s%[1]d: {type: apiKey, in: header, name: x-%[1]d}\n"))
	}},
	{"security of all", 1000, func(n int) string {
		return paths("  /a:\n    get: {security: [{"+repeat(n, "s%d: [], ")+"}], responses: {'204': {description: d}}}\n", "  securitySchemes:\n"+repeat(n, "    s%[1]d: {type: apiKey, in: header, name: x-%[1]d}\n"))
	}},
	{"unknown security", 200, func(n int) string {
		return paths("  /a:\n    get: {security: ["+repeat(n, "{s%d: []}, ")+"], responses: {'204': {description: d}}}\n", "  securitySchemes:\n"+repeat(n, "    z%[1]d: {type: apiKey, in: header, name: x-%[1]d}\n"))
	}},
	{"scopes", 2000, func(n int) string {
		return paths("  /a:\n    get: {security: [{s: ["+repeat(n, "a%d, ")+"]}], responses: {'204': {description: d}}}\n", "  securitySchemes:\n    s: {type: oauth2, flows: {implicit: {authorizationUrl: 'https://example.com', scopes: {"+repeat(n, "a%d: d, ")+"}}}}\n")
	}},
	{"callbacks", 500, func(n int) string {
		return paths("  /a:\n    get:\n      callbacks: {"+repeat(n, "c%d: {'{$request.query.url}': {post: {responses: {'204': {description: d}}}}}, ")+"}\n      responses: {'204': {description: d}}\n", "")
	}},
	{"webhooks", 500, func(n int) string {
		return paths("", "") + "webhooks: {" + repeat(n, "w%d: {post: {responses: {'204': {description: d}}}}, ") + "}\n"
	}},
	{"links by name", 1000, func(n int) string {
		return paths(repeat(n, "  /p%[1]d:\n    get: {operationId: o%[1]d, responses: {'204': {description: d, links: {next: {operationId: o%[2]d}}}}}\n"), "")
	}},
	{"links by reference", 1000, func(n int) string {
		return paths(repeat(n, "  /p%[1]d:\n    get: {responses: {'204': {description: d, links: {next: {operationRef: '#/paths/~1p%[2]d/get'}}}}}\n"), "")
	}},
	{"links of one response", 1000, func(n int) string {
		return paths("  /a:\n    get: {operationId: a, parameters: ["+repeat(n, "{name: p%d, in: query, schema: {type: string}}, ")+"], responses: {'204': {description: d, links: {"+repeat(n, "l%[1]d: {operationId: a, parameters: {p%[1]d: 1}}, ")+"}}}}\n", "")
	}},
	{"media types", 500, func(n int) string {
		return paths("  /a:\n    post: {requestBody: {content: {"+repeat(n, "application/vnd.a%d+json: {schema: {type: object}}, ")+"}}, responses: {'200': {description: d, content: {"+repeat(n, "application/vnd.a%d+json: {schema: {type: object}}, ")+"}}}}\n", "")
	}},
	{"encoding", 500, func(n int) string {
		return paths("  /a:\n    post: {requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {"+repeat(n, "p%d: {type: string}, ")+"}}, encoding: {"+repeat(n, "p%d: {contentType: text/plain}, ")+"}}}}, responses: {'204': {description: d}}}\n", "")
	}},
	{"unknown fields", 2000, func(n int) string {
		return paths("  /a:\n    get: {"+repeat(n, "fieldd%d: 1, ")+" responses: {'204': {description: d}}}\n", "")
	}},
	{"misspelt keywords", 2000, body(`{`, `requird%d: 1, `, `}`)},
	{"extensions", 5000, func(n int) string {
		return paths("  /a:\n    get: {"+repeat(n, "x-%d: 1, ")+" responses: {'204': {description: d}}}\n", "")
	}},
	{"one line", 1000, func(n int) string {
		return `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/a":{"get":{"responses":{"200":{"description":"d","content":{"application/json":{"schema":{"type":"object","properties":{` +
			strings.TrimSuffix(repeat(n, `"p%d":{"type":"strin"},`), ",") + `}}}}}}}}}}`
	}},
	{"duplicate keys", 2000, func(n int) string {
		return `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/a":{"get":{"responses":{"200":{"description":"d","content":{"application/json":{"schema":{"type":"object","properties":{` +
			strings.TrimSuffix(repeat(n, `"p":{"type":"string"},`), ",") + `}}}}}}}}}}`
	}},
	{"aliases", 1000, func(n int) string {
		return paths("", "    A: &a {type: object, properties: {a: {type: string}}}\n"+repeat(n, "    C%d: *a\n"))
	}},
	{"merge keys", 500, func(n int) string {
		return paths("", "    A: &a {type: object, properties: {a: {type: string}}}\n"+repeat(n, "    C%d: {<<: *a, minProperties: 1}\n"))
	}},
	{"nested objects", 30, func(n int) string {
		return schema(strings.Repeat("{type: object, required: [a], properties: {a: ", n) + "{type: string}" + strings.Repeat("}}", n))
	}},
	{"shared parameters", 300, func(n int) string {
		return paths(repeat(n, "  /p%[1]d:\n    get: {parameters: [{$ref: '#/components/parameters/P'}], responses: {'204': {$ref: '#/components/responses/R'}}}\n"), "  parameters: {P: {name: p, in: query, schema: {type: string}}}\n  responses: {R: {description: d}}\n")
	}},
	{"swagger", 300, func(n int) string {
		return "swagger: '2.0'\ninfo: {title: t, version: '1'}\npaths:\n" + repeat(n, "  /p%[1]d:\n    post:\n      parameters: [{name: b, in: body, schema: {$ref: '#/definitions/D%[1]d'}}, {name: q, in: query, type: string}]\n      responses: {'200': {description: d, schema: {$ref: '#/definitions/D%[1]d'}}}\n") + "definitions:\n" + repeat(n, "  D%d: {type: object, properties: {a: {type: string}}}\n")
	}},
	{"swagger form", 500, func(n int) string {
		return "swagger: '2.0'\ninfo: {title: t, version: '1'}\npaths:\n  /a:\n    post:\n      consumes: [" + repeat(n, "application/vnd.a%d, ") + "application/x-www-form-urlencoded]\n      parameters: [" + repeat(n, "{name: q%d, in: formData, type: string}, ") + "]\n      responses: {'200': {description: d}}\n"
	}},
}

func repeat(n int, format string) string {
	var b strings.Builder
	for i := range n {
		if strings.Contains(format, "%[2]") {
			fmt.Fprintf(&b, format, i, i+1)
		} else {
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(format, "%d", strconv.Itoa(i)), "%[1]d", strconv.Itoa(i)))
		}
	}
	return b.String()
}

func paths(paths, components string) string {
	if paths == "" {
		paths = "  {}\n"
	}
	if strings.HasPrefix(components, "    ") {
		components = "  schemas:\n" + components
	}
	return "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n" + paths + "components:\n" + components
}

func schema(s string, components ...string) string {
	return paths("  /a:\n    post:\n      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/S'}}}}\n      responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/S'}}}}}\n",
		"    S: "+s+"\n"+strings.Join(components, ""))
}

func body(before, each, after string) func(n int) string {
	return func(n int) string { return schema(before + repeat(n, each) + after) }
}

func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func TestGrowth(t *testing.T) {
	for _, row := range growing {
		t.Run(row.name, func(t *testing.T) {
			factor := 4
			if row.name == "nested objects" {
				factor = 3
			}
			var took [2][4]time.Duration
			var bytes [2][4]uint64
			var size [2]int
			for i, n := range []int{row.n, row.n * factor} {
				text := []byte(row.document(n))
				size[i] = len(text)
				var c *spec.Contract
				if os.Getenv("PROFILE") != "" && i == 1 {
					f, _ := os.Create(os.Getenv("PROFILE"))
					pprof.StartCPUProfile(f)
					defer pprof.StopCPUProfile()
				}
				for j, stage := range []func(){
					func() {
						var err error
						if c, err = spec.Load(context.Background(), "openapi.yaml", spec.Options{Text: text}); err != nil {
							t.Fatal(err)
						}
					},
					func() { lint.Document(c, resource.Overrides{}) },
					func() { resource.Infer(c, resource.Overrides{}) },
					func() {
						s, err := New(context.Background(), Options{Text: text, NoListener: true})
						if err != nil {
							t.Fatal(err)
						}
						s.Close()
					},
				} {
					runtime.GC()
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					start := cpu()
					stage()
					took[i][j] = cpu() - start
					runtime.ReadMemStats(&after)
					bytes[i][j] = after.TotalAlloc - before.TotalAlloc
				}
			}
			var line string
			mark := ""
			for j, name := range []string{"load", "lint", "plan", "new"} {
				rt := float64(took[1][j]) / float64(max(took[0][j], 2*time.Millisecond))
				rb := float64(bytes[1][j]) / float64(max(bytes[0][j], 100000))
				if rb > 6 || rt > 8 {
					mark = "<<<"
				}
				line += fmt.Sprintf("  %s %4d→%5dms %4.1f %4d→%5dM %4.1f", name, took[0][j].Milliseconds(), took[1][j].Milliseconds(), rt, bytes[0][j]>>20, bytes[1][j]>>20, rb)
			}
			fmt.Printf("%-28s %4dK%s %s\n", row.name, size[1]>>10, line, mark)
		})
	}
}
