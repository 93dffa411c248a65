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
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// term is what some words within an error code mean.
type term struct {
	statuses []int  // the first is meant more than the others
	problem  string // a problem that it says better than its statuses; "" if none
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
	status      int
	original    int             // the status that answers the problem best, which may not be documented
	problems    []string        // names of problems and codes of findings
	nouns       map[string]int  // words for what the problem concerns, with their weights
	credentials map[string]bool // words for the credentials that the operation takes
	states      map[string]bool // words for the states of the operation's items, with the state that it leads to
	leadsTo     map[string]bool // words for the state that the operation leads to
	foreign     map[string]bool // words of the document's paths
	given       []string        // codes that the refusal asks for
	named       []string        // codes that the response's description names
}

// The weights of the words that name what a problem concerns.
const (
	nounOfPath  = 1 // of a path's literal segment, or of a property of the items
	nounLast    = 2 // of the last segment
	nounOfPlace = 4 // of the part of the request that a finding concerns
)

// add adds the words of a name to the nouns.
func (c *cause) add(name string, weight int) {
	for _, word := range naming.Words(name) {
		word = naming.Singular(word)
		c.nouns[word] = max(c.nouns[word], weight)
	}
}

// partWords name what the parts of a request consist of, in error codes: bad_parameter, MISSING_FIELD.
var partWords = map[string]*words.Role{
	exchange.InQuery: words.RoleOf("parameter-word"), exchange.InPath: words.RoleOf("parameter-word"),
	exchange.InBody: words.RoleOf("member-word"),
}

// addPart adds the words for a part of a request.
func (c *cause) addPart(in string) {
	c.add(in, nounOfPlace)
	if named := partWords[in]; named != nil {
		for word := range named.All() {
			c.add(word, nounOfPlace)
		}
	}
}

// causeOf returns what the codes of an error body should mean.
func (e *errorBody) causeOf(why explanation) cause {
	c := cause{
		status: e.status, nouns: map[string]int{}, credentials: map[string]bool{}, states: map[string]bool{},
		leadsTo: map[string]bool{}, given: why.codes, original: e.status,
	}
	if why.problem != nil {
		c.original, _ = strconv.Atoi(candidates[*why.problem][0])
		c.problems = append(c.problems, problemNames[*why.problem])
	}
	isMissing := why.problem != nil && *why.problem == NoItem || why.problem == nil && e.status == http.StatusNotFound
	for _, f := range why.findings {
		c.problems = append(c.problems, f.Code)
		for token := range exchange.Tokens(f.Pointer) {
			c.add(token, nounOfPlace)
		}
		if f.In != exchange.InPath {
			c.add(f.Name, nounOfPlace)
		}
		if !isMissing {
			c.addPart(f.In)
		}
	}
	if e.request == nil || e.request.Operation == nil {
		return c
	}
	c.addPath(e.request.Operation.Path, why.findings, isMissing)
	c.addItems(e.request.Operation, isMissing)
	c.addCredentials(e.request.Operation.Security)
	if e.request.Operation.words != nil {
		c.foreign = e.request.Operation.words()
	}
	return c
}

// addPath adds the words of a path. What a finding says is missing is the item of its variable; if there is no finding,
// it is the item of the last variable.
func (c *cause) addPath(path string, findings []exchange.Finding, isMissing bool) {
	last, owner := "", ""
	for segment := range strings.SplitSeq(path, "/") {
		if !strings.Contains(segment, "{") {
			if segment != "" {
				last = segment
			}
			c.add(segment, nounOfPath)
			continue
		}
		owner = last
		for _, f := range findings {
			if f.In == exchange.InPath && strings.Contains(segment, "{"+f.Name+"}") {
				c.add(last, nounOfPlace) // what the variable is the key of
			}
		}
	}
	if isMissing && len(findings) == 0 {
		c.add(owner, nounOfPlace)
	}
	c.add(last, nounLast)
}

// addItems adds the words of the items that an operation concerns: their type, their states, and the properties that
// the operation writes.
func (c *cause) addItems(o *Operation, isMissing bool) {
	if o.About == nil {
		return
	}
	if r := o.About.Resource; r != nil && !isMissing {
		c.add(r.Name[strings.LastIndexByte(r.Name, '/')+1:], nounLast)
	}
	for _, set := range o.About.Sets {
		addWords(c.leadsTo, set.Value)
	}
	for r := o.About.Resource; r != nil; r = r.Parent {
		_, states := r.States()
		for _, state := range states {
			addWords(c.states, state)
		}
	}
	switch o.About.Role {
	case resource.Create, resource.Replace, resource.Update, resource.Upsert:
		if r := o.About.Resource; r != nil && !isMissing {
			for _, p := range r.Properties {
				c.add(p.Name, nounOfPath)
			}
		}
	}
}

// addCredentials adds the words for credentials: the words of an API key's name, or of the name of an HTTP scheme.
func (c *cause) addCredentials(alternatives []spec.Requirement) {
	for _, all := range alternatives {
		for _, need := range all {
			switch need.Scheme.Type {
			case "apiKey":
				addWords(c.credentials, "key")
				addWords(c.credentials, strings.TrimPrefix(strings.ToLower(need.Scheme.Name), "x-"))
			case "http", "oauth2", "openIdConnect":
				addWords(c.credentials, "token "+need.Scheme.Scheme)
			}
		}
	}
}

func addWords(set map[string]bool, text string) {
	for _, word := range naming.Words(text) {
		set[word] = true
	}
}

// declaredCode returns the code that a correction of the inference has for the problem: for a finding before the
// status; "" if none.
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
		alien  = 40  // it means credentials, and the problem is another
		absent = 4   // a word of another part of the API
	)
	isAuthentication := c.means(http.StatusUnauthorized) || c.means(http.StatusForbidden)
	fits, terms, others, about, unknown, aliens := 0, 0, 0, 0, 0, 0
	own := naming.Words(code)
	for i := 0; i < len(own); {
		word := naming.Singular(own[i])
		isState := c.means(http.StatusConflict) && (c.states[own[i]] || c.leadsTo[own[i]])
		t, length := longestTermOf(own[i:])
		isCredential := length < 2 && c.credentials[own[i]] && (isAuthentication || c.nouns[word] == 0)
		switch i += max(length, 1); {
		case isState && length < 2:
			terms++
			fits += status
			if c.leadsTo[own[i-1]] {
				fits += better
			}
			continue
		case isCredential && isAuthentication && length == 0:
			terms++
			fits += status
			continue
		case isCredential && length == 0:
			aliens++
			continue
		case length == 0 && c.nouns[word] > 0:
			about += c.nouns[word]
			continue
		case length == 0 && c.foreign[word]:
			unknown += absent
			continue
		case length == 0:
			unknown++
			continue
		case !slices.ContainsFunc(t.statuses, c.means):
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
		if isAuthentication && c.isAbout(own) {
			others = 0 // MISSING_KEY
		}
		return max(1, meant+fits/terms+about-other*others-alien*aliens-unknown)
	case others > 0:
		return -1
	}
	return 0
}

// isAbout reports whether one of the words is for the credentials.
func (c *cause) isAbout(own []string) bool {
	return slices.ContainsFunc(own, func(word string) bool { return c.credentials[word] })
}

// means reports whether a status is the one of the response, or the one that answers the problem best.
func (c *cause) means(status int) bool { return status == c.status || status == c.original }

// isMeant reports whether the refusal has a code, or the document names one that means no other status.
func (c *cause) isMeant(code string) bool {
	return slices.Contains(c.given, code) || slices.Contains(c.named, code) && c.fit(code) >= 0
}

// about returns how many words of a code are for what the cause concerns, by their weights.
func (c *cause) about(code string) int {
	sum := 0
	for _, word := range naming.Words(code) {
		sum += c.nouns[naming.Singular(word)]
	}
	return sum
}

// longestTermOf returns the longest term at the beginning of some words, and its length; 0 if none.
func longestTermOf(own []string) (term, int) {
	for length := min(len(own), longestTerm); length > 0; length-- {
		if t, ok := terms()[termKey(own[:length])]; ok {
			return t, length
		}
	}
	return term{}, 0
}

// codesFor returns the values of an enum, best first: those that are named, those that mean the cause, then those that
// mean no status, then the others. Among equals the document's order decides.
func (c *cause) codesFor(codes []string) []string {
	codes = slices.Clone(codes)
	slices.SortStableFunc(codes, func(a, b string) int {
		if isMeant := c.isMeant(a); isMeant != c.isMeant(b) {
			if isMeant {
				return -1
			}
			return 1
		}
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
