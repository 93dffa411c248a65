package resource

// Evidence is a rule that had a part in a decision.
type Evidence struct {
	Decision string  // what is decided: path, items, role, creation, key, parent, list, merge
	Rule     string  // the row's name
	Weight   float64 // what the row adds, or the score of the row that decides alone
	Saw      string  // where the rule holds
}

// rule is a row of a table of evidence about F.
type rule[F any] struct {
	name    string
	weight  float64
	source  string // the sentence or convention that the rule comes from
	example string
	sees    func(F) string // where the rule holds; "" where it does not
	// group joins rows of which only the first that holds counts.
	group string
	// more adds to the weight what depends on the facts; nil for nothing.
	more func(F) float64
}

type rules[F any] []rule[F]

func (r *rule[F]) weigh(facts F) float64 {
	if r.more == nil {
		return r.weight
	}
	return r.weight + r.more(facts)
}

// first gives the first row that holds, with what it saw; nil where none does.
func (t rules[F]) first(facts F) (*rule[F], string) {
	for i := range t {
		if saw := t[i].sees(facts); saw != "" {
			return &t[i], saw
		}
	}
	return nil, ""
}

// sum adds the weights of all rows that hold to a score, and records the rows
// where a record is kept.
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

// when gives what a rule saw where a condition holds.
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
