package resource

import (
	"fmt"
	"strings"
)

// Rules gives all rules of the inference as Markdown: a table for each kind of
// decision, in the order in which the rules are tried.
func Rules() string {
	var b strings.Builder
	describe(&b, "path", "What is kept at a path: the first rule that holds decides.",
		pathRules, func(r *pathRule) *pathEvidence { return &r.pathEvidence })
	describeRules(&b, "singleton", "Whether a path keeps one thing without a key: the first rule that holds decides.",
		singletonRules)
	describeRules(&b, "merge", "Whether two paths with alike schemas are of one resource: the first rule that "+
		"holds decides.",
		mergeRules)
	describeRules(&b, "item", "Which property of a body holds the item: the best score above 0.5.", itemRules)
	describeRules(&b, "item, adjusted", "What is added to the score of an item.", itemDetails)
	describeRules(&b, "list", "Which property of a body holds the list: the weights add up; of the first four one counts.",
		listRules)
	describe(&b, "role", "What an operation does: the first rule that holds for its place decides.",
		roleRules, func(r *roleRule) *byPlace { return &r.rule })
	describeRules(&b, "item path", "What makes it surer that a path names an item.", support[onItem])
	describeRules(&b, "singleton path", "What makes it surer that a path names a singleton.", support[onSingleton])
	describeRules(&b, "no creation", "What a POST is that creates nothing.", creationVetoes)
	describeRules(&b, "creation", fmt.Sprintf("Whether a POST creates: the weights add up, from %g it does.",
		createFrom), creationRules)
	describeRules(&b, "key", "Which property a path's variable names: the best score.", keyRules)
	describeRules(&b, "key, doubted", "Factors of the score of a key.", keyDoubts)
	describeRules(&b, "unique", "Which properties no two items share, where a creation documents a 409.", uniqueRules)
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
