// Package cases makes the requests of a contract test from the contract alone: conforming ones, ones that
// break it in one place, ones without the right credentials. The contract's validator says what a case
// expects of a finished request, so no case reports a backend that conforms to the document.
package cases

import (
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Outcome is what a backend that conforms to its document does with a request.
type Outcome uint8

const (
	Anything     Outcome = iota // any documented answer
	Accepted                    // a success
	Refused                     // a 4xx
	Unauthorized                // a 401 or 403
	NotAllowed                  // a 405 with Allow
)

func (w Outcome) String() string {
	return [...]string{"anything", "accepted", "refused", "unauthorized", "not allowed"}[w]
}

// Case is one request to send.
type Case struct {
	Operation *spec.Operation
	Phase     string // its id in the table of phases
	// Title says for people what is special about the request: "body.age: below
	// its minimum". It is the same in every run.
	Title    string
	Expected Outcome
	// Request is what is sent, without credentials. Variables of its path that
	// still stand in braces are filled with the keys of items that exist.
	Request *exchange.Request
	// Path has a text, percent-encoded, for each of those variables, for when no item is known.
	Path map[string]string
	// Value is the request's body before it was written; nil if none. It must not be changed.
	Value any
	// Credentials are what the request carries.
	Credentials []Credential
	// As names the other identity whose credentials they are; "" for the run's own.
	As string
	// Violation is what the contract says against a Refused request, one constraint; nil for others.
	Violation *exchange.Finding
	// Varied says of an Accepted request what it changes of the plain one, as
	// Finding.Where writes it; "" for the plain one itself.
	Varied string
	// Uncertainty says why a backend may be right to refuse an Accepted request: it refers
	// to something that may not exist. "" if none.
	Uncertainty string
	// Basis says what names the value that an Accepted request varies; Control makes the same request without
	// that change, nil if none.
	Basis   Basis
	Control func() *Case
	// Other makes another request that varies the same in the same way, with other values elsewhere and, if the schema
	// leaves a choice, there; nil if there is none. unvaried is made in the same way and varies nothing. Each number
	// from 1 leads to others.
	Other func(n int) (other, unvaried *Case)
	// Lenient says that a backend may be right to accept a Refused request, as readers may take more than what is
	// asked of writers.
	Lenient bool
	// Undescribed says that the path is not the operation's, so the document does not say what its answer is.
	Undescribed bool
	// Literal are parameters whose values are sent unchanged.
	Literal []string

	// Random says that the request was made at random.
	Random bool

	exampled bool // see Builder.Adopt

	draft  *draft     // what a random case was written from, to make it smaller
	places []location // where it is odd
	made   again
}

// Credential is what a request carries for one security scheme.
type Credential struct {
	Scheme *spec.SecurityScheme
	Form   Form
	// Other is the scheme of which a Foreign credential is a good one.
	Other *spec.SecurityScheme
}

// Form says what is done with a credential.
type Form uint8

const (
	Given       Form = iota // as the user gave it
	Wrong                   // one of the right form that nobody was given
	Empty                   // its field without a value
	OtherScheme             // the credential under another scheme's name: Basic for Bearer
	Misplaced               // an API key in another part of the request
	NoPassword              // a user's name with an empty password
	Suffixed                // the given one with a letter after it
	OtherCase               // the given one with capitals for small letters and the other way round
	Bare                    // a token without the word Bearer
	Foreign                 // one that was given for another scheme
	Instead                 // none, and a good one of another scheme in that one's place
	Garbled                 // what cannot be read as a credential
	OtherWrong              // a wrong one under another scheme's name
)

func (h Form) String() string {
	return [...]string{"given", "wrong", "empty", "under another scheme", "in another place", "with an empty password",
		"with a letter more", "in another case", "without its scheme", "replaced by a credential of another scheme",
		"left out, and a credential of another scheme sent", "unreadable",
		"wrong, under another scheme"}[h]
}

// Derived reports whether the credential is made from a good one, so that it is
// only known to be bad if the good one was given.
func (h Form) Derived() bool {
	return slices.Contains([]Form{Wrong, NoPassword, Suffixed, OtherCase, Bare, Foreign, Instead, OtherWrong}, h)
}

// GivenFor returns the credentials of one alternative of an operation's security.
func GivenFor(alternative spec.Requirement) []Credential {
	all := make([]Credential, len(alternative))
	for i, need := range alternative {
		all[i] = Credential{Scheme: need.Scheme}
	}
	return all
}
