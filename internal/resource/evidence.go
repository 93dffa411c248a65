package resource

import (
	"fmt"
	"strings"
)

// Evidence is a rule that had a part in a decision.
type Evidence struct {
	Decision string  // what is decided: path, items, role, creation, key, parent, list, merge
	Rule     string  // the row's name
	Weight   float64 // what the row adds, or the score of the row that decides alone
	Saw      string  // where the rule holds
}

type rule[F any] struct {
	name    string
	weight  float64
	source  string // the sentence or convention that the rule comes from
	example string
	sees    func(F) string // where the rule holds; "" if it does not
	// group joins rows of which only the first that holds counts.
	group string
	// more adds to the weight what depends on the facts; nil for nothing.
	more func(F) float64
	then func(F) // what follows from the row; nil for nothing
}

type rules[F any] []rule[F]

func (r *rule[F]) weigh(facts F) float64 {
	if r.more == nil {
		return r.weight
	}
	return r.weight + r.more(facts)
}

// first returns the first row that holds, with what it saw; nil if none does.
func (t rules[F]) first(facts F) (*rule[F], string) {
	for i := range t {
		if saw := t[i].sees(facts); saw != "" {
			return &t[i], saw
		}
	}
	return nil, ""
}

// sum adds the weights of all rows that hold for a score, and records the rows if a record is kept.
func (t rules[F]) sum(decision string, facts F, score float64, record *[]Evidence) float64 {
	group := ""
	for i := range t {
		r := &t[i]
		if r.group != "" && r.group == group {
			continue
		}
		saw := r.sees(facts)
		if saw == "" {
			continue
		}
		group = r.group
		weight := r.weigh(facts)
		score += weight
		if record != nil {
			*record = append(*record, Evidence{decision, r.name, weight, saw})
		}
	}
	return score
}

func when(holds bool, saw string) string {
	if holds {
		return saw
	}
	return ""
}

// Sources that several rules have.
const (
	byPath    = "REST convention: /collection and /collection/{key}"
	byMethod  = "RFC 9110 section 9.3, methods"
	byStatus  = "RFC 9110 section 15.3, successful statuses"
	byName    = "names of operations and properties"
	bySchema  = "comparison of the schemas"
	byWrapper = "wrappers such as {data: …}, JSON:API, HAL"
)

// Rules returns all rules of the inference as Markdown: a table for each kind of
// decision, in the order in which the rules are tried.
func Rules() string {
	var b strings.Builder
	describeRules(&b, "path", "What is kept at a path: the first rule that holds decides.", pathRules)
	describeRules(&b, "singleton", "Whether a path keeps one thing without a key: the first rule that holds decides.",
		singletonRules)
	describeRules(&b, "merge", "Whether two paths with similar schemas belong to one resource: the first rule that holds "+
		"decides.", mergeRules)
	describeRules(&b, "item", "Which property of a body holds the item: the best score above 0.5.", itemRules)
	describeRules(&b, "item, adjusted", "What is added to the score of an item.", itemDetails)
	describeRules(&b, "list", "Which property of a body holds the list: the weights add up; only one of the first four "+
		"counts.", listRules)
	describe(&b, "role", "What an operation does: the first rule that holds for its place decides.",
		roleRules, func(r *roleRule) *byPlace { return &r.rule })
	describeRules(&b, "item path", "What adds to the certainty that a path names an item.", support[onItem])
	describeRules(&b, "singleton path", "What adds to the certainty that a path names a singleton.", support[onSingleton])
	describeRules(&b, "no creation", "Why a POST creates nothing.", creationVetoes)
	describeRules(&b, "creation", fmt.Sprintf("Whether a POST creates: it does if the weights add up to %g or more.",
		createFrom), creationRules)
	describeRules(&b, "key", "Which property a path's variable names: the best score.", keyRules)
	describeRules(&b, "key, doubted", "Factors that the score of a key is multiplied by.", keyDoubts)
	describe(&b, "login", "What an operation does with the access of users: the first rule that holds decides.",
		loginRules, func(r *loginRule) *byLogin { return &r.rule })
	describeRules(&b, "unique", "Which properties are unique if a creation documents a 409.", uniqueRules)
	return b.String()
}

func describeRules[F any](b *strings.Builder, decision, text string, table rules[F]) {
	describe(b, decision, text, table, func(r *rule[F]) *rule[F] { return r })
}

func describe[R, F any](b *strings.Builder, decision, text string, table []R, of func(*R) *rule[F]) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n| rule | weight | example | source |\n|---|---|---|---|\n", decision, text)
	for i := range table {
		r := of(&table[i])
		weight := fmt.Sprint(r.weight)
		if r.more != nil {
			weight = "varies"
		}
		fmt.Fprintf(b, "| %s | %s | `%s` | %s |\n", r.name, weight, r.example, r.source)
	}
}
