package generate

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
)

// ending is something that happens to a thing late or never, and the states in which it has happened.
type ending struct {
	names  string // of its time and of what tells more of it, as in relation
	states string // "" are all that overStates has
	flags  string // properties that are true once it has happened
	rare   bool   // where nothing is said of it, it has not happened
}

const (
	stateWords = "status state phase lifecyclestate currentstatus currentstate runstatus jobstatus"
	stateNames = "?" + stateWords
	// overStates are states in which a thing has come to its end.
	overStates = `closed completed complete done failed failure cancelled canceled archived deleted resolved merged expired
		finished succeeded success successful error errored rejected refunded stopped inactive delivered ended terminated
		aborted voided void revoked declined settled fulfilled returned won lost dismissed fixed solved skipped passed
		resuelta resuelto cerrada cerrado pagada pagado anulada anulado finalizada completada entregada bezahlt abgeschlossen geschlossen
		storniert erledigt beendet geliefert payee payée terminee terminée livree livrée annulee annulée`
)

var endings = []ending{
	{names: "closed@ closedby closereason closedreason closingreason statereason", flags: "closed isclosed"},
	{names: "merged@ mergedby mergecommitsha", states: "merged closed", flags: "merged ismerged"},
	{names: "completed@ finished@ ended@ resolved@ solved@ fulfilled@ delivered@ completedby resolvedby finishedby",
		flags: "completed iscompleted complete iscomplete finished isfinished done isdone resolved isresolved"},
	{names: "cancelled@ canceled@ voided@ cancelledby canceledby cancellationreason cancelreason canceledreason cancelledreason",
		states: "cancelled canceled voided void aborted", flags: "cancelled canceled iscancelled iscanceled", rare: true},
	{names: "deleted@ deletion@ removed@ trashed@ purged@ discarded@ deletedby deletionreason trashedby", rare: true,
		states: "deleted removed trashed purged discarded", flags: "deleted isdeleted trashed istrashed removed isremoved"},
	{names: "shipped@ dispatched@ shippedby", flags: "shipped isshipped dispatched",
		states: "shipped dispatched intransit delivered completed complete fulfilled returned refunded"},
	{names: "archived@ archivedby", states: "archived", flags: "archived isarchived", rare: true},
	{names: "banned@ banneduntil bannedby banreason suspended@ suspendeduntil suspendedby suspensionreason blocked@ blockedby " +
		"locked@ lockeduntil lockedby activelockreason lockreason disabled@ disabledby disabledreason deactivated@ frozen@ disableduntil blockeduntil",
		states: "banned suspended blocked locked disabled deactivated inactive frozen",
		flags:  "banned isbanned suspended issuspended blocked isblocked locked islocked disabled isdisabled", rare: true},
	{names: "revoked@ revokedby revocationreason", states: "revoked", flags: "revoked isrevoked", rare: true},
	{names: "rejected@ rejectedby rejectionreason rejectreason declined@ declinereason declinedby denied@ declinedredirecturl",
		states: "rejected declined denied", flags: "rejected declined", rare: true},
	{names: "terminated@ terminationdate terminationreason leavingdate exitdate exitreason lastworkingday", rare: true,
		states: "terminated left resigned retired inactive", flags: "terminated isterminated"},
	{names: "actualarrival actualarrivaltime actualend actualendtime actualend@", states: overStates + " landed arrived"},
	{names: "actualdeparture actualdeparturetime actualstart actualstart@", states: overStates + " landed arrived departed inair enroute active inprogress started running"},
	{names: "scanned@ used@ redeemed@", states: "used scanned redeemed checkedin completed expired", flags: "used isused redeemed scanned"},
	{names: "achieved@", flags: "achieved isachieved"},
	{names: "acknowledged@ acknowledgedby", states: "acknowledged resolved closed", flags: "acknowledged isacknowledged"},
	{names: "refunded@ refundreason refundamount refundedamount", states: "refunded", flags: "refunded isrefunded", rare: true},
	{names: "failed@ failure failures failurereason failuremessage failurecode failuredetails faileddate error errors " +
		"errormessage errormessages errorcode errordetails errordescription errorreason errortext lasterror lasterrormessage " +
		"warnings validationerrors errormsg errormsgs errmsg err errcode errno errorno errornumber errorcodes errorid",
		states: "failed failure failing error errored", flags: "failed isfailed haserror haserrors iserror", rare: true},
}

// stateFlags are flags that are true in the state of the same name only.
const stateFlags = `archived isarchived deleted isdeleted trashed istrashed disabled isdisabled suspended issuspended locked islocked
	blocked isblocked banned isbanned revoked isrevoked expired isexpired failed isfailed cancelled canceled iscancelled
	iscanceled deprecated isdeprecated haserror haserrors iserror`

// stateRelations keep flags and what tells of an end in agreement with the state.
var stateRelations = func() []relation {
	rows := []relation{
		{parts: []string{stateFlags, stateNames}, apply: clearFlag, answer: true},
		{parts: []string{"closed isclosed completed iscompleted complete iscomplete finished isfinished done isdone merged ismerged " +
			"resolved isresolved", stateNames}, apply: agreeWithState, answer: true},
	}
	for _, e := range endings {
		states := naming.Set(e.states)
		if e.states == "" {
			states = naming.Set(overStates)
		}
		names := append([]string{e.names, stateNames}, flagParts(e.flags)...)
		rows = append(rows, relation{parts: names, answer: true, apply: func(m *members) { m.end(states, e.rare) }})
	}
	rows = append(rows, relation{parts: []string{"published@ publisheddate releasedat", "draft isdraft"}, answer: true, apply: func(m *members) {
		if on, _ := m.value(1).(bool); on {
			m.clear(0)
		}
	}}, relation{parts: []string{"endtime enddatetime end@ finish@ stop@ stoptime finishtime completiontime", stateNames}, answer: true, apply: func(m *members) {
		if about := m.sh.object.about; unended.Has(m.state(1)) && about.IsBrief() && !about.TakesPlace() {
			m.clear(0)
		}
	}}, relation{parts: []string{"private isprivate public ispublic", "visibility privacy access"}, answer: true, apply: func(m *members) {
		if seen := m.state(1); seen == "private" || seen == "public" {
			m.set(0, strings.HasSuffix(strings.ToLower(m.plan(0).name), seen))
		}
	}}, relation{parts: []string{"overdue isoverdue late islate", "returned@ paid@ completed@"}, answer: true, apply: func(m *members) {
		if m.value(1) != nil {
			m.set(0, false)
		}
	}}, relation{parts: []string{"blockreason blockedreason banreason suspensionreason holdreason injurydescription injurytype", "injured isinjured blocked isblocked banned isbanned suspended issuspended onhold"},
		answer: true, apply: func(m *members) {
			if on, isFlag := m.value(1).(bool); isFlag && !on {
				m.clear(0)
			}
		}})
	return append(rows, relation{reached: true, answer: true, apply: clearUnreached})
}()

// undone are states in which a thing does not go on as the states listed before them say.
var undone = naming.LazySet(`cancelled canceled rejected declined denied failed withdrawn expired void voided noshow aborted lapsed draft exception fault
	error skipped revoked`)

// unended are states of work that goes on.
var unended = naming.LazySet("running inprogress queued pending started starting processing waiting created scheduled new")

// stateOf returns the place of the state of an object by the places of its names, false if no states are listed.
func (p *objectPlan) stateOf(places map[string]int) (int, bool) {
	for _, name := range []string{"status", "state", "phase"} {
		if place, ok := places[name]; ok {
			return place, len(p.named[place].states()) > 0
		}
	}
	return 0, false
}

// states returns the values that are listed for a property.
func (e *propertyPlan) states() []any {
	for _, c := range e.node.constraints {
		if c.op == conforms {
			if listed := schema.Values(c.schema); len(listed) > 0 {
				return listed
			}
		}
	}
	return nil
}

// aboutStates end the names of what is so in a state only.
var aboutStates = naming.LazySet("at on by date time price amount reason cents")

// tellsOfState reports whether a name's words are those of a thing that is so in a state only: sold_at, soldPrice.
func tellsOfState(words []string) bool {
	return len(words) > 1 && aboutStates.Has(words[len(words)-1])
}

// clearUnreached clears what tells of a state that the thing has not reached. States are listed in their order.
func clearUnreached(m *members) {
	states := m.plan(1).states()
	words := m.plan(0).words
	told, now := -1, -1
	for i, v := range states {
		state, _ := v.(string)
		own := fields.Words(state)
		if len(own) > 0 && len(own) < len(words) && slices.Equal(own, words[:len(own)]) {
			told = i
		}
		if state != "" && state == m.text(1) {
			now = i
		}
	}
	if told >= 0 && now >= 0 && (now < told || now > told && undone.Has(strings.Join(fields.Words(m.text(1)), ""))) {
		m.clear(0)
	}
}

// flagParts makes a part of each flag.
func flagParts(flags string) []string {
	parts := strings.Fields(flags)
	for i := range parts {
		parts[i] = "?" + parts[i]
	}
	return parts
}

// state returns the state of the object in lower case, "" if nothing says it.
func (m *members) state(part int) string {
	return strings.ReplaceAll(strings.ToLower(m.text(part)), "_", "")
}

func clearFlag(m *members) {
	if on, _ := m.value(0).(bool); !on {
		return
	}
	flag := strings.Join(naming.Words(m.plan(0).name), "")
	if state := m.state(1); state == "" || !strings.Contains(flag, state) {
		m.set(0, false)
	}
}

func agreeWithState(m *members) {
	if on, isFlag := m.value(0).(bool); !isFlag || !on || m.state(1) == "" {
		return
	}
	if !slices.Contains(strings.Fields(overStates), m.state(1)) {
		m.set(0, false)
	}
}

// end clears what tells of an end that has not come: by the state, else by a flag, else where ends are rare.
func (m *members) end(states map[string]bool, rare bool) {
	if m.r.g.options.Errors {
		return // an answer that refuses tells of errors
	}
	happened, said := false, false
	if state := m.state(1); state != "" {
		happened, said = states[state], true
	}
	for part := 2; part < len(m.parts); part++ {
		if on, isFlag := m.value(part).(bool); isFlag {
			happened, said = happened || on, true
		}
	}
	if !happened && (said || rare) && (isNoFailure(m.state(1)) || !m.isErrorItself()) {
		m.clear(0)
	}
}

// isNoFailure reports whether a state is that of something without an error.
func isNoFailure(state string) bool { return beginnings.Has(state) || wentWell.Has(state) }

var wentWell = naming.LazySet("ok success succeeded successful done completed complete active inactive")

// isErrorItself reports whether the object has hardly more than what describes an error.
func (m *members) isErrorItself() bool {
	const about = "error errors code message detail details type title status description reason errorcode errormessage " +
		"field path"
	if len(m.sh.object.named) > 4 {
		return false
	}
	words := strings.Fields(about)
	for i := range m.sh.object.named {
		if !slices.Contains(words, strings.Join(naming.Words(m.sh.object.named[i].name), "")) {
			return false
		}
	}
	return true
}
