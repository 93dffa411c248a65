package checks

import "github.com/coldframe/coldframe/internal/exchange"

// Check is one row of the table.
type Check struct {
	ID       string
	Severity exchange.Severity
	Meaning  string // what must hold
	Source   string // the RFC or the section of the specification that requires it
	// Strict marks a check that no document requires. It runs only on request.
	Strict bool
	// Rank orders the findings of a report.
	Rank Rank
	// Relation says how findings relate to others of the same exchange.
	Relation Relation
	// Comparison says whether the check compares what was sent with what the backend shows.
	Comparison Comparison

	verify func(*input) []Violation // nil for a check of stateful tests
	always bool                     // also for answers that broke off or are a 5xx
}

// Stateful reports whether stateful tests, which compare several exchanges, run the check.
func (c *Check) Stateful() bool { return c.Rank == RankStateful }

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

// All gives the table, in the order in which checks are listed.
func All() []*Check { return table }

// Find gives a check and its row in the table; nil for an unknown id.
func Find(id string) (*Check, int) {
	for i, c := range table {
		if c.ID == id {
			return c, i
		}
	}
	return nil, -1
}

var table = []*Check{
	{ID: "server-error", Meaning: "no answer is a 5xx", Source: "RFC 9110 section 15.6", Rank: RankCause, verify: serverError, always: true},
	{ID: "answer", Meaning: "every request gets one whole HTTP answer", Source: "RFC 9112 section 6", Rank: RankCause, verify: wholeAnswer, always: true},
	{ID: "status-documented", Meaning: "the status is documented for the operation", Source: "OpenAPI 3.1 section 4.8.16", Rank: RankStatus, Relation: Consequence, verify: statusDocumented},
	{ID: "refusal-documented", Meaning: "a refusal for which the document has no status at all is documented", Source: "OpenAPI 3.1 section 4.8.16", Strict: true, Rank: RankStatus, verify: refusalDocumented},
	{ID: "redirect", Meaning: "no undocumented redirect leads to another origin", Source: "RFC 9110 section 15.4", Rank: RankStatus, verify: redirectToOtherOrigin},
	{ID: "media-type", Meaning: "the body has a Content-Type that is documented for the status", Source: "OpenAPI 3.1 section 4.8.17, RFC 9110 section 8.3", Rank: RankStatus, Relation: Consequence, verify: mediaTypeDocumented},
	{ID: "accept", Meaning: "the body has a type that the request accepts, where the document has one", Source: "RFC 9110 section 12.5.1", Rank: RankAnswer, Relation: Consequence, verify: mediaTypeAccepted},
	{ID: "encoding", Meaning: "the body is encoded as Content-Encoding says", Source: "RFC 9110 section 8.4", Rank: RankStatus, verify: encodingValid},
	{ID: "body", Meaning: "the body is well formed and conforms to its schema; it is empty where there must be none", Source: "OpenAPI 3.1 section 4.8.14", Rank: RankAnswer, Relation: Consequence, verify: bodyValid},
	{ID: "body-documented", Meaning: "an answer without a documented body has none", Source: "OpenAPI 3.1 section 4.8.17", Strict: true, Rank: RankAnswer, Relation: Consequence, verify: bodyDocumented},
	{ID: "write-only", Meaning: "no answer shows writeOnly properties", Source: "JSON Schema Validation section 9.4", Rank: RankAnswer, Relation: Consequence, verify: writeOnlyHidden},
	{ID: "headers", Meaning: "declared header fields are present and conform to their schemas", Source: "OpenAPI 3.1 section 4.8.21", Rank: RankAnswer, Relation: Consequence, verify: headersValid},
	{ID: "challenge", Meaning: "a 401 has WWW-Authenticate", Source: "RFC 9110 section 11.6.1", Strict: true, Rank: RankAnswer, Relation: Consequence, verify: challengePresent},
	{ID: "valid-refused", Meaning: "a request that conforms to the document is accepted", Source: "OpenAPI 3.1 section 4.8.10", Rank: RankStatus, verify: validAccepted},
	{ID: "invalid-accepted", Meaning: "a request that violates one constraint of the document is refused", Source: "OpenAPI 3.1 sections 4.8.12 and 4.8.13", Rank: RankCause, Relation: Cause, verify: invalidRefused},
	{ID: "credentials-ignored", Meaning: "a request without the right credentials is refused", Source: "OpenAPI 3.1 section 4.8.30", Rank: RankCause, Relation: Cause, verify: badCredentialsRefused},
	{ID: "credentials-status", Meaning: "a request that lacks only the right credentials is refused with 401 or 403, where the document has one of them", Source: "RFC 9110 sections 15.5.2 and 15.5.4", Rank: RankStatus, verify: badCredentialsStatus},
	{ID: "method", Meaning: "an undocumented method is answered with 405, and Allow lists the documented ones", Source: "RFC 9110 section 15.5.6", Rank: RankStatus, verify: methodRefused},
	{ID: "method-known", Meaning: "a method that the document has on another path is not answered with 501", Source: "RFC 9110 section 15.6.2", Strict: true, Rank: RankAnswer, Relation: Consequence, verify: methodKnown},
	{ID: "in-time", Severity: exchange.Warning, Meaning: "the answer comes within the maximum response time", Source: "coldframe", Rank: RankAnswer, verify: inTime, always: true},
	{ID: "request", Meaning: "recorded requests conform to the document", Source: "OpenAPI 3.1 section 4.8.10", Rank: RankCause, verify: requestValid, always: true},
	{ID: "request-parameters", Meaning: "recorded requests have no undocumented query parameters", Source: "OpenAPI 3.1 section 4.8.12", Strict: true, Rank: RankAnswer, Relation: Consequence, verify: requestParametersDocumented, always: true},

	{ID: "created-shown", Meaning: "the answer to a creation shows what was sent", Source: "RFC 9110 section 9.3.3", Rank: RankStateful, Relation: Consequence, Comparison: ByProperty},
	{ID: "created-readable", Meaning: "a created item can be read", Source: "RFC 9110 section 9.3.3", Rank: RankStateful, Relation: Consequence},
	{ID: "read-back", Meaning: "a read shows what was sent, and a second read the same", Source: "RFC 9110 section 9.3.1", Rank: RankStateful, Relation: Consequence, Comparison: ByProperty},
	{ID: "location", Meaning: "Location leads to the created item", Source: "RFC 9110 section 10.2.2", Rank: RankStateful, Relation: Consequence},
	{ID: "listed", Meaning: "a created item is in the list", Source: "RFC 9110 section 9.3.1", Rank: RankStateful, Relation: Consequence},
	{ID: "update-shown", Meaning: "the answer to a change shows what was sent", Source: "RFC 9110 section 9.3.4", Rank: RankStateful, Relation: Consequence, Comparison: ByProperty},
	{ID: "identity", Meaning: "an answer shows the item that the path names", Source: "RFC 9110 section 9.3.1", Rank: RankStateful, Relation: Consequence},
	{ID: "updated", Meaning: "a read after a change shows it", Source: "RFC 9110 section 9.3.4", Rank: RankStateful, Relation: Consequence, Comparison: ByProperty},
	{ID: "replaced", Meaning: "a PUT replaces every property that clients may set", Source: "RFC 9110 section 9.3.4", Rank: RankStateful, Relation: Consequence, Comparison: ByProperty},
	{ID: "patched", Meaning: "a PATCH changes what it names and nothing else", Source: "RFC 7396 section 1", Rank: RankStateful, Relation: Consequence, Comparison: ByProperty},
	{ID: "upsert", Meaning: "a PUT that creates its item answers 201 the first time, and creates it once", Source: "RFC 9110 section 9.3.4", Rank: RankStateful, Relation: Consequence},
	{ID: "json-patch", Meaning: "the steps of a JSON Patch are all applied, or none", Source: "RFC 6902 section 5", Rank: RankStateful, Relation: Consequence},
	{ID: "idempotent", Meaning: "the same PUT twice has the effect of one", Source: "RFC 9110 section 9.2.2", Rank: RankStateful, Relation: Consequence, Comparison: ByTestProperty},
	{ID: "removed", Meaning: "a deleted item is missing from reads, lists and changes", Source: "RFC 9110 section 9.3.5", Rank: RankStateful, Relation: Consequence},
	{ID: "removed-twice", Meaning: "a second deletion is answered as for a missing item, where that is documented", Source: "RFC 9110 section 15.5.5", Rank: RankStateful, Relation: Consequence},
	{ID: "traces", Meaning: "a refused creation leaves nothing behind", Source: "RFC 9110 section 15.5", Rank: RankStateful, Relation: Consequence},
	{ID: "duplicate", Meaning: "creating an item twice is a conflict, where that is documented", Source: "RFC 9110 section 15.5.10", Rank: RankStateful, Relation: Consequence},
	{ID: "idempotency-key", Meaning: "the same request with the same idempotency key is executed once", Source: "draft-ietf-httpapi-idempotency-key-header section 2", Rank: RankStateful, Relation: Consequence},
	{ID: "default", Meaning: "a property that was not sent has its documented default", Source: "JSON Schema Validation section 9.2", Rank: RankStateful, Relation: Consequence, Comparison: ByProperty},
	{ID: "read-only", Meaning: "readOnly properties are not taken from clients", Source: "JSON Schema Validation section 9.4", Rank: RankStateful, Relation: Consequence, Comparison: ByProperty},
	{ID: "condition", Meaning: "entity tags change with the item, and conditional requests are honoured", Source: "RFC 9110 section 13", Rank: RankStateful, Relation: Consequence},
	{ID: "parents", Meaning: "items of two parents do not mix, and a missing parent is refused", Source: "OpenAPI 3.1 section 4.8.12", Rank: RankStateful, Relation: Consequence},
	{ID: "missing", Meaning: "a missing item is not found, where that is documented", Source: "RFC 9110 section 15.5.5", Rank: RankStateful, Relation: Consequence},
	{ID: "reference", Meaning: "a reference to a missing item is refused, where that is documented", Source: "OpenAPI 3.1 section 4.8.16", Rank: RankStateful, Relation: Consequence},
	{ID: "paging", Meaning: "pages keep their limit, show every item once, and report totals and links correctly", Source: "the document", Rank: RankStateful, Relation: Consequence},
	{ID: "filter", Meaning: "a filter gives exactly the items that match it", Source: "the document", Rank: RankStateful, Relation: Consequence},
	{ID: "sort", Meaning: "a list has the requested order", Source: "the document", Rank: RankStateful, Relation: Consequence},
	{ID: "link", Meaning: "the document's links lead to existing resources", Source: "OpenAPI 3.1 section 4.8.20", Rank: RankStateful, Relation: Consequence},
}
