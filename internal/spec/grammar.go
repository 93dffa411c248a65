package spec

import "slices"

// The grammar of the OpenAPI Specification's objects, as data: normalize.go cleans a document by it and model.go
// writes from it what kin-openapi is given.

type form uint8

const (
	formText   form = iota // a string; a number or boolean is read as one
	formBool               // a boolean
	formAny                // any JSON value, kept as it is
	formObject             // an object of a shape
	formList               // an array of objects of a shape
	formMap                // an object whose values are of a shape
	formTexts              // an array of strings
	formScopes             // an array of Security Requirement Objects
)

type field struct {
	name  string
	form  form
	shape *shape // of formObject, formList and formMap
	model bool   // whether kin-openapi is given it: what the contract reads through its model
}

// shape is one kind of object: its section in the specification, its fields, and the section of components under
// which it can be referenced.
type shape struct {
	name      string
	component string  // "" where no Reference Object may stand for it
	fields    []field // nil: keys are patterned, every value is of each
	each      *field
	require   []string // fields that must be there
	identity  bool     // whether the object means nothing without them
}

func (s *shape) field(name string) *field {
	if s.fields == nil {
		return s.each
	}
	if i := slices.IndexFunc(s.fields, func(f field) bool { return f.name == name }); i >= 0 {
		return &s.fields[i]
	}
	return nil
}

func (s *shape) names() []string {
	names := make([]string, len(s.fields))
	for i, f := range s.fields {
		names[i] = f.name
	}
	return names
}

func text(name string) field                    { return field{name, formText, nil, true} }
func boolean(name string) field                 { return field{name, formBool, nil, true} }
func object(name string, s *shape) field        { return field{name, formObject, s, true} }
func list(name string, s *shape) field          { return field{name, formList, s, true} }
func mapOf(name string, s *shape) field         { return field{name, formMap, s, true} }
func aside(name string, f form, s *shape) field { return field{name, f, s, false} }

func asides(names ...string) []field {
	var fields []field
	for _, name := range names {
		fields = append(fields, aside(name, formText, nil))
	}
	return fields
}

// The shapes of many kinds refer to each other, so their fields are filled in init.
var (
	schemaShape         = &shape{name: "Schema Object", component: "schemas"} // kept as it is: translate.go reads it
	exampleShape        = &shape{name: "Example Object", component: "examples"}
	linkShape           = &shape{name: "Link Object", component: "links"}
	headerShape         = &shape{name: "Header Object", component: "headers"}
	mediaTypeShape      = &shape{name: "Media Type Object", component: "mediaTypes"}
	parameterShape      = &shape{name: "Parameter Object", component: "parameters", require: []string{"name", "in"}, identity: true}
	requestBodyShape    = &shape{name: "Request Body Object", component: "requestBodies"}
	responseShape       = &shape{name: "Response Object", component: "responses"}
	callbackShape       = &shape{name: "Callback Object", component: "callbacks"}
	pathItemShape       = &shape{name: "Path Item Object", component: "pathItems"}
	securitySchemeShape = &shape{name: "Security Scheme Object", component: "securitySchemes", require: []string{"type"}}

	encodingShape       = &shape{name: "Encoding Object"}
	responsesShape      = &shape{name: "Responses Object"}
	operationShape      = &shape{name: "Operation Object"}
	pathsShape          = &shape{name: "Paths Object"}
	serverShape         = &shape{name: "Server Object", require: []string{"url"}, identity: true}
	serverVariableShape = &shape{name: "Server Variable Object"}
	oauthFlowsShape     = &shape{name: "OAuth Flows Object"}
	oauthFlowShape      = &shape{name: "OAuth Flow Object"}
	componentsShape     = &shape{name: "Components Object"}
	infoShape           = &shape{name: "Info Object", require: []string{"title", "version"}}
	contactShape        = &shape{name: "Contact Object"}
	licenseShape        = &shape{name: "License Object", require: []string{"name"}}
	docsShape           = &shape{name: "External Documentation Object", require: []string{"url"}}
	tagShape            = &shape{name: "Tag Object", require: []string{"name"}}
	documentShape       = &shape{name: "OpenAPI Object", require: []string{"openapi", "info"}}
)

func init() {
	texts := asides("summary", "description")
	summary, prose := texts[0], texts[1]
	docs := aside("externalDocs", formObject, docsShape)
	security := field{"security", formScopes, nil, true}
	examples := []field{aside("example", formAny, nil), aside("examples", formMap, exampleShape)}
	itemEncoding := []field{aside("prefixEncoding", formAny, nil), aside("itemEncoding", formAny, nil)}

	documentShape.fields = []field{text("openapi"), aside("$self", formText, nil), object("info", infoShape),
		aside("jsonSchemaDialect", formText, nil), list("servers", serverShape), object("paths", pathsShape),
		mapOf("webhooks", pathItemShape), aside("components", formObject, componentsShape), security,
		aside("tags", formList, tagShape), docs}
	infoShape.fields = []field{text("title"), summary, prose, aside("termsOfService", formText, nil),
		aside("contact", formObject, contactShape), aside("license", formObject, licenseShape), text("version")}
	contactShape.fields = asides("name", "url", "email")
	licenseShape.fields = asides("name", "identifier", "url")
	docsShape.fields = asides("description", "url")
	tagShape.fields = append(asides("name", "summary", "description", "parent", "kind"), docs)
	serverShape.fields = []field{text("url"), prose, aside("name", formText, nil), mapOf("variables", serverVariableShape)}
	serverVariableShape.fields = []field{{"enum", formTexts, nil, true}, text("default"), prose}
	for _, s := range []*shape{schemaShape, responseShape, parameterShape, exampleShape, requestBodyShape, headerShape,
		securitySchemeShape, linkShape, callbackShape, pathItemShape, mediaTypeShape} {
		section := field{s.component, formMap, s, s == securitySchemeShape}
		componentsShape.fields = append(componentsShape.fields, section)
	}

	pathsShape.each = &field{"", formObject, pathItemShape, true}
	pathItemShape.fields = []field{summary, prose, list("servers", serverShape), list("parameters", parameterShape),
		mapOf("additionalOperations", operationShape)}
	for _, method := range methods {
		pathItemShape.fields = append(pathItemShape.fields, object(method, operationShape))
	}
	operationShape.fields = []field{{"tags", formTexts, nil, true}, summary, prose, docs, text("operationId"),
		list("parameters", parameterShape), object("requestBody", requestBodyShape), object("responses", responsesShape),
		mapOf("callbacks", callbackShape), boolean("deprecated"), security, list("servers", serverShape)}
	headerShape.fields = append([]field{prose, boolean("required"), aside("deprecated", formBool, nil),
		text("style"), boolean("explode"), boolean("allowReserved"), boolean("allowEmptyValue"),
		object("schema", schemaShape), mapOf("content", mediaTypeShape)}, examples...)
	parameterShape.fields = append([]field{text("name"), text("in")}, headerShape.fields...)
	requestBodyShape.fields = []field{prose, mapOf("content", mediaTypeShape), boolean("required")}
	responsesShape.each = &field{"", formObject, responseShape, true}
	responseShape.fields = []field{summary, text("description"), mapOf("headers", headerShape),
		mapOf("content", mediaTypeShape), mapOf("links", linkShape)}
	callbackShape.each = &field{"", formObject, pathItemShape, true}
	mediaTypeShape.fields = slices.Concat([]field{object("schema", schemaShape), object("itemSchema", schemaShape),
		mapOf("encoding", encodingShape), prose}, itemEncoding, examples)
	encodingShape.fields = append([]field{text("contentType"), mapOf("headers", headerShape), text("style"),
		boolean("explode"), boolean("allowReserved"), aside("encoding", formAny, nil)}, itemEncoding...)
	linkShape.fields = []field{text("operationRef"), text("operationId"), aside("parameters", formAny, nil),
		aside("requestBody", formAny, nil), prose, aside("server", formAny, nil)}
	exampleShape.fields = []field{summary, prose, aside("value", formAny, nil), aside("externalValue", formText, nil),
		aside("dataValue", formAny, nil), aside("serializedValue", formText, nil)}

	securitySchemeShape.fields = []field{text("type"), prose, text("name"), text("in"), text("scheme"),
		text("bearerFormat"), object("flows", oauthFlowsShape), text("openIdConnectUrl"),
		aside("oauth2MetadataUrl", formText, nil), aside("deprecated", formBool, nil)}
	oauthFlowsShape.fields = []field{object("implicit", oauthFlowShape), object("password", oauthFlowShape),
		object("clientCredentials", oauthFlowShape), object("authorizationCode", oauthFlowShape),
		aside("deviceAuthorization", formObject, oauthFlowShape)}
	oauthFlowShape.fields = []field{text("authorizationUrl"), text("deviceAuthorizationUrl"), text("tokenUrl"),
		text("refreshUrl"), aside("scopes", formAny, nil)}
}

// methods are the fixed fields of a Path Item Object that hold operations.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}
