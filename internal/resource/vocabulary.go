package resource

import (
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/words"
)

// verbs begin the names of operations that do something other than keeping things.
var verbs = words.RoleOf("verb")

// nounVerbs are verbs that may also name what is kept, so that the rest of the document must decide.
var nounVerbs = words.RoleOf("noun-verb")

// The first or last words of operations' names.
var (
	createVerbs = words.RoleOf("create-verb")
	newVerbs    = words.RoleOf("new-verb") // of createVerbs, those that are verbs wherever they stand
	readVerbs   = words.RoleOf("read-verb")
	changeVerbs = words.RoleOf("change-verb")
	updateVerbs = words.RoleOf("update-verb")
	searchVerbs = words.RoleOf("search-verb")
)

// singletonNames are names of what there is one of for each caller or parent.
var singletonNames = words.RoleOf("singleton-name")

// Names of properties in bodies.
var (
	// wrapperNames hold the content of an answer.
	wrapperNames = words.RoleOf("wrapper-name")
	// metaNames say something of the answer, not of the item.
	metaNames = words.RoleOf("meta-name")
	// troubleNames hold what went wrong, in objects of their own. They are what is kept if the resource is called so.
	troubleNames = words.RoleOf("trouble-name")
	// itemMetaNames are the metaNames that items have as well, so that an
	// object with one of them says more than how a request went.
	itemMetaNames = words.RoleOf("item-meta-name")
	// outcomeNames only say how a request went.
	outcomeNames = words.RoleOf("outcome-name")
	// identityNames show that an object is an item itself.
	identityNames = words.RoleOf("identity-name")
	// keyListNames are arrays that name the items which a change is for.
	keyListNames = words.RoleOf("key-list-name")
	// keyQueryNames are query parameters that name items.
	keyQueryNames = words.RoleOf("key-query-name")
	// pageObjectNames are objects whose properties say something of the page.
	pageObjectNames = words.RoleOf("page-object-name")
)

// nameWords returns the words of an operation's id, without the method before the
// words of its path; nil if the document has no id.
func nameWords(o *operation) []string {
	method := o.Operation.Method
	if o.ID == method+" "+o.Path {
		return nil
	}
	w := naming.Words(o.ID)
	if len(w) > 0 && len(w) > len(o.segments) && w[0] == strings.ToLower(method) {
		return w[1:]
	}
	return w
}

// isVerb reports whether a path segment rather says what to do than what is
// kept: search, generatePciTemplates.
func isVerb(segment string) bool {
	w := naming.Words(segment)
	return len(w) > 0 && verbs.Has(w[0]) && (len(w) == 1 || !nounVerbs.Has(w[0]))
}
