package resource

import "github.com/coldframe/coldframe/internal/naming"

// verbs begin the names of operations that do something other than keeping
// things.
var verbs = naming.Set(`
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

// nouns are verbs that just as well name what is kept, so that the rest of the
// document must tell.
var nouns = naming.Set(`
report record request batch token vote tag link star react rate reply schedule record share import export charge capture refund
transfer test deploy order book filter checkout play call match subscribe process exchange change diff embed watch block rank
launch split comment check list batch commit merge report run scan`)

// makers begin the names of operations that create, askers those that only
// look something up.
var (
	makers = naming.Set(`create add new insert register post save make store place open start submit send upload issue book schedule import`)
	askers = naming.Set(`get list find search query fetch read retrieve lookup count check validate verify preview calculate estimate simulate
login authenticate introspect exists test ping export download scroll recommend discover evaluate batch compare render suggest
autocomplete describe show view aggregate explain`)
	changers = naming.Set(`update set edit modify change patch replace rename move overwrite delete remove cancel clear revoke reset
enable disable approve reject copy duplicate clone merge sync refresh rotate recover restore`)
)

// isVerb reports whether a path segment rather says what to do than what is
// kept: search, generatePciTemplates.
func isVerb(segment string) bool {
	w := naming.Words(segment)
	if len(w) == 0 || !verbs[w[0]] {
		return false
	}
	if len(w) == 1 {
		return true
	}
	return !nouns[w[0]]
}
