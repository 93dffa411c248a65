package resource

import (
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
)

// verbs begin the names of operations that do something other than keeping things.
var verbs = naming.LazySet(`
accept ack acknowledge activate add adjust aggregate analyze answer apply approve archive ask assign attach authenticate
authorise authorize autocomplete ban batch block book bulk buy calculate call cancel capture change charge check checkout clear clone close
commit compare complete compute confirm connect consent consume convert copy count create deactivate debug decline decode decrypt
delete demote deny deploy dequeue destroy detach detect diff disable disconnect discover dispatch download duplicate edit embed
enable encode encrypt enqueue enroll estimate evaluate exchange exec execute exists expire explain export extend extract fetch filter find
finish flush follow force forward freeze fulfill generate get graphql import initiate insert install introspect invalidate
invoke join jsonrpc kick kill launch leave like link list load lock login logoff logon logout lookup make manage mark match merge
migrate modify move mute notify open pause ping pin play poll populate post predict preview process promote propose provision publish
pull purge push put query rank rate react reactivate read reauthenticate rebuild receive recognize recommend record recover
redeem redo refresh refund regenerate register reindex reinstall reject reload remove rename render renew reopen reorder replace
replay reply report request rerun resend reserve reset resize resolve restart restore restrict resume retrieve retry revert revoke rollback
rotate rpc save scan schedule scroll seal search seek select send set share shuffle shutdown sign signin signout signup simulate skip
snooze sort split star start stop submit subscribe suggest summarize suspend swap switch sync synchronize synthesize tag terminate
test toggle token track train transcribe transfer transform translate trigger unarchive unassign unban unblock undelete undo unfollow
unfreeze uninstall unlike unlink unlock unmute unpin unpublish unregister unsubscribe unstar unsuspend unwatch update upgrade
upload upsert use validate verify void vote wait watch withdraw write`)

// nounVerbs are verbs that just as well name what is kept, so that the rest of the document must tell.
var nounVerbs = naming.LazySet(`
report record request batch token vote tag link star react rate reply schedule record share import export charge capture refund
transfer test deploy order book filter checkout play call match subscribe process exchange change diff embed watch block rank
launch split comment check list leave batch commit merge report run scan`)

// The first or last words of operations' names.
var (
	createVerbs = naming.LazySet(`create add new insert register post save make store place open start submit send upload issue book schedule import`)
	newVerbs    = naming.LazySet(`create add new insert register`) // of createVerbs, those that are verbs wherever they stand
	readVerbs   = naming.LazySet(`get list find search query fetch read retrieve lookup count check validate verify preview calculate estimate simulate
login authenticate introspect exists test ping export download scroll recommend discover evaluate batch compare render suggest
autocomplete describe show view aggregate explain`)
	changeVerbs = naming.LazySet(`update set edit modify change patch replace rename move overwrite delete remove cancel clear revoke reset
enable disable approve reject copy duplicate clone merge sync refresh rotate recover restore`)
	updateVerbs = naming.LazySet(`update updates edit modify change`)
	searchVerbs = naming.LazySet(`search query find filter`)
)

// singletonNames are names of what there is one of for each caller or parent.
var singletonNames = naming.LazySet(`me self profile settings setting config configuration preferences account currentuser company organization
organisation options viewer whoami policy configs`)

// Names of properties in bodies.
var (
	// wrapperNames hold what an answer is about.
	wrapperNames = naming.LazySet(`data item items result results record records entity entities resource resources object objects
payload response value values list rows entries entry content contents hits elements documents members collection embedded body output`)
	// metaNames say something of the answer, not of the item.
	metaNames = naming.LazySet(`status statuscode success ok message messages msg meta metadata links link errors error errormessage warnings code time took
usage requestid request service resource resourcename operation pagination paging page pageinfo jsonapi included self href kind apiversion
object type count total version timestamp datetimeutc providername etag url uri description detail raw info`)
	// troubleNames hold what went wrong, in objects of their own. They are what is kept where the resource is called so.
	troubleNames = naming.LazySet(`errors error warnings warning violations failures problems errordetails validationerrors`)
	// itemMetaNames are those of metaNames that items have as well, so that an
	// object with one of them says more than how a request went.
	itemMetaNames = naming.LazySet(`description url type version object kind name metadata`)
	// outcomeNames only say how a request went.
	outcomeNames = naming.LazySet(`status error errors success message code`)
	// identityNames show that an object is an item itself.
	identityNames = naming.LazySet(`id uuid sid guid createdat`)
	// keyListNames are arrays that name the items which a change is for.
	keyListNames = naming.LazySet(`ids keys uuids names`)
	// keyQueryNames are query parameters that name items.
	keyQueryNames = naming.LazySet(`ids id keys key uuids names`)
	// pageObjectNames are objects whose properties say something of the page.
	pageObjectNames = naming.LazySet(`meta metadata pagination paging page pages links pageinfo cursor cursors responsemetadata pageable paginginfo
paginationinfo pagingmetadata resultinfo info pagedata`)
)

// nameWords returns the words of an operation's id, without the method before the
// words of its path; nil if the document has no id.
func nameWords(o *operation) []string {
	if o.ID == o.Method+" "+o.Path {
		return nil
	}
	w := naming.Words(o.ID)
	if len(w) > 0 && len(w) > len(o.segments) && w[0] == strings.ToLower(o.Method) {
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
