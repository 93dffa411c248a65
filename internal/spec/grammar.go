package spec

// The grammar of the OpenAPI Specification's objects, as data: normalize.go cleans a
// document by it and model.go writes from it what kin-openapi is given.

// form is what may stand in a field.
type form uint8

const (
	formText   form = iota // a string; a number or boolean is read as one
	formBool               // a boolean
	formAny                // any JSON value, kept as it is
	formSchema             // a Schema Object, kept as it is: translate.go reads it
	formObject             // an object of a shape
	formList               // an array of objects of a shape
	formMap                // an object whose values are of a shape
	formTexts              // an array of strings
	formScopes             // an array of Security Requirement Objects
)

// field is one field of an object.
type field struct {
	name  string
	form  form
	shape *shape // of formObject, formList and formMap
	model bool   // whether kin-openapi is given it: what the contract reads through its model
}

// shape is one kind of object: its section in the specification, its fields,
// and the section of components under which it can be referenced.
type shape struct {
	name      string
	component string  // "" where no Reference Object may stand for it
	fields    []field // nil: keys are patterned, every value is of each
	each      *field
	require   []string // fields that must be there
	identity  bool     // whether the object means nothing without them
}

func text(name string) field                    { return field{name, formText, nil, true} }
func boolean(name string) field                 { return field{name, formBool, nil, true} }
func schemaField(name string) field             { return field{name, formSchema, nil, true} }
func object(name string, s *shape) field        { return field{name, formObject, s, true} }
func list(name string, s *shape) field          { return field{name, formList, s, true} }
func mapOf(name string, s *shape) field         { return field{name, formMap, s, true} }
func aside(name string, f form, s *shape) field { return field{name, f, s, false} }

var (
	prose   = aside("description", formText, nil)
	summary = aside("summary", formText, nil)
	docs    = aside("externalDocs", formObject, docsShape)
)

var exampleShape = &shape{
	name: "Example Object", component: "examples",
	fields: []field{summary, prose,
		aside("value", formAny, nil), aside("externalValue", formText, nil),
		aside("dataValue", formAny, nil), aside("serializedValue", formText, nil)},
}

var serverVariableShape = &shape{
	name:   "Server Variable Object",
	fields: []field{{"enum", formTexts, nil, true}, text("default"), prose},
}

var serverShape = &shape{
	name:     "Server Object",
	fields:   []field{text("url"), prose, aside("name", formText, nil), mapOf("variables", serverVariableShape)},
	require:  []string{"url"},
	identity: true,
}

var linkShape = &shape{
	name: "Link Object", component: "links",
	fields: []field{text("operationRef"), text("operationId"),
		aside("parameters", formAny, nil), aside("requestBody", formAny, nil), prose, aside("server", formAny, nil)},
}

// The shapes that refer to each other are filled in init.
var (
	headerShape    = &shape{name: "Header Object", component: "headers"}
	encodingShape  = &shape{name: "Encoding Object"}
	mediaTypeShape = &shape{name: "Media Type Object", component: "mediaTypes"}
	parameterShape = &shape{name: "Parameter Object", component: "parameters", require: []string{"name", "in"},
		identity: true}
	requestBodyShape = &shape{name: "Request Body Object", component: "requestBodies"}
	responseShape    = &shape{name: "Response Object", component: "responses"}
	responsesShape   = &shape{name: "Responses Object"}
	callbackShape    = &shape{name: "Callback Object", component: "callbacks"}
	operationShape   = &shape{name: "Operation Object"}
	pathItemShape    = &shape{name: "Path Item Object", component: "pathItems"}
	pathsShape       = &shape{name: "Paths Object"}
)

var oauthFlowShape = &shape{
	name: "OAuth Flow Object",
	fields: []field{text("authorizationUrl"), text("deviceAuthorizationUrl"), text("tokenUrl"), text("refreshUrl"),
		aside("scopes", formAny, nil)},
}

var oauthFlowsShape = &shape{
	name: "OAuth Flows Object",
	fields: []field{object("implicit", oauthFlowShape), object("password", oauthFlowShape),
		object("clientCredentials", oauthFlowShape), object("authorizationCode", oauthFlowShape),
		aside("deviceAuthorization", formObject, oauthFlowShape)},
}

var securitySchemeShape = &shape{
	name: "Security Scheme Object", component: "securitySchemes",
	fields: []field{text("type"), prose, text("name"), text("in"), text("scheme"), text("bearerFormat"),
		object("flows", oauthFlowsShape), text("openIdConnectUrl"),
		aside("oauth2MetadataUrl", formText, nil), aside("deprecated", formBool, nil)},
	require: []string{"type"},
}

var contactShape = &shape{
	name:   "Contact Object",
	fields: []field{aside("name", formText, nil), aside("url", formText, nil), aside("email", formText, nil)},
}

var licenseShape = &shape{
	name:    "License Object",
	fields:  []field{aside("name", formText, nil), aside("identifier", formText, nil), aside("url", formText, nil)},
	require: []string{"name"},
}

var docsShape = &shape{
	name:    "External Documentation Object",
	fields:  []field{aside("description", formText, nil), aside("url", formText, nil)},
	require: []string{"url"},
}

var tagShape = &shape{
	name: "Tag Object",
	fields: []field{aside("name", formText, nil), aside("summary", formText, nil), aside("description", formText, nil),
		aside("externalDocs", formObject, docsShape), aside("parent", formText, nil), aside("kind", formText, nil)},
	require: []string{"name"},
}

var infoShape = &shape{
	name: "Info Object",
	fields: []field{text("title"), summary, prose, aside("termsOfService", formText, nil),
		aside("contact", formObject, contactShape), aside("license", formObject, licenseShape), text("version")},
	require: []string{"title", "version"},
}

var componentsShape = &shape{
	name: "Components Object",
	fields: []field{
		aside("schemas", formMap, schemaShape),
		aside("responses", formMap, responseShape),
		aside("parameters", formMap, parameterShape),
		aside("examples", formMap, exampleShape),
		aside("requestBodies", formMap, requestBodyShape),
		aside("headers", formMap, headerShape),
		mapOf("securitySchemes", securitySchemeShape),
		aside("links", formMap, linkShape),
		aside("callbacks", formMap, callbackShape),
		aside("pathItems", formMap, pathItemShape),
		aside("mediaTypes", formMap, mediaTypeShape),
	},
}

// schemaShape is the shape of fields that are Schema Objects.
var schemaShape = &shape{name: "Schema Object", component: "schemas"}

var documentShape = &shape{
	name: "OpenAPI Object",
	fields: []field{text("openapi"), aside("$self", formText, nil), object("info", infoShape),
		aside("jsonSchemaDialect", formText, nil), list("servers", serverShape), object("paths", pathsShape),
		mapOf("webhooks", pathItemShape), aside("components", formObject, componentsShape),
		{"security", formScopes, nil, true}, aside("tags", formList, tagShape), docs},
	require: []string{"openapi", "info"},
}

func init() {
	examples := []field{aside("example", formAny, nil), aside("examples", formMap, exampleShape)}
	headerShape.fields = append([]field{prose, boolean("required"), aside("deprecated", formBool, nil),
		text("style"), boolean("explode"), boolean("allowReserved"), boolean("allowEmptyValue"),
		schemaField("schema"), mapOf("content", mediaTypeShape)}, examples...)
	parameterShape.fields = append([]field{text("name"), text("in")}, headerShape.fields...)
	encodingShape.fields = []field{text("contentType"), mapOf("headers", headerShape),
		text("style"), boolean("explode"), boolean("allowReserved"),
		aside("encoding", formAny, nil), aside("prefixEncoding", formAny, nil), aside("itemEncoding", formAny, nil)}
	mediaTypeShape.fields = append([]field{schemaField("schema"), schemaField("itemSchema"),
		mapOf("encoding", encodingShape),
		aside("prefixEncoding", formAny, nil), aside("itemEncoding", formAny, nil), prose}, examples...)
	requestBodyShape.fields = []field{prose, mapOf("content", mediaTypeShape), boolean("required")}
	responseShape.fields = []field{summary, text("description"), mapOf("headers", headerShape),
		mapOf("content", mediaTypeShape), mapOf("links", linkShape)}
	responsesShape.each = &field{"", formObject, responseShape, true}
	callbackShape.each = &field{"", formObject, pathItemShape, true}
	operationShape.fields = []field{{"tags", formTexts, nil, true}, summary, prose, docs, text("operationId"),
		list("parameters", parameterShape), object("requestBody", requestBodyShape), object("responses", responsesShape),
		mapOf("callbacks", callbackShape), boolean("deprecated"),
		{"security", formScopes, nil, true}, list("servers", serverShape)}
	pathItemShape.fields = []field{summary, prose, list("servers", serverShape), list("parameters", parameterShape),
		mapOf("additionalOperations", operationShape)}
	for _, method := range methods {
		pathItemShape.fields = append(pathItemShape.fields, object(method, operationShape))
	}
	pathsShape.each = &field{"", formObject, pathItemShape, true}
}

// methods are the fixed fields of a Path Item Object that hold operations.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}
