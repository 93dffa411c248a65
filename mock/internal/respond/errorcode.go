package respond

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/words"
)

// term is what some words within an error code mean.
type term struct {
	statuses []int  // the first is meant more than the others
	problem  string // a problem that it says better than its statuses; "" for none
}

// longestTerm is how many words a term has at most: as many as the longest phrase of the HTTP Status Code Registry.
const longestTerm = 4

// terms are the phrases of the HTTP Status Code Registry (RFC 9110 section 16.2.1) and the rows of words.Problems, by
// their words in the singular without separators.
var terms = sync.OnceValue(func() map[string]term {
	all := map[string]term{}
	for status := 400; status < 600; status++ {
		if phrase := http.StatusText(status); phrase != "" {
			all[termKey(naming.Words(phrase))] = term{statuses: []int{status}}
		}
	}
	for row := range words.Problems.Rows() {
		t := term{problem: row[2]}
		for text := range strings.FieldsSeq(row[1]) {
			status, _ := strconv.Atoi(text)
			t.statuses = append(t.statuses, status)
		}
		all[termKey(strings.Fields(row[0]))] = t
	}
	return all
})

func termKey(words []string) string {
	var b strings.Builder
	for _, word := range words {
		b.WriteString(naming.Singular(word))
	}
	return b.String()
}

// problemNames are the problems of one status that words.Problems distinguishes.
var problemNames = [problems]string{
	WrongPassword: "wrong-password", UnparsableBody: "unparsable", BadParameter: "invalid", BadBody: "invalid",
}

// cause is what an error code should mean.
type cause struct {
	status   int
	problems []string       // names of problems and codes of findings
	nouns    map[string]int // words for what the problem is about, with their weights
}

// The weights of the words that name what a problem is about.
const (
	nounOfPath  = 1 // of a path's literal segment
	nounLast    = 2 // of the last one
	nounOfPlace = 4 // of the part of the request that a finding is about
)

// causeOf returns what the codes of an error body should mean.
func (e *errorBody) causeOf(why explanation) cause {
	c := cause{status: e.status, nouns: map[string]int{}}
	add := func(name string, weight int) {
		for _, word := range naming.Words(name) {
			word = naming.Singular(word)
			c.nouns[word] = max(c.nouns[word], weight)
		}
	}
	if why.problem != nil {
		c.problems = append(c.problems, problemNames[*why.problem])
	}
	for _, f := range why.findings {
		c.problems = append(c.problems, f.Code)
		for token := range exchange.Tokens(f.Pointer) {
			add(token, nounOfPlace)
		}
		if f.In != exchange.InPath {
			add(f.Name, nounOfPlace)
		}
	}
	if e.request == nil || e.request.Operation == nil {
		return c
	}
	segments, last := strings.Split(e.request.Operation.Path, "/"), ""
	for _, segment := range segments {
		if !strings.Contains(segment, "{") {
			if segment != "" {
				last = segment
			}
			add(segment, nounOfPath)
			continue
		}
		for _, f := range why.findings {
			if f.In == exchange.InPath && strings.Contains(segment, "{"+f.Name+"}") {
				add(last, nounOfPlace) // what the variable is the key of
			}
		}
	}
	add(last, nounLast)
	return c
}

// declaredCode returns the code that a correction of the inference has for the problem: for a finding before the
// status; "" for none.
func (e *errorBody) declaredCode(why explanation) string {
	if e.request == nil || e.request.Operation == nil || e.request.Operation.Codes == nil {
		return ""
	}
	codes := e.request.Operation.Codes
	for _, f := range why.findings {
		if code := codes[f.Code]; code != "" {
			return code
		}
	}
	return codes[strconv.Itoa(e.status)]
}

// fit returns how well a code means a cause: over 0 if it does, under 0 if it means another status, 0 if its words mean
// no status.
func (c *cause) fit(code string) int {
	const (
		meant  = 100 // by any term
		status = 12  // by a term of one status only
		better = 20  // the very problem
		other  = 5   // another term means another status
	)
	fits, terms, others, about, unknown := 0, 0, 0, 0, 0
	own := naming.Words(code)
	for i := 0; i < len(own); {
		t, length := longestTermOf(own[i:])
		if i += max(length, 1); length == 0 {
			if weight := c.nouns[naming.Singular(own[i-1])]; weight > 0 {
				about += weight
			} else {
				unknown++
			}
			continue
		}
		if !slices.Contains(t.statuses, c.status) {
			others++
			continue
		}
		terms++
		fits += status / len(t.statuses)
		switch {
		case slices.Contains(c.problems, t.problem) && t.problem != "":
			fits += better
		case t.problem != "":
			fits -= status / 4
		}
	}
	switch {
	case terms > 0:
		return meant + fits/terms + about - other*others - unknown
	case others > 0:
		return -1
	}
	return 0
}

// about returns how many words of a code are for what the cause is about, by their weights.
func (c *cause) about(code string) int {
	sum := 0
	for _, word := range naming.Words(code) {
		sum += c.nouns[naming.Singular(word)]
	}
	return sum
}

// longestTermOf returns the longest term at the beginning of some words, and its length; 0 for none.
func longestTermOf(own []string) (term, int) {
	for length := min(len(own), longestTerm); length > 0; length-- {
		if t, ok := terms()[termKey(own[:length])]; ok {
			return t, length
		}
	}
	return term{}, 0
}

// codesFor returns the values of an enum, best first: those that mean the cause, then those that mean no status, then
// the others. Among equals the document's order decides.
func (c *cause) codesFor(codes []string) []string {
	codes = slices.Clone(codes)
	slices.SortStableFunc(codes, func(a, b string) int {
		fit := c.fit(a)
		if order := cmp.Compare(c.fit(b), fit); order != 0 || fit != 0 {
			return order
		}
		return cmp.Compare(c.about(b), c.about(a))
	})
	return codes
}

// listedTexts returns the texts that enum and const list for a place, in the document's order; nil if it is open.
func listedTexts(s *schema.Shape) []string {
	if s == nil {
		return nil
	}
	var texts []string
	add := func(value any) {
		if text, ok := value.(string); ok && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	for _, k := range s.Schemas() {
		if k.Const != nil {
			add(*k.Const)
		}
		if k.Enum != nil {
			for _, value := range k.Enum.Values {
				add(value)
			}
		}
	}
	return texts
}
