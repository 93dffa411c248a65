package checks

import (
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/report"
)

// Check is one row of the table.
type Check struct {
	ID string
	// Severity is the most that a violation can be: Violation.Severity can only make it less.
	Severity exchange.Severity
	Meaning  string // what must hold
	Source   string // the RFC or the section of the specification that requires it
	// Certainty is the sentence of Source that forbids what an error of the check reports, quoted or in short,
	// or says why there is none. What rests on less is a warning.
	Certainty string
	// Strict marks a check that no document requires. It runs only on request.
	Strict bool
	// Rank orders the findings of a report.
	Rank Rank
	// Relation says how findings relate to others of the same exchange.
	Relation Relation
	// Comparison says whether the check compares what was sent with what the backend shows.
	Comparison Comparison

	// OfChange says that the fault is of the request that changed something, and not of the read that shows it.
	OfChange bool

	verify func(*input) []Violation // nil for a check of stateful tests
	across func(*input, *Violation) // what makes violations in several operations one; nil if nothing does
	always bool                     // also for answers that broke off or are a 5xx
}

// Stateful reports whether stateful tests, which compare several exchanges, run the check.
func (c *Check) Stateful() bool { return c.Rank == RankStateful }

// Described returns the row as reports and lists have it.
func (c *Check) Described() report.Check {
	return report.Check{ID: c.ID, Severity: c.Severity, Meaning: c.Meaning, Source: c.Source, Certainty: c.Certainty,
		Strict: c.Strict, Stateful: c.Stateful()}
}

// Rank is the place of a check's findings in a report: causes come before what they lead to.
type Rank uint8

const (
	RankCause    Rank = iota // a request wrongly accepted, or no usable answer
	RankStatus               // a wrong status
	RankAnswer               // a wrong field or body
	RankStateful             // answers that contradict each other
)

// Relation is a check's part in explaining the findings of one exchange.
type Relation uint8

const (
	Independent Relation = iota
	Cause                // a wrongly accepted request explains what else is wrong with its answer
	Consequence          // a wrong answer may be due to a wrongly accepted request
)

// Comparison says how a check compares what was sent with what is shown.
type Comparison uint8

const (
	NoComparison   Comparison = iota
	ByTestProperty            // each property within each test is a fault of its own
	ByProperty                // a property is one fault, whichever test finds it
)

// All returns the table, in the order in which checks are listed.
func All() []*Check { return table }

// Find returns a check and its row in the table; nil for an unknown id.
func Find(id string) (*Check, int) {
	for i, c := range table {
		if c.ID == id {
			return c, i
		}
	}
	return nil, -1
}

var table = []*Check{
	{ID: "server-error", Meaning: "no answer is a 5xx", Source: "RFC 9110 section 15.6",
		Certainty: `"The server is aware that it has erred or is incapable of performing the requested method": an undocumented 5xx, or a 500 that only default covers; a warning if the document has the 500, and for a 503, which is temporary`,
		Rank:      RankCause, verify: serverError, across: byText, always: true},
	{ID: "answer", Meaning: "every request gets one whole HTTP answer", Source: "RFC 9112 section 6",
		Certainty: `"A server responds to a client's request by sending one or more response messages" (RFC 9110 section 3.4), whole ones (RFC 9112 section 8); a warning for one that is only not there in time`,
		Rank:      RankCause, verify: wholeAnswer, always: true},
	{ID: "status-documented", Meaning: "the status is documented for the operation", Source: "OpenAPI 3.1 section 4.8.16",
		Certainty: `"Documentation is expected to cover a successful operation response and any known errors", not all that HTTP has: a warning for redirects, 400 for broken syntax, and 401 to 431 of HTTP itself`,
		Rank:      RankStatus, Relation: Consequence, verify: statusDocumented, across: byStatus},
	{ID: "refusal-documented", Meaning: "a refusal for which the document has no status at all is documented", Source: "OpenAPI 3.1 section 4.8.16",
		Certainty: "none: documentation need not cover all statuses; without --strict only a note on 404, 410 and 415",
		Rank:      RankStatus, verify: refusalDocumented, across: byStatus},
	{ID: "redirect", Severity: exchange.Warning, Meaning: "no undocumented redirect leads to another origin", Source: "RFC 9110 section 15.4",
		Certainty: "none: the document only does not have the redirect",
		Rank:      RankStatus, verify: redirectToOtherOrigin, across: byCause},
	{ID: "media-type", Meaning: "the body has a Content-Type that is documented for the status", Source: "OpenAPI 3.1 section 4.8.17, RFC 9110 section 8.3",
		Certainty: `"A map containing descriptions of potential response payloads", by media type; a warning for no Content-Type, which a sender SHOULD generate`,
		Rank:      RankStatus, Relation: Consequence, verify: mediaTypeDocumented, across: byMediaType},
	{ID: "accept", Severity: exchange.Warning, Meaning: "the body has a type that the request accepts, if the document has one", Source: "RFC 9110 section 12.5.1",
		Certainty: `none: a server may "decide that sending a response that doesn't conform to the user agent's preferences is better" (RFC 9110 section 12.1)`,
		Rank:      RankAnswer, Relation: Consequence, verify: mediaTypeAccepted, across: byCause},
	{ID: "encoding", Meaning: "the body is encoded as Content-Encoding says", Source: "RFC 9110 section 8.4",
		Certainty: `"The sender that applied the encodings MUST generate a Content-Encoding header field that lists the content codings"`,
		Rank:      RankStatus, verify: encodingValid, across: byCause},
	{ID: "body", Meaning: "the body is well formed and conforms to its schema; it is empty if there must be none", Source: "OpenAPI 3.1 section 4.8.14",
		Certainty: `"The schema defining the content of the request, response, or parameter"; JSON "MUST strictly conform to the JSON grammar" (RFC 8259 section 10); a warning for duplicate names and lines of CSV, which only SHOULD be otherwise, and for formats that the version does not define or whose usual parsers read the value`,
		Rank:      RankAnswer, Relation: Consequence, verify: bodyValid, across: byShape},
	{ID: "body-documented", Meaning: "an answer without a documented body has none", Source: "OpenAPI 3.1 section 4.8.17",
		Certainty: "none: an answer may have a body that is not documented",
		Strict:    true, Rank: RankAnswer, Relation: Consequence, verify: bodyDocumented},
	{ID: "write-only", Meaning: "no answer shows writeOnly properties", Source: "JSON Schema Validation section 9.4",
		Certainty: `"The value is never present when the instance is retrieved from the owning authority"; a warning for a masked one`,
		Rank:      RankAnswer, Relation: Consequence, verify: writeOnlyHidden},
	{ID: "headers", Meaning: "declared header fields are present and conform to their schemas", Source: "OpenAPI 3.1 section 4.8.21",
		Certainty: `"Determines whether this parameter is mandatory", and its schema; a 401 MUST have WWW-Authenticate and a 405 Allow`,
		Rank:      RankAnswer, Relation: Consequence, verify: headersValid, across: byCause},
	{ID: "challenge", Meaning: "a 401 has WWW-Authenticate", Source: "RFC 9110 section 11.6.1",
		Certainty: `"A server generating a 401 (Unauthorized) response MUST send a WWW-Authenticate header field"`,
		Strict:    true, Rank: RankAnswer, Relation: Consequence, verify: challengePresent, across: byCause},
	{ID: "valid-refused", Meaning: "a request that conforms to the document is accepted", Source: "OpenAPI 3.1 section 4.8.10",
		Certainty: "the value is one that the document itself names, and the same request with another value is accepted; a warning if a sentence about the value states a rule",
		Rank:      RankStatus, verify: validAccepted, across: byText},
	{ID: "invalid-accepted", Meaning: "a request that violates one constraint of the document is refused", Source: "OpenAPI 3.1 sections 4.8.12 and 4.8.13",
		Certainty: `"The schema defining the content of the request, response, or parameter": it defines no other; a warning for what readers may take in another way, as JSON in a wider syntax (RFC 8259 section 9) or of a type that its Content-Type does not have (RFC 9110 section 8.3), and for format, an annotation (JSON Schema Validation section 7.2.1)`,
		Rank:      RankCause, Relation: Cause, verify: invalidRefused, across: byLeniency},
	{ID: "credentials-ignored", Meaning: "a request without the right credentials is refused", Source: "OpenAPI 3.1 section 4.8.30",
		Certainty: `"All schemes MUST be satisfied for a request to be authorized"; a warning for a good credential in another form or place`,
		Rank:      RankCause, Relation: Cause, verify: badCredentialsRefused},
	{ID: "credentials-status", Severity: exchange.Warning, Meaning: "a request that lacks only the right credentials is refused with 401 or 403, where the document has one of them", Source: "RFC 9110 sections 15.5.2 and 15.5.4",
		Certainty: "none: no sentence forbids another 4xx",
		Rank:      RankStatus, verify: badCredentialsStatus, across: byStatus},
	{ID: "method", Meaning: "an undocumented method is answered with 405, and Allow lists the documented ones", Source: "RFC 9110 section 15.5.6",
		Certainty: `"The origin server MUST generate an Allow header field in a 405 response containing a list of the target resource's currently supported methods"; a warning for other answers than 405, which a server SHOULD send`,
		Rank:      RankStatus, verify: methodRefused, across: byMethod},
	{ID: "method-known", Meaning: "a method that the document has on another path is not answered with 501", Source: "RFC 9110 section 15.6.2",
		Certainty: "none: a server SHOULD answer 405",
		Strict:    true, Rank: RankAnswer, Relation: Consequence, verify: methodKnown},
	{ID: "in-time", Severity: exchange.Warning, Meaning: "the answer comes within the maximum response time", Source: "coldframe",
		Certainty: "none: Options.Limits.MaxResponseTime asks for it",
		Rank:      RankAnswer, verify: inTime, always: true},
	{ID: "request", Meaning: "recorded requests conform to the document", Source: "OpenAPI 3.1 section 4.8.10",
		Certainty: `"The request body applicable for this operation", and its parameters`,
		Rank:      RankCause, verify: requestValid, always: true},
	{ID: "request-parameters", Meaning: "recorded requests have no undocumented query parameters", Source: "OpenAPI 3.1 section 4.8.12",
		Certainty: "none: a client may send more",
		Strict:    true, Rank: RankAnswer, Relation: Consequence, verify: requestParametersDocumented, always: true},

	{ID: "created-shown", Meaning: "the answer to a creation shows what was sent", Source: "RFC 9110 section 9.3.3",
		Certainty: "the answer to a creation describes the resource created (RFC 9110 section 15.3.2), under the names of the request",
		Rank:      RankStateful, Relation: Consequence, Comparison: ByProperty},
	{ID: "created-readable", Meaning: "a created item can be read", Source: "RFC 9110 section 9.3.3",
		Certainty: `"One or more new resources being created" (RFC 9110 section 15.3.2), and GET "requests transfer of a current selected representation"`,
		Rank:      RankStateful, Relation: Consequence},
	{ID: "read-back", Meaning: "a read shows what was sent, and a second read the same", Source: "RFC 9110 section 9.3.1",
		Certainty: `GET "requests transfer of a current selected representation", and nobody changed the item`,
		Rank:      RankStateful, Relation: Consequence, Comparison: ByProperty},
	{ID: "location", Meaning: "Location leads to the created item", Source: "RFC 9110 section 10.2.2",
		Certainty: `"For 201 (Created) responses, the Location value refers to the primary resource created by the request"`,
		Rank:      RankStateful, Relation: Consequence},
	{ID: "listed", Meaning: "a created item is in the list", Source: "RFC 9110 section 9.3.1",
		Certainty: `GET "requests transfer of a current selected representation", of a collection that the item was created in`,
		Rank:      RankStateful, Relation: Consequence},
	{ID: "listed-readable", Meaning: "an item of a list can be read", Source: "RFC 9110 section 9.3.1",
		Certainty: `GET "requests transfer of a current selected representation", of what the list says exists`,
		Rank:      RankStateful, Relation: Consequence},
	{ID: "update-shown", Meaning: "the answer to a change shows what was sent", Source: "RFC 9110 section 9.3.4",
		Certainty: `the answer shows the state that PUT "be created or replaced with"`,
		Rank:      RankStateful, Relation: Consequence, Comparison: ByProperty},
	{ID: "identity", Meaning: "an answer shows the item that the path names", Source: "RFC 9110 section 9.3.1",
		Certainty: "the path names one item, which its representation contradicts",
		Rank:      RankStateful, Relation: Consequence},
	{ID: "updated", Meaning: "a read after a change shows it", Source: "RFC 9110 section 9.3.4",
		Certainty: `"A subsequent GET on that same target resource will result in an equivalent representation", nobody else changing it`,
		Rank:      RankStateful, Relation: Consequence, OfChange: true, Comparison: ByProperty},
	{ID: "replaced", Meaning: "a PUT replaces every property that clients may set", Source: "RFC 9110 section 9.3.4",
		Certainty: `PUT requests that the state be "replaced with the state defined by the representation enclosed in the request message content"`,
		Rank:      RankStateful, Relation: Consequence, OfChange: true, Comparison: ByProperty},
	{ID: "patched", Meaning: "a PATCH changes what it names and nothing else", Source: "RFC 7396 section 1",
		Certainty: `a merge patch adds, replaces and removes the members that it names`,
		Rank:      RankStateful, Relation: Consequence, OfChange: true, Comparison: ByProperty},
	{ID: "upsert", Meaning: "a PUT that creates its item answers 201 the first time, and creates it once", Source: "RFC 9110 section 9.3.4",
		Certainty: `"The origin server MUST inform the user agent by sending a 201 (Created) response"`,
		Rank:      RankStateful, Relation: Consequence},
	{ID: "json-patch", Meaning: "the steps of a JSON Patch are all applied, or none", Source: "RFC 6902 section 5",
		Certainty: `"Application of the entire patch document SHALL NOT be deemed successful" if a step is not; "MUST apply the entire set of changes atomically" (RFC 5789 section 2)`,
		Rank:      RankStateful, Relation: Consequence},
	{ID: "idempotent", Meaning: "the same PUT twice has the effect of one", Source: "RFC 9110 section 9.2.2",
		Certainty: `"The intended effect on the server of multiple identical requests with that method is the same as the effect for a single such request"`,
		Rank:      RankStateful, Relation: Consequence, OfChange: true, Comparison: ByTestProperty},
	{ID: "removed", Meaning: "a deleted item is missing from reads, lists and changes", Source: "RFC 9110 section 9.3.5",
		Certainty: `DELETE requests that the server "remove the association between the target resource and its current functionality"`,
		Rank:      RankStateful, Relation: Consequence, OfChange: true},
	{ID: "removed-twice", Severity: exchange.Warning, Meaning: "a second deletion is answered as for a missing item if that is documented", Source: "RFC 9110 section 15.5.5",
		Certainty: "none: a second DELETE may succeed, as the method is idempotent",
		Rank:      RankStateful, Relation: Consequence},
	{ID: "traces", Meaning: "a refused creation or change leaves nothing behind", Source: "RFC 9110 section 15.5, RFC 5789 section 2",
		Certainty: `"The server cannot or will not process the request" (RFC 9110 section 15.5.1)`,
		Rank:      RankStateful, Relation: Consequence, OfChange: true},
	{ID: "duplicate", Meaning: "creating an item twice is a conflict if that is documented", Source: "RFC 9110 section 15.5.10",
		Certainty: `the document has the 409, and a key that clients choose or a unique property; a warning for another item that shares only those properties`,
		Rank:      RankStateful, Relation: Consequence},
	{ID: "conflict", Meaning: "what the document refuses as a conflict is refused: actions in a state, deletions of what others refer to", Source: "RFC 9110 section 15.5.10",
		Certainty: `the document has the 409, which was never seen, and an error code for the state that the item shows; or no state is refused, though error codes name states; or the other item refers to a deleted one, which no creation may do; a warning if a 409 was seen, or no error code names a state`,
		Rank:      RankStateful, Relation: Consequence},
	{ID: "idempotency-key", Meaning: "the same request with the same idempotency key is executed once", Source: "draft-ietf-httpapi-idempotency-key-header section 2",
		Certainty: `two items for one key contradict what the field is for (section 1)`,
		Rank:      RankStateful, Relation: Consequence},
	{ID: "default", Meaning: "a property that was not sent has its documented default", Source: "JSON Schema Validation section 9.2",
		Certainty: `"what would be assumed by the consumer of the input as the value of the schema if one is not provided" (OpenAPI 3.0 section 4.7.24.1); a warning for a default that is not shown`,
		Rank:      RankStateful, Relation: Consequence, Comparison: ByProperty},
	{ID: "read-only", Meaning: "readOnly properties are not taken from clients", Source: "JSON Schema Validation section 9.4",
		Certainty: `"The value of the instance is managed exclusively by the owning authority"`,
		Rank:      RankStateful, Relation: Consequence, OfChange: true, Comparison: ByProperty},
	{ID: "condition", Meaning: "entity tags change with the item, and conditional requests are honoured", Source: "RFC 9110 section 13",
		Certainty: `a server "MUST NOT perform the requested method if the condition evaluates to false" (RFC 9110 section 13.1.1)`,
		Rank:      RankStateful, Relation: Consequence},
	{ID: "parents", Meaning: "items of two parents or tenants do not mix, and a missing parent is refused", Source: "OpenAPI 3.1 section 4.8.12",
		Certainty: "the path names the parent, which its representation contradicts; a required header field names the tenant, whose list lacks the item",
		Rank:      RankStateful, Relation: Consequence},
	{ID: "private", Meaning: "what is hidden from an identity in one view is hidden from it in the others", Source: "OWASP API1:2023",
		Certainty: `a read refuses the item, or the list lacks it, while the identity sees items of its own there; a warning for a list that shows less than a read, and for keys that nobody guesses`,
		Rank:      RankStateful, Relation: Consequence},
	{ID: "private-change", Meaning: "no identity changes or deletes an item that is hidden from it, or that it may not change by another operation", Source: "OWASP API1:2023",
		Certainty: `the creator's read shows the change, and a view hides the item, or another operation with the same effect is refused`,
		Rank:      RankStateful, Relation: Consequence, OfChange: true},
	{ID: "owner", Meaning: "clients do not choose the owner of an item if no request has it", Source: "OWASP API3:2023",
		Certainty: `the property is the same in all items of an identity, differs between identities, and is in no request of the document`,
		Rank:      RankStateful, Relation: Consequence, OfChange: true, Comparison: ByProperty},
	{ID: "missing", Meaning: "a missing item is not found if that is documented", Source: "RFC 9110 section 15.5.5",
		Certainty: `404: "did not find a current representation for the target resource", which the document has`,
		Rank:      RankStateful, Relation: Consequence},
	{ID: "reference", Meaning: "a reference to a missing item is refused if that is documented", Source: "OpenAPI 3.1 section 4.8.16",
		Certainty: `the document has a 404 for a path that names no item, or the operation refuses another unknown reference; a note for another status, which may be about something else`,
		Rank:      RankStateful, Relation: Consequence},
	{ID: "paging", Meaning: "pages keep their limit, show every item once, and report totals and links correctly", Source: "the document",
		Certainty: `two walks over the same pages contradict each other; a warning if a list that is read twice has two orders`,
		Rank:      RankStateful, Relation: Consequence},
	{ID: "filter", Meaning: "a filter returns exactly the items that match it", Source: "the document",
		Certainty: `the items that the list shows contradict the filter; a warning if exactly another comparison explains them`,
		Rank:      RankStateful, Relation: Consequence},
	{ID: "sort", Meaning: "a list has the order that is asked for, or that the document states", Source: "the document",
		Certainty: `the items that the list shows contradict the order that was asked for; a note for an order that only words promise`,
		Rank:      RankStateful, Relation: Consequence},
	{ID: "link", Severity: exchange.Warning, Meaning: "the document's links lead to existing resources", Source: "OpenAPI 3.1 section 4.8.20",
		Certainty: `none: "the presence of a link does not guarantee the caller's ability to successfully invoke it"`,
		Rank:      RankStateful, Relation: Consequence},
}
