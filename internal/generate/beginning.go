package generate

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
)

var (
	// counters of something new are 0, besides what ends in "count".
	counters = naming.LazySet(`stars stargazers forks views likes dislikes downloads followers following watchers subscribers votes upvotes
		downvotes plays replies shares reposts retweets favorites favourites clicks opens visits reactions openissues comments
		attempts retries installs reviews impressions mentions timesused usagecount`)
	// newFlags of something new are false, besides those of states.
	newFlags = naming.LazySet(stateFlags + ` closed isclosed completed iscompleted complete iscomplete done isdone finished isfinished
		merged ismerged resolved isresolved read isread seen isseen starred isstarred pinned ispinned archived`)
	// pastFlags end the names of flags of what has not happened to something new.
	pastFlags = naming.LazySet("sent delivered paid verified confirmed approved processed achieved acknowledged scanned used refunded synced accepted")
	// profiles are what only people say of themselves and their things.
	profiles = naming.LazySet("bio biography about tagline homepage website blog twitterusername hireable")
	// ends of something new have not come.
	ends = func() map[string]bool {
		names := map[string]bool{}
		for _, e := range endings {
			for _, name := range expandNames(e.names) {
				names[name] = true
			}
		}
		return names
	}()
	// begun are the names of times that something new has.
	begun = func() map[string]bool {
		names := map[string]bool{}
		for _, name := range expandNames(createdNames + " " + updatedNames) {
			names[name] = true
		}
		return names
	}()
	// beginnings are states in which something new is.
	beginnings = naming.LazySet("open opened pending new draft active queued created todo backlog unread waiting scheduled submitted " +
		"requested received initial initiated notstarted unpaid unfulfilled enabled placed processing")
	isStateName = naming.LazySet(stateWords)
)

// Beginning returns what a property of something new is where nobody says it: a counter is 0, a flag of its end is off,
// a state is the first that means a beginning. It is nil if nothing is to be said; absent says that there is no such
// thing yet, as the time of its end.
func Beginning(name string, property *schema.Keywords) (value any, absent bool) {
	words := naming.Words(name)
	joined := strings.Join(words, "")
	var candidate any
	switch last := ""; {
	case len(words) == 0:
		return nil, false
	case ends[joined], profiles.Has(joined):
		return nil, true
	case newFlags.Has(joined), pastFlags.Has(words[len(words)-1]):
		candidate = false
	case isStateName.Has(joined):
		for _, v := range schema.Values(property) {
			if state, _ := v.(string); beginnings.Has(strings.ToLower(strings.Join(naming.Words(state), ""))) {
				return v, false
			}
		}
	default:
		last = words[len(words)-1]
		isBound := slices.Contains(words, "max") || slices.Contains(words, "min") || slices.Contains(words, "limit")
		if counters.Has(joined) || (last == "count" || last == "counts") && len(words) > 1 && !isBound {
			candidate = json.Number("0")
		}
	}
	if candidate == nil || !schema.Conforms(property, candidate) {
		return nil, false
	}
	return candidate, false
}

// Counters returns those of some properties that count the elements of another, a list, with that: comments_count.
func Counters(properties map[string]*schema.Keywords) map[string]string {
	names := sorted(properties)
	words, places := make([][]string, len(names)), map[string]int{}
	for i, name := range names {
		if words[i] = fields.Words(name); schema.CertainTypes(properties[name])&schema.Array != 0 {
			places[relatedName(words[i])] = i
		}
	}
	counters := map[string]string{}
	for i, name := range names {
		if list, ok := countedList(words[i], places); ok {
			counters[name] = names[list]
		}
	}
	return counters
}

// Begun returns those of names that are of times at which something is created and changed, in order: something new has
// them.
func Begun(names iter.Seq[string]) []string {
	var times []string
	for name := range names {
		joined := strings.Join(naming.Words(name), "")
		if begun[joined] || begun[strings.TrimPrefix(joined, "last")] {
			times = append(times, name)
		}
	}
	slices.Sort(times)
	return times
}

// Renew returns those of an object's times, by their names, that were not sent: as it writes them but with the time of
// now.
func Renew(object, sent map[string]any, names []string, now time.Time) map[string]any {
	times := map[string]any{}
	for _, name := range names {
		if _, isSent := sent[name]; isSent {
			continue
		}
		if _, write, ok := ReadTime(object[name]); ok {
			times[name] = write(now)
		}
	}
	return times
}

// Agree returns the members of an object, some of which were sent or are known, with the others in agreement with
// those.
func (g *Generator) Agree(key Key, members, sent map[string]any) map[string]any {
	return g.agree(key, members, sent, false)
}

// Sums is Agree for nothing but amounts that follow from others: totals of lines, quantity × price.
func (g *Generator) Sums(key Key, members, sent map[string]any) map[string]any {
	return g.agree(key, members, sent, true)
}

func (g *Generator) agree(key Key, members, sent map[string]any, onlySums bool) map[string]any {
	if onlySums && !g.HasSums() {
		return members
	}
	r := runs.Get().(*run)
	defer r.release()
	r.begin(g, 0, nil)
	r.steps = maxSteps
	m := g.see(g.root)
	for m.choice != nil {
		i := m.choice.named(members)
		if i < 0 {
			i = r.branch(m.choice.branches, members)
		}
		if i < 0 {
			return members
		}
		m = g.see(m.choice.branches[i])
	}
	if m.shape.Types&schema.Object == 0 || m.shape.Listed {
		return members
	}
	changed := maps.Clone(members)
	r.relate(m.shape, changed, place{key: key, object: key, given: true}, sent, onlySums)
	return changed
}

// HasSums reports whether Sums may change anything. The total of a page is none: pages that are written item by item,
// as these then are, take a third of the time (items-1000-new-page of internal/testbench/bench).
func (g *Generator) HasSums() bool {
	if !g.isObject() {
		return false
	}
	p := &g.see(g.root).shape.object
	return slices.ContainsFunc(p.related, func(r related) bool {
		row := &relations[r.row]
		isOfPage := row.paged && r.parts[3] < 0 && strings.EqualFold(p.named[r.parts[0]].name, "total")
		return row.sums && !isOfPage
	})
}

// isObject reports whether all values that are objects are of one shape.
func (g *Generator) isObject() bool {
	m := g.see(g.root)
	return m.choice == nil && m.shape.Types&schema.Object != 0 && !m.shape.Listed
}
