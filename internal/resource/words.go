package resource

import (
	"slices"
	"strings"
	"unicode"
)

// words splits a name at its humps and separators, in lower case: plantID →
// plant id, per_page → per page, page[size] → page size.
func words(name string) []string {
	var all []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			all = append(all, string(word))
			word = word[:0]
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0:
			after := i+1 < len(runes) && unicode.IsLower(runes[i+1]) && !(runes[i+1] == 's' && i+2 == len(runes))
			if unicode.IsLower(runes[i-1]) || unicode.IsUpper(runes[i-1]) && after {
				flush()
			}
		}
		word = append(word, unicode.ToLower(r))
	}
	flush()
	return all
}

// fold makes names comparable whatever their case and separators.
func fold(name string) string {
	plain := func(r rune) bool { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' }
	if strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) < 0 {
		return name
	}
	var b strings.Builder
	b.Grow(len(name))
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

var irregular = map[string]string{
	"people": "person", "children": "child", "men": "man", "women": "woman", "indices": "index", "vertices": "vertex",
	"matrices": "matrix", "criteria": "criterion", "media": "medium", "data": "datum", "mice": "mouse", "feet": "foot",
	"movies": "movie", "series": "series", "species": "species", "news": "news", "analyses": "analysis", "taxes": "tax",
}

// uncounted end like plurals and are none.
var uncounted = []string{"news", "series", "species", "analytics", "statistics", "stats", "metrics", "graphics", "https",
	"settings", "preferences", "details", "options", "credentials", "this", "always", "previous", "as", "has", "is", "alias", "canvas", "gas", "atlas", "bias", "ios", "dns", "sms", "aws", "gps", "tls", "sls"}

// singular gives the singular of a word, or the word.
func singular(word string) string {
	if s, ok := irregular[word]; ok {
		return s
	}
	switch {
	case len(word) < 4 && word != "ids", !strings.HasSuffix(word, "s"), strings.HasSuffix(word, "ss"), strings.HasSuffix(word, "us"), strings.HasSuffix(word, "is"), slices.Contains(uncounted, word):
		return word
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "xes"), strings.HasSuffix(word, "ches"), strings.HasSuffix(word, "shes"), strings.HasSuffix(word, "uses") && !strings.HasSuffix(word, "auses"), strings.HasSuffix(word, "iases"):
		return word[:len(word)-2]
	}
	return word[:len(word)-1]
}

// plural reports whether a name says more than one thing.
func plural(name string) bool {
	w := words(name)
	if len(w) == 0 {
		return false
	}
	last := w[len(w)-1]
	return singular(last) != last && !slices.Contains(uncounted, last)
}

// singularName folds a name with its last word in the singular: ChannelSenders
// → channelsender.
func singularName(name string) string {
	w := words(name)
	if len(w) == 0 {
		return ""
	}
	w[len(w)-1] = singular(w[len(w)-1])
	return strings.Join(w, "")
}

// verbs begin the names of operations that do something other than keeping
// things.
var verbs = wordSet(`
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
var nouns = wordSet(`
report record request batch token vote tag link star react rate reply schedule record share import export charge capture refund
transfer test deploy order book filter checkout play call match subscribe process exchange change diff embed watch block rank
launch split comment check list batch commit merge report run scan`)

// makers begin the names of operations that create, askers those that only
// look something up.
var (
	makers = wordSet(`create add new insert register post save make store place open start submit send upload issue book schedule import`)
	askers = wordSet(`get list find search query fetch read retrieve lookup count check validate verify preview calculate estimate simulate
login authenticate introspect exists test ping export download scroll recommend discover evaluate batch compare render suggest
autocomplete describe show view aggregate explain`)
	changers = wordSet(`update set edit modify change patch replace rename move overwrite delete remove cancel clear revoke reset
enable disable approve reject copy duplicate clone merge sync refresh rotate recover restore`)
)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

// isVerb reports whether a path segment rather says what to do than what is
// kept: search, generatePciTemplates.
func isVerb(segment string) bool {
	w := words(segment)
	if len(w) == 0 || !verbs[w[0]] {
		return false
	}
	if len(w) == 1 {
		return true
	}
	return !nouns[w[0]]
}
