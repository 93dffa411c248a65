package mock

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/lint"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/sample"
	"github.com/coldframe/coldframe/internal/values"
)

// growing are documents of n things of a kind.
var growing = []struct {
	name     string
	n        int
	document func(n int) string
}{
	{"enum of objects", 60, body(`{enum: [`, `{a: %d}, `, `]}`)},
	{"enum of strings", 400, body(`{enum: [`, `v%d, `, `]}`)},
	{"enum of numbers", 400, body(`{enum: [`, `%d, `, `]}`)},
	{"enum of fractions", 400, body(`{enum: [`, `%d.5, `, `]}`)},
	{"two enums", 200, func(n int) string {
		return schema(`{allOf: [{enum: [` + repeat(n, `v%d, `) + `]}, {enum: [` + repeat(n, `v%d, `) + `]}]}`)
	}},
	{"oneOf of objects", 200, body(`{oneOf: [`, `{type: object, required: [a%[1]d], properties: {a%[1]d: {type: string}}}, `, `]}`)},
	{"oneOf of strings", 200, body(`{oneOf: [`, `{const: v%d}, `, `]}`)},
	{"anyOf of objects", 200, body(`{anyOf: [`, `{type: object, required: [a%[1]d], properties: {a%[1]d: {type: string}}}, `, `]}`)},
	{"allOf of objects", 200, body(`{allOf: [`, `{type: object, required: [a%[1]d], properties: {a%[1]d: {type: string}}}, `, `]}`)},
	{"allOf of closed objects", 200, body(`{allOf: [`, `{type: object, additionalProperties: false, required: [a%[1]d], properties: {a%[1]d: {type: string}}}, `, `]}`)},
	{"allOf of oneOfs", 60, body(`{allOf: [`, `{oneOf: [{required: [a%[1]d]}, {required: [b%[1]d]}]}, `, `]}`)},
	{"allOf of ifs", 60, body(`{allOf: [`, `{if: {required: [a%[1]d]}, then: {required: [b%[1]d]}}, `, `]}`)},
	{"oneOf of references", 60, func(n int) string {
		return schema(`{oneOf: [`+repeat(n, `{$ref: '#/components/schemas/C%d'}, `)+`]}`, repeat(n, "    C%[1]d: {type: object, required: [a%[1]d], properties: {a%[1]d: {type: string}}}\n"))
	}},
	{"discriminator", 60, func(n int) string {
		return schema(`{oneOf: [`+repeat(n, `{$ref: '#/components/schemas/C%d'}, `)+`], discriminator: {propertyName: kind, mapping: {`+repeat(n, `k%[1]d: '#/components/schemas/C%[1]d', `)+`}}}`,
			repeat(n, "    C%[1]d: {type: object, required: [kind], properties: {kind: {type: string}}}\n"))
	}},
	{"discriminator of allOf", 100, func(n int) string {
		return schema(`{$ref: '#/components/schemas/B'}`,
			"    B: {type: object, required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: kind, mapping: {"+repeat(n, `k%[1]d: '#/components/schemas/C%[1]d', `)+"}}}\n"+
				repeat(n, "    C%[1]d: {allOf: [{$ref: '#/components/schemas/B'}, {properties: {a%[1]d: {type: string}}}]}\n"))
	}},
	{"not", 200, body(`{type: string, allOf: [`, `{not: {const: v%d}}, `, `]}`)},
	{"path parameters", 60, func(n int) string {
		return paths("  /"+repeat(n, "{p%d}/")+":\n    parameters: ["+repeat(n, "{name: p%d, in: path, required: true, schema: {type: string}}, ")+"]\n    get: {responses: {'204': {description: d}}}\n", "")
	}},
	{"undeclared path parameters", 60, func(n int) string {
		return paths("  /"+repeat(n, "{p%d}/")+":\n    get: {responses: {'204': {description: d}}}\n", "")
	}},
	{"unused path parameters", 60, func(n int) string {
		return paths("  /{p0}:\n    get:\n      parameters: ["+repeat(n, "{name: q%d, in: path, required: true, schema: {type: string}}, ")+"]\n      responses: {'204': {description: d}}\n", "")
	}},
	{"query parameters", 400, func(n int) string {
		return paths("  /a:\n    get:\n      parameters: ["+repeat(n, "{name: p%d, in: query, schema: {type: string}}, ")+"]\n      responses: {'204': {description: d}}\n", "")
	}},
	{"headers", 400, func(n int) string {
		return paths("  /a:\n    get:\n      responses: {'204': {description: d, headers: {"+repeat(n, "x-%d: {schema: {type: string}}, ")+"}}}\n", "")
	}},
	{"properties", 200, body(`{type: object, properties: {`, `p%d: {type: string}, `, `}}`)},
	{"properties that are objects", 400, body(`{type: object, properties: {`, `p%d: {type: object, properties: {a: {type: integer}}}, `, `}}`)},
	{"required properties", 200, func(n int) string {
		return schema(`{type: object, properties: {` + repeat(n, `p%d: {type: string}, `) + `}, required: [` + repeat(n, `p%d, `) + `]}`)
	}},
	{"required undeclared", 1000, body(`{type: object, required: [`, `p%d, `, `]}`)},
	{"readOnly required", 200, func(n int) string {
		return schema(`{type: object, properties: {` + repeat(n, `p%d: {type: string, readOnly: true}, `) + `}, required: [` + repeat(n, `p%d, `) + `]}`)
	}},
	{"patternProperties", 100, body(`{type: object, patternProperties: {`, `'^p%d$': {type: string}, `, `}}`)},
	{"patterns", 100, body(`{type: object, properties: {`, `p%[1]d: {type: string, pattern: '^a%[1]d[a-z]+$'}, `, `}}`)},
	{"dependentRequired", 100, body(`{type: object, dependentRequired: {`, `p%[1]d: [q%[1]d], `, `}}`)},
	{"dependentSchemas", 60, body(`{type: object, dependentSchemas: {`, `p%[1]d: {required: [q%[1]d]}, `, `}}`)},
	{"prefixItems", 400, body(`{type: array, prefixItems: [`, `{type: string, minLength: %d}, `, `]}`)},
	{"contains", 100, body(`{type: array, allOf: [`, `{contains: {const: v%d}}, `, `]}`)},
	{"minContains", 100, func(n int) string {
		return schema(fmt.Sprintf(`{type: array, contains: {type: integer}, minContains: %d}`, n))
	}},
	{"minItems", 100, func(n int) string {
		return schema(fmt.Sprintf(`{type: array, items: {type: string}, minItems: %d}`, n))
	}},
	{"unique items", 100, func(n int) string {
		return schema(fmt.Sprintf(`{type: array, uniqueItems: true, items: {type: object, required: [a], properties: {a: {type: string}}}, minItems: %d}`, n))
	}},
	{"minProperties", 100, func(n int) string { return schema(fmt.Sprintf(`{type: object, minProperties: %d}`, n)) }},
	{"unique example", 200, func(n int) string {
		return schema(`{type: array, uniqueItems: true, items: {type: object}, example: [` + repeat(n, `{a: %d}, `) + `]}`)
	}},
	{"unique media example", 200, func(n int) string {
		return paths("  /a:\n    get:\n      responses: {'200': {description: d, content: {application/json: {schema: {type: array, uniqueItems: true}, example: ["+repeat(n, `{a: %d}, `)+"]}}}}\n", "")
	}},
	{"examples", 400, func(n int) string {
		return paths("  /a:\n    get:\n      responses: {'200': {description: d, content: {application/json: {schema: {type: object}, examples: {"+repeat(n, `e%d: {value: {a: 1}}, `)+"}}}}}\n", "")
	}},
	{"broken examples", 400, func(n int) string {
		return paths("  /a:\n    get:\n      responses: {'200': {description: d, content: {application/json: {schema: {type: object}, examples: {"+repeat(n, `e%d: {value: 1}, `)+"}}}}}\n", "")
	}},
	{"schema examples", 400, body(`{type: object, examples: [`, `{a: %d}, `, `]}`)},
	{"chain of allOf", 60, func(n int) string {
		return schema(`{$ref: '#/components/schemas/C0'}`, repeat(n, "    C%[1]d: {allOf: [{$ref: '#/components/schemas/C%[2]d'}, {type: object, properties: {a%[1]d: {type: string}}}]}\n"), fmt.Sprintf("    C%d: {type: object}\n", n))
	}},
	{"chain of references", 60, func(n int) string {
		return schema(`{$ref: '#/components/schemas/C0'}`, repeat(n, "    C%[1]d: {$ref: '#/components/schemas/C%[2]d'}\n"), fmt.Sprintf("    C%d: {type: object}\n", n))
	}},
	{"chain of properties", 60, func(n int) string {
		return schema(`{$ref: '#/components/schemas/C0'}`, repeat(n, "    C%[1]d: {type: object, required: [a], properties: {a: {$ref: '#/components/schemas/C%[2]d'}}}\n"), fmt.Sprintf("    C%d: {type: object}\n", n))
	}},
	{"dangling references", 400, body(`{type: object, properties: {`, `p%[1]d: {$ref: '#/components/schemas/Missing%[1]d'}, `, `}}`)},
	{"dangling references beside id", 200, body(`{type: object, example: {id: '7'}, properties: {`, `p%[1]d: {$ref: '#/components/schemas/Missing%[1]d'}, `, `}}`)},
	{"dangling responses", 200, func(n int) string {
		return paths(repeat(n, "  /p%[1]d:\n    get: {responses: {'200': {$ref: '#/components/responses/Missing%[1]d'}}}\n"), "")
	}},
	{"anchors", 100, func(n int) string {
		return schema(`{type: object, $defs: {`+repeat(n, `d%[1]d: {$anchor: a%[1]d, type: string}, `)+`}, properties: {`+repeat(n, `p%[1]d: {$ref: '#a%[1]d'}, `)+`}}`, "")
	}},
	{"ids", 100, func(n int) string {
		return schema(`{type: object, $defs: {`+repeat(n, `d%[1]d: {$id: 'https://example.com/%[1]d', type: string}, `)+`}, properties: {`+repeat(n, `p%[1]d: {$ref: 'https://example.com/%[1]d'}, `)+`}}`, "")
	}},
	{"dynamic anchors", 60, func(n int) string {
		return schema(`{type: object, $dynamicAnchor: x, properties: {`+repeat(n, `p%[1]d: {$ref: '#/components/schemas/C%[1]d'}, `)+`}}`, repeat(n, "    C%[1]d: {type: array, items: {$dynamicRef: '#x'}}\n"))
	}},
	{"schemas", 200, func(n int) string {
		return paths("", repeat(n, "    C%d: {type: object, properties: {a: {type: string}}}\n"))
	}},
	{"operations", 200, func(n int) string {
		return paths(repeat(n, "  /p%[1]d:\n    get: {operationId: g%[1]d, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/P'}}}}}}}\n    post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/P'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/P'}}}}}}\n"+
			"  /p%[1]d/{id}:\n    get: {responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/P'}}}}}}\n    delete: {responses: {'204': {description: d}}}\n"), "    P: {type: object, properties: {id: {type: string}, name: {type: string}}}\n")
	}},
	{"operations of own schemas", 60, func(n int) string {
		return paths(repeat(n, "  /p%[1]d:\n    get: {operationId: g%[1]d, responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/P%[1]d'}}}}}}}\n    post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/P%[1]d'}}}}, responses: {'201': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/P%[1]d'}}}}}}\n"+
			"  /p%[1]d/{id}:\n    get: {responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/P%[1]d'}}}}}}\n    delete: {responses: {'204': {description: d}}}\n"), repeat(n, "    P%[1]d: {type: object, properties: {id: {type: string}, name%[1]d: {type: string}}}\n"))
	}},
	{"lists below parents", 60, func(n int) string {
		return paths(repeat(n, "  /p%[1]d/{p}/things:\n    get: {responses: {'200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/P'}}}}}}}\n"+
			"  /p%[1]d/{p}/things/{id}:\n    get: {responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/P'}}}}}}\n"), "    P: {type: object, properties: {id: {type: string}, name: {type: string}}}\n")
	}},
	{"empty operations", 800, func(n int) string {
		return paths(repeat(n, "  /p%d:\n    get: {responses: {'204': {description: d}}}\n"), "")
	}},
	{"operations that conflict", 200, func(n int) string {
		return paths(repeat(n, "  /a/{p%d}:\n    get: {responses: {'204': {description: d}}}\n"), "")
	}},
	{"duplicate operationIds", 200, func(n int) string {
		return paths(repeat(n, "  /p%d:\n    get: {operationId: a, responses: {'204': {description: d}}}\n"), "")
	}},
	{"long path", 100, func(n int) string {
		return paths("  /"+repeat(n, "p%d/")+":\n    get: {responses: {'204': {description: d}}}\n", "")
	}},
	{"methods", 200, func(n int) string {
		return strings.Replace(paths("  /a:\n    additionalOperations: {"+repeat(n, "M%d: {responses: {'204': {description: d}}}, ")+"}\n", ""), "3.1.0", "3.2.0", 1)
	}},
	{"tags", 400, func(n int) string {
		return paths("  /a:\n    get: {tags: ["+repeat(n, "t%d, ")+"], responses: {'204': {description: d}}}\n", "") + "tags: [" + repeat(n, "{name: t%d}, ") + "]\n"
	}},
	{"servers", 200, func(n int) string {
		return paths("  /a:\n    get: {responses: {'204': {description: d}}}\n", "") + "servers: [" + repeat(n, "{url: 'https://example.com/v%d'}, ") + "]\n"
	}},
	{"servers of operations", 100, func(n int) string {
		return paths(repeat(n, "  /p%[1]d:\n    get: {servers: [{url: 'https://example.com/v%[1]d'}], responses: {'204': {description: d}}}\n"), "")
	}},
	{"server variable", 200, func(n int) string {
		return paths("  /a:\n    get: {responses: {'204': {description: d}}}\n", "") + "servers: [{url: 'https://example.com/{v}', variables: {v: {default: v1, enum: [" + repeat(n, "v%d, ") + "]}}}]\n"
	}},
	{"server variables", 100, func(n int) string {
		return paths("  /a:\n    get: {responses: {'204': {description: d}}}\n", "") + "servers: [{url: 'https://example.com/" + repeat(n, "{v%d}/") + "', variables: {" + repeat(n, "v%d: {default: a}, ") + "}}]\n"
	}},
	{"security alternatives", 200, func(n int) string {
		return paths("  /a:\n    get: {security: ["+repeat(n, "{s%d: []}, ")+"], responses: {'204': {description: d}}}\n", "  securitySchemes:\n"+repeat(n, "    s%[1]d: {type: apiKey, in: header, name: x-%[1]d}\n"))
	}},
	{"security of all", 200, func(n int) string {
		return paths("  /a:\n    get: {security: [{"+repeat(n, "s%d: [], ")+"}], responses: {'204': {description: d}}}\n", "  securitySchemes:\n"+repeat(n, "    s%[1]d: {type: apiKey, in: header, name: x-%[1]d}\n"))
	}},
	{"unknown security", 60, func(n int) string {
		return paths("  /a:\n    get: {security: ["+repeat(n, "{s%d: []}, ")+"], responses: {'204': {description: d}}}\n", "  securitySchemes:\n"+repeat(n, "    z%[1]d: {type: apiKey, in: header, name: x-%[1]d}\n"))
	}},
	{"scopes", 400, func(n int) string {
		return paths("  /a:\n    get: {security: [{s: ["+repeat(n, "a%d, ")+"]}], responses: {'204': {description: d}}}\n", "  securitySchemes:\n    s: {type: oauth2, flows: {implicit: {authorizationUrl: 'https://example.com', scopes: {"+repeat(n, "a%d: d, ")+"}}}}\n")
	}},
	{"callbacks", 100, func(n int) string {
		return paths("  /a:\n    get:\n      callbacks: {"+repeat(n, "c%d: {'{$request.query.url}': {post: {responses: {'204': {description: d}}}}}, ")+"}\n      responses: {'204': {description: d}}\n", "")
	}},
	{"webhooks", 100, func(n int) string {
		return paths("", "") + "webhooks: {" + repeat(n, "w%d: {post: {responses: {'204': {description: d}}}}, ") + "}\n"
	}},
	{"links by name", 200, func(n int) string {
		return paths(repeat(n, "  /p%[1]d:\n    get: {operationId: o%[1]d, responses: {'204': {description: d, links: {next: {operationId: o%[2]d}}}}}\n"), "")
	}},
	{"links by reference", 200, func(n int) string {
		return paths(repeat(n, "  /p%[1]d:\n    get: {responses: {'204': {description: d, links: {next: {operationRef: '#/paths/~1p%[2]d/get'}}}}}\n"), "")
	}},
	{"links of one response", 200, func(n int) string {
		return paths("  /a:\n    get: {operationId: a, parameters: ["+repeat(n, "{name: p%d, in: query, schema: {type: string}}, ")+"], responses: {'204': {description: d, links: {"+repeat(n, "l%[1]d: {operationId: a, parameters: {p%[1]d: 1}}, ")+"}}}}\n", "")
	}},
	{"media types", 100, func(n int) string {
		return paths("  /a:\n    post: {requestBody: {content: {"+repeat(n, "application/vnd.a%d+json: {schema: {type: object}}, ")+"}}, responses: {'200': {description: d, content: {"+repeat(n, "application/vnd.a%d+json: {schema: {type: object}}, ")+"}}}}\n", "")
	}},
	{"encoding", 100, func(n int) string {
		return paths("  /a:\n    post: {requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {"+repeat(n, "p%d: {type: string}, ")+"}}, encoding: {"+repeat(n, "p%d: {contentType: text/plain}, ")+"}}}}, responses: {'204': {description: d}}}\n", "")
	}},
	{"unknown fields", 400, func(n int) string {
		return paths("  /a:\n    get: {"+repeat(n, "fieldd%d: 1, ")+" responses: {'204': {description: d}}}\n", "")
	}},
	{"misspelt keywords", 400, body(`{`, `requird%d: 1, `, `}`)},
	{"extensions", 1000, func(n int) string {
		return paths("  /a:\n    get: {"+repeat(n, "x-%d: 1, ")+" responses: {'204': {description: d}}}\n", "")
	}},
	{"one line", 200, func(n int) string {
		return `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/a":{"get":{"responses":{"200":{"description":"d","content":{"application/json":{"schema":{"type":"object","properties":{` +
			strings.TrimSuffix(repeat(n, `"p%d":{"type":"strin"},`), ",") + `}}}}}}}}}}`
	}},
	{"duplicate keys", 400, func(n int) string {
		return `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/a":{"get":{"responses":{"200":{"description":"d","content":{"application/json":{"schema":{"type":"object","properties":{` +
			strings.TrimSuffix(repeat(n, `"p":{"type":"string"},`), ",") + `}}}}}}}}}}`
	}},
	{"aliases", 200, func(n int) string {
		return paths("", "    A: &a {type: object, properties: {a: {type: string}}}\n"+repeat(n, "    C%d: *a\n"))
	}},
	{"merge keys", 100, func(n int) string {
		return paths("", "    A: &a {type: object, properties: {a: {type: string}}}\n"+repeat(n, "    C%d: {<<: *a, minProperties: 1}\n"))
	}},
	{"nested objects", 12, func(n int) string {
		return schema(strings.Repeat("{type: object, required: [a], properties: {a: ", n) + "{type: string}" + strings.Repeat("}}", n))
	}},
	{"shared parameters", 60, func(n int) string {
		return paths(repeat(n, "  /p%[1]d:\n    get: {parameters: [{$ref: '#/components/parameters/P'}], responses: {'204': {$ref: '#/components/responses/R'}}}\n"), "  parameters: {P: {name: p, in: query, schema: {type: string}}}\n  responses: {R: {description: d}}\n")
	}},
	{"swagger", 60, func(n int) string {
		return "swagger: '2.0'\ninfo: {title: t, version: '1'}\npaths:\n" + repeat(n, "  /p%[1]d:\n    post:\n      parameters: [{name: b, in: body, schema: {$ref: '#/definitions/D%[1]d'}}, {name: q, in: query, type: string}]\n      responses: {'200': {description: d, schema: {$ref: '#/definitions/D%[1]d'}}}\n") + "definitions:\n" + repeat(n, "  D%d: {type: object, properties: {a: {type: string}}}\n")
	}},
	{"swagger form", 100, func(n int) string {
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

// TestGrowth takes documents of n and of 4n things of a kind from their text to their findings, their plan and a mock
// of them. The bytes that this allocates grow with the document, not with its square. COLDFRAME_GROWTH=8 makes the
// documents so many times as large and prints what each step costs.
func TestGrowth(t *testing.T) {
	scale, _ := strconv.Atoi(cmp.Or(os.Getenv("COLDFRAME_GROWTH"), "1"))
	for i, row := range growing {
		if i%sample.Every(5, 30) != 0 {
			continue
		}
		t.Run(row.name, func(t *testing.T) {
			few, many := allocated(t, row.document(row.n*scale)), allocated(t, row.document(4*row.n*scale))
			for i, step := range [...]string{"load", "lint", "plan", "serve"} {
				if scale > 1 {
					t.Logf("%-6s %v, then %v", step, few[i], many[i])
				}
				const usual = 1 << 18 // whatever the document
				if ratio := float64(many[i].bytes) / float64(max(few[i].bytes, usual)); ratio > 6.5 {
					t.Errorf("%s allocates %.1f times as much for 4 times as many: %v, then %v", step, ratio, few[i], many[i])
				}
			}
		})
	}
}

type cost struct {
	bytes uint64
	took  time.Duration
}

// allocated returns what the steps from a text to a mock cost.
func allocated(t *testing.T, text string) (costs [4]cost) {
	var c *spec.Contract
	for i, step := range [...]func() error{
		func() (err error) {
			c, err = spec.Load(t.Context(), "openapi.yaml", spec.Options{Text: []byte(text)})
			return err
		},
		func() error { lint.Document(c, resource.Overrides{}, values.Overrides{}); return nil },
		func() error { resource.Infer(c, resource.Overrides{}); return nil },
		func() error {
			s, err := New(t.Context(), Options{Text: []byte(text), Listen: ListenOptions{NoListener: true}})
			if err == nil {
				err = s.Close()
			}
			return err
		},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		began := time.Now()
		if err := step(); err != nil {
			t.Fatal(err)
		}
		costs[i].took = time.Since(began)
		runtime.ReadMemStats(&after)
		costs[i].bytes = after.TotalAlloc - before.TotalAlloc
	}
	return costs
}
