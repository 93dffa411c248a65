package checks

import "github.com/coldframe/coldframe/internal/exchange"

// table is all checks, in the order in which they are listed.
var table = []*Check{
	{ID: "server-error", Meaning: "no answer is a 5xx", Source: "RFC 9110 section 15.6", judge: serverError},
	{ID: "answer", Meaning: "every request gets one whole HTTP answer", Source: "RFC 9112 section 6", judge: wholeAnswer},
	{ID: "status-documented", Meaning: "the status is documented for the operation", Source: "OpenAPI 3.1 section 4.8.16", judge: statusDocumented},
	{ID: "media-type", Meaning: "the body's media type is documented for the status", Source: "OpenAPI 3.1 section 4.8.17", judge: mediaType},
	{ID: "body", Meaning: "the body is well formed and fits its schema; there is none where there must be none", Source: "OpenAPI 3.1 section 4.8.14", judge: bodyValid},
	{ID: "headers", Meaning: "declared header fields are there and fit their schemas", Source: "OpenAPI 3.1 section 4.8.21", judge: headersValid},
	{ID: "valid-refused", Meaning: "a request that conforms to the document is accepted", Source: "OpenAPI 3.1 section 4.8.10", judge: validRefused},
	{ID: "invalid-accepted", Meaning: "a request that breaks the document in one place is refused", Source: "OpenAPI 3.1 sections 4.8.12 and 4.8.13", judge: invalidAccepted},
	{ID: "credentials-ignored", Meaning: "a request without the right credentials is refused", Source: "OpenAPI 3.1 section 4.8.30", judge: credentialsIgnored},
	{ID: "method", Meaning: "a method that the document does not have is answered 405 with Allow", Source: "RFC 9110 section 15.5.6", judge: methodRefused},
	{ID: "in-time", Severity: exchange.Warning, Meaning: "the answer comes within --max-response-time", Source: "coldframe", judge: inTime},
}
