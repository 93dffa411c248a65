package spec

import "slices"

// The grammar of the OpenAPI Specification's objects as data. normalize.go cleans documents with it.

type form uint8

const (
	formText   form = iota // a string; a number or boolean is read as one
	formBool               // a boolean
	formAny                // any JSON value, kept unchanged
	formObject             // an object of a kind
	formList               // an array of objects of a kind
	formMap                // an object whose values are of a kind
	formTexts              // an array of strings
	formScopes             // an array of Security Requirement Objects
)

type field struct {
	name string
	form form
	kind *objectKind // of formObject, formList and formMap
}

// objectKind is a kind of object: its name in the specification, its fields, and the section of components for
// references to it.
type objectKind struct {
	name      string
	component string  // "" if no Reference Object may replace it
	fields    []field // nil if the object is a map of patterned keys
	each      *field
	require   []string // required fields
	identity  bool     // the object is useless without them
}

func (k *objectKind) field(name string) *field {
	if k.fields == nil {
		return k.each
	}
	if i := slices.IndexFunc(k.fields, func(f field) bool { return f.name == name }); i >= 0 {
		return &k.fields[i]
	}
	return nil
}

func (k *objectKind) names() []string {
	names := make([]string, len(k.fields))
	for i, f := range k.fields {
		names[i] = f.name
	}
	return names
}

func text(name string) field                  { return field{name, formText, nil} }
func boolean(name string) field               { return field{name, formBool, nil} }
func value(name string) field                 { return field{name, formAny, nil} }
func object(name string, k *objectKind) field { return field{name, formObject, k} }
func list(name string, k *objectKind) field   { return field{name, formList, k} }
func mapOf(name string, k *objectKind) field  { return field{name, formMap, k} }

func textFields(names ...string) []field {
	var fields []field
	for _, name := range names {
		fields = append(fields, text(name))
	}
	return fields
}

// Many kinds of objects refer to each other, so init fills in their fields.
var (
	schemaObject    = &objectKind{name: "Schema Object", component: "schemas"} // kept unchanged: translate.go reads it
	exampleObject   = &objectKind{name: "Example Object", component: "examples"}
	linkObject      = &objectKind{name: "Link Object", component: "links"}
	headerObject    = &objectKind{name: "Header Object", component: "headers"}
	mediaTypeObject = &objectKind{name: "Media Type Object", component: "mediaTypes"}
	parameterObject = &objectKind{
		name: "Parameter Object", component: "parameters", require: []string{"name", "in"}, identity: true,
	}
	requestBodyObject    = &objectKind{name: "Request Body Object", component: "requestBodies"}
	responseObject       = &objectKind{name: "Response Object", component: "responses"}
	callbackObject       = &objectKind{name: "Callback Object", component: "callbacks"}
	pathItemObject       = &objectKind{name: "Path Item Object", component: "pathItems"}
	securitySchemeObject = &objectKind{
		name: "Security Scheme Object", component: "securitySchemes", require: []string{"type"},
	}

	encodingObject       = &objectKind{name: "Encoding Object"}
	responsesObject      = &objectKind{name: "Responses Object"}
	operationObject      = &objectKind{name: "Operation Object"}
	pathsObject          = &objectKind{name: "Paths Object"}
	serverObject         = &objectKind{name: "Server Object", require: []string{"url"}, identity: true}
	serverVariableObject = &objectKind{name: "Server Variable Object"}
	oauthFlowsObject     = &objectKind{name: "OAuth Flows Object"}
	oauthFlowObject      = &objectKind{name: "OAuth Flow Object"}
	componentsObject     = &objectKind{name: "Components Object"}
	infoObject           = &objectKind{name: "Info Object", require: []string{"title", "version"}}
	contactObject        = &objectKind{name: "Contact Object"}
	licenseObject        = &objectKind{name: "License Object", require: []string{"name"}}
	docsObject           = &objectKind{name: "External Documentation Object", require: []string{"url"}}
	tagObject            = &objectKind{name: "Tag Object", require: []string{"name"}}
	documentObject       = &objectKind{name: "OpenAPI Object", require: []string{"openapi", "info"}}
)

func init() {
	summary, prose := text("summary"), text("description")
	docs := object("externalDocs", docsObject)
	security := field{"security", formScopes, nil}
	examples := []field{value("example"), mapOf("examples", exampleObject)}
	itemEncoding := []field{value("prefixEncoding"), value("itemEncoding")}

	documentObject.fields = []field{text("openapi"), text("$self"), object("info", infoObject),
		text("jsonSchemaDialect"), list("servers", serverObject), object("paths", pathsObject),
		mapOf("webhooks", pathItemObject), object("components", componentsObject), security,
		list("tags", tagObject), docs}
	infoObject.fields = []field{text("title"), summary, prose, text("termsOfService"),
		object("contact", contactObject), object("license", licenseObject), text("version")}
	contactObject.fields = textFields("name", "url", "email")
	licenseObject.fields = textFields("name", "identifier", "url")
	docsObject.fields = textFields("description", "url")
	tagObject.fields = append(textFields("name", "summary", "description", "parent", "kind"), docs)
	serverObject.fields = []field{text("url"), prose, text("name"), mapOf("variables", serverVariableObject)}
	serverVariableObject.fields = []field{{"enum", formTexts, nil}, text("default"), prose}
	for _, s := range []*objectKind{
		schemaObject, responseObject, parameterObject, exampleObject, requestBodyObject, headerObject,
		securitySchemeObject, linkObject, callbackObject, pathItemObject, mediaTypeObject} {
		componentsObject.fields = append(componentsObject.fields, mapOf(s.component, s))
	}

	pathsObject.each = &field{"", formObject, pathItemObject}
	pathItemObject.fields = []field{summary, prose, list("servers", serverObject), list("parameters", parameterObject),
		mapOf("additionalOperations", operationObject)}
	for _, method := range methods {
		pathItemObject.fields = append(pathItemObject.fields, object(method, operationObject))
	}
	operationObject.fields = []field{{"tags", formTexts, nil}, summary, prose, docs, text("operationId"),
		list("parameters", parameterObject), object("requestBody", requestBodyObject), object("responses", responsesObject),
		mapOf("callbacks", callbackObject), boolean("deprecated"), security, list("servers", serverObject)}
	headerObject.fields = append([]field{prose, boolean("required"), boolean("deprecated"),
		text("style"), boolean("explode"), boolean("allowReserved"), boolean("allowEmptyValue"),
		object("schema", schemaObject), mapOf("content", mediaTypeObject)}, examples...)
	parameterObject.fields = append([]field{text("name"), text("in")}, headerObject.fields...)
	requestBodyObject.fields = []field{prose, mapOf("content", mediaTypeObject), boolean("required")}
	responsesObject.each = &field{"", formObject, responseObject}
	responseObject.fields = []field{summary, text("description"), mapOf("headers", headerObject),
		mapOf("content", mediaTypeObject), mapOf("links", linkObject)}
	callbackObject.each = &field{"", formObject, pathItemObject}
	mediaTypeObject.fields = slices.Concat([]field{object("schema", schemaObject), object("itemSchema", schemaObject),
		mapOf("encoding", encodingObject), prose}, itemEncoding, examples)
	encodingObject.fields = append([]field{text("contentType"), mapOf("headers", headerObject), text("style"),
		boolean("explode"), boolean("allowReserved"), value("encoding")}, itemEncoding...)
	linkObject.fields = []field{text("operationRef"), text("operationId"), value("parameters"),
		value("requestBody"), prose, value("server")}
	exampleObject.fields = []field{summary, prose, value("value"), text("externalValue"),
		value("dataValue"), text("serializedValue")}

	securitySchemeObject.fields = []field{text("type"), prose, text("name"), text("in"), text("scheme"),
		text("bearerFormat"), object("flows", oauthFlowsObject), text("openIdConnectUrl"),
		text("oauth2MetadataUrl"), boolean("deprecated")}
	oauthFlowsObject.fields = []field{object("implicit", oauthFlowObject), object("password", oauthFlowObject),
		object("clientCredentials", oauthFlowObject), object("authorizationCode", oauthFlowObject),
		object("deviceAuthorization", oauthFlowObject)}
	oauthFlowObject.fields = []field{text("authorizationUrl"), text("deviceAuthorizationUrl"), text("tokenUrl"),
		text("refreshUrl"), value("scopes")}
}

// methods are the fixed fields of a Path Item Object that hold operations.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}
