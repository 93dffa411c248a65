package notes

import (
	"fmt"
	"net"
	"sync/atomic"
	"testing"
)

// Elsewhere returns the URL of a host that nobody may connect to, a document that names it wherever a document may
// name a host, and the number of connections to it.
func Elsewhere(t testing.TB) (url string, document []byte, connections *atomic.Int32) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	connections = &atomic.Int32{}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			connection.Close()
		}
	}()
	url = "http://" + listener.Addr().String()
	return url, fmt.Appendf(nil, elsewhere, url), connections
}

// elsewhere has the address of another host wherever a document may name one.
const elsewhere = `openapi: 3.1.0
info: {title: Elsewhere, version: "1", termsOfService: "%[1]s/t", contact: {url: "%[1]s/c"}, license: {name: a, url: "%[1]s/l"}}
jsonSchemaDialect: "%[1]s/dialect"
externalDocs: {url: "%[1]s/docs"}
servers: [{url: "%[1]s/v1"}]
security: [{}, {oauth: []}, {openid: []}]
webhooks:
  hook: {post: {requestBody: {content: {application/json: {schema: {type: object}}}}, responses: {"200": {description: d}}}}
paths:
  /items:
    servers: [{url: "%[1]s/v2"}]
    get:
      servers: [{url: "%[1]s/v3"}]
      parameters:
        - {name: page, in: query, schema: {type: integer, minimum: 1}}
        - {name: target, in: query, schema: {type: string, format: uri, default: "%[1]s/q", examples: ["%[1]s/q"]}}
      responses:
        "200":
          description: d
          headers: {Link: {schema: {type: string}}}
          content:
            application/json:
              schema:
                type: object
                required: [items, next]
                properties:
                  items: {type: array, items: {$ref: "#/components/schemas/Item"}}
                  next: {type: [string, "null"], format: uri}
          links:
            other: {operationRef: "%[1]s/openapi.yaml#/paths/~1x/get", server: {url: "%[1]s/v4"}}
            item: {operationId: readItem, parameters: {id: "$response.body#/items/0/id"}, server: {url: "%[1]s/v5"}}
    post:
      operationId: makeItem
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/Item"}
            examples: {far: {externalValue: "%[1]s/example.json"}, near: {value: {callbackUrl: "%[1]s/callback"}}}
      callbacks:
        body: {"{$request.body#/callbackUrl}": {post: {responses: {"200": {description: d}}}}}
        fixed: {"%[1]s/fixed": {post: {responses: {"200": {description: d}}}}}
      responses: {"201": {description: d, headers: {Location: {schema: {type: string, format: uri}}}, content: {application/json: {schema: {$ref: "#/components/schemas/Item"}}}}}
  /items/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: readItem, responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Item"}}}}, "303": {description: d}}}
    put: {requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Item"}}}}, responses: {"200": {description: d}, "307": {description: d}}}
    delete: {responses: {"204": {description: d}, "301": {description: d}}}
components:
  securitySchemes:
    openid: {type: openIdConnect, openIdConnectUrl: "%[1]s/openid"}
    oauth: {type: oauth2, flows: {clientCredentials: {tokenUrl: "%[1]s/token", refreshUrl: "%[1]s/refresh", scopes: {}},
      authorizationCode: {authorizationUrl: "%[1]s/authorize", tokenUrl: "%[1]s/token", scopes: {}}}}
  schemas:
    Item: {$schema: "%[1]s/meta", $id: "%[1]s/item", type: object, properties: {id: {type: string, readOnly: true}, callbackUrl: {type: string, format: uri}, far: {$ref: "%[1]s/far.json"}}}
`
