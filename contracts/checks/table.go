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

	{ID: "created-shown", Meaning: "the answer to a creation shows what was sent", Source: "RFC 9110 section 9.3.3"},
	{ID: "created-readable", Meaning: "what was created can be read", Source: "RFC 9110 section 9.3.3"},
	{ID: "read-back", Meaning: "a read shows what was sent, and twice the same", Source: "RFC 9110 section 9.3.1"},
	{ID: "location", Meaning: "Location leads to what was created", Source: "RFC 9110 section 10.2.2"},
	{ID: "listed", Meaning: "what was created is in the list", Source: "RFC 9110 section 9.3.1"},
	{ID: "update-shown", Meaning: "the answer to a change shows what was sent", Source: "RFC 9110 section 9.3.4"},
	{ID: "updated", Meaning: "a read after a change shows it", Source: "RFC 9110 section 9.3.4"},
	{ID: "replaced", Meaning: "a PUT replaces all that clients decide", Source: "RFC 9110 section 9.3.4"},
	{ID: "patched", Meaning: "a PATCH changes what it names and nothing else", Source: "RFC 7396 section 1"},
	{ID: "idempotent", Meaning: "the same PUT twice is as good as once", Source: "RFC 9110 section 9.2.2"},
	{ID: "removed", Meaning: "what was removed is gone: from reads, lists and changes", Source: "RFC 9110 section 9.3.5"},
	{ID: "removed-twice", Meaning: "a second removal is answered as for what does not exist, where that is documented", Source: "RFC 9110 section 15.5.5"},
	{ID: "traces", Meaning: "a creation that is refused leaves nothing behind", Source: "RFC 9110 section 15.5"},
	{ID: "duplicate", Meaning: "what exists already is a conflict, where that is documented", Source: "RFC 9110 section 15.5.10"},
	{ID: "idempotency-key", Meaning: "the same request under the same key is done once", Source: "draft-ietf-httpapi-idempotency-key-header section 2"},
	{ID: "default", Meaning: "what is left out has its documented default", Source: "JSON Schema Validation section 9.2"},
	{ID: "read-only", Meaning: "what is readOnly is not taken from clients", Source: "JSON Schema Validation section 9.4"},
	{ID: "condition", Meaning: "tags change with the item, and conditions on them hold", Source: "RFC 9110 section 13"},
	{ID: "parents", Meaning: "items below two parents do not mix, and a missing parent is missed", Source: "OpenAPI 3.1 section 4.8.12"},
	{ID: "missing", Meaning: "an item that does not exist is not found, where that is documented", Source: "RFC 9110 section 15.5.5"},
	{ID: "reference", Meaning: "what refers to something that does not exist is refused, where that is documented", Source: "OpenAPI 3.1 section 4.8.16"},
	{ID: "paging", Meaning: "pages keep to their limit, meet every item once, and say the truth about themselves", Source: "the document's own words"},
	{ID: "filter", Meaning: "a filter gives what it asks for, and all of it", Source: "the document's own words"},
	{ID: "sort", Meaning: "a list is in the order that is asked for", Source: "the document's own words"},
	{ID: "link", Meaning: "the document's links lead somewhere", Source: "OpenAPI 3.1 section 4.8.20"},
}
