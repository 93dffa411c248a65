package spec

import "slices"

// The grammar of the OpenAPI Specification's objects as data. normalize.go cleans documents with it.

type form uint8

const (
	formText   form = iota // a string; a number or boolean is read as one
	formBool               // a boolean
	formAny                // any JSON value, kept unchanged
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
}

// shape is one kind of object: its name in the specification, its fields, and the section of components for
// references to it.
type shape struct {
	name      string
	component string  // "" if no Reference Object may replace it
	fields    []field // nil if the object is a map of patterned keys
	each      *field
	require   []string // required fields
	identity  bool     // the object is useless without them
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

func text(name string) field             { return field{name, formText, nil} }
func boolean(name string) field          { return field{name, formBool, nil} }
func value(name string) field            { return field{name, formAny, nil} }
func object(name string, s *shape) field { return field{name, formObject, s} }
func list(name string, s *shape) field   { return field{name, formList, s} }
func mapOf(name string, s *shape) field  { return field{name, formMap, s} }

func textFields(names ...string) []field {
	var fields []field
	for _, name := range names {
		fields = append(fields, text(name))
	}
	return fields
}

// The shapes of many kinds refer to each other, so init fills in their fields.
var (
	schemaShape         = &shape{name: "Schema Object", component: "schemas"} // kept unchanged: translate.go reads it
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
	summary, prose := text("summary"), text("description")
	docs := object("externalDocs", docsShape)
	security := field{"security", formScopes, nil}
	examples := []field{value("example"), mapOf("examples", exampleShape)}
	itemEncoding := []field{value("prefixEncoding"), value("itemEncoding")}

	documentShape.fields = []field{text("openapi"), text("$self"), object("info", infoShape),
		text("jsonSchemaDialect"), list("servers", serverShape), object("paths", pathsShape),
		mapOf("webhooks", pathItemShape), object("components", componentsShape), security,
		list("tags", tagShape), docs}
	infoShape.fields = []field{text("title"), summary, prose, text("termsOfService"),
		object("contact", contactShape), object("license", licenseShape), text("version")}
	contactShape.fields = textFields("name", "url", "email")
	licenseShape.fields = textFields("name", "identifier", "url")
	docsShape.fields = textFields("description", "url")
	tagShape.fields = append(textFields("name", "summary", "description", "parent", "kind"), docs)
	serverShape.fields = []field{text("url"), prose, text("name"), mapOf("variables", serverVariableShape)}
	serverVariableShape.fields = []field{{"enum", formTexts, nil}, text("default"), prose}
	for _, s := range []*shape{schemaShape, responseShape, parameterShape, exampleShape, requestBodyShape, headerShape,
		securitySchemeShape, linkShape, callbackShape, pathItemShape, mediaTypeShape} {
		componentsShape.fields = append(componentsShape.fields, mapOf(s.component, s))
	}

	pathsShape.each = &field{"", formObject, pathItemShape}
	pathItemShape.fields = []field{summary, prose, list("servers", serverShape), list("parameters", parameterShape),
		mapOf("additionalOperations", operationShape)}
	for _, method := range methods {
		pathItemShape.fields = append(pathItemShape.fields, object(method, operationShape))
	}
	operationShape.fields = []field{{"tags", formTexts, nil}, summary, prose, docs, text("operationId"),
		list("parameters", parameterShape), object("requestBody", requestBodyShape), object("responses", responsesShape),
		mapOf("callbacks", callbackShape), boolean("deprecated"), security, list("servers", serverShape)}
	headerShape.fields = append([]field{prose, boolean("required"), boolean("deprecated"),
		text("style"), boolean("explode"), boolean("allowReserved"), boolean("allowEmptyValue"),
		object("schema", schemaShape), mapOf("content", mediaTypeShape)}, examples...)
	parameterShape.fields = append([]field{text("name"), text("in")}, headerShape.fields...)
	requestBodyShape.fields = []field{prose, mapOf("content", mediaTypeShape), boolean("required")}
	responsesShape.each = &field{"", formObject, responseShape}
	responseShape.fields = []field{summary, text("description"), mapOf("headers", headerShape),
		mapOf("content", mediaTypeShape), mapOf("links", linkShape)}
	callbackShape.each = &field{"", formObject, pathItemShape}
	mediaTypeShape.fields = slices.Concat([]field{object("schema", schemaShape), object("itemSchema", schemaShape),
		mapOf("encoding", encodingShape), prose}, itemEncoding, examples)
	encodingShape.fields = append([]field{text("contentType"), mapOf("headers", headerShape), text("style"),
		boolean("explode"), boolean("allowReserved"), value("encoding")}, itemEncoding...)
	linkShape.fields = []field{text("operationRef"), text("operationId"), value("parameters"),
		value("requestBody"), prose, value("server")}
	exampleShape.fields = []field{summary, prose, value("value"), text("externalValue"),
		value("dataValue"), text("serializedValue")}

	securitySchemeShape.fields = []field{text("type"), prose, text("name"), text("in"), text("scheme"),
		text("bearerFormat"), object("flows", oauthFlowsShape), text("openIdConnectUrl"),
		text("oauth2MetadataUrl"), boolean("deprecated")}
	oauthFlowsShape.fields = []field{object("implicit", oauthFlowShape), object("password", oauthFlowShape),
		object("clientCredentials", oauthFlowShape), object("authorizationCode", oauthFlowShape),
		object("deviceAuthorization", oauthFlowShape)}
	oauthFlowShape.fields = []field{text("authorizationUrl"), text("deviceAuthorizationUrl"), text("tokenUrl"),
		text("refreshUrl"), value("scopes")}
}

// methods are the fixed fields of a Path Item Object that hold operations.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}
