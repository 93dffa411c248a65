// Package scripted is a backend for tests that answers as a script says, without
// a socket, and writes down what it was asked.
package scripted

import (
	"bufio"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Backend answers by the first of its rules that fits, or with a 404. It is safe
// for concurrent use.
type Backend struct {
	mu    sync.Mutex
	rules []*rule
	log   []string
}

// rule is one line of a script.
type rule struct {
	once   bool
	with   string         // that the body has
	target *regexp.Regexp // METHOD path?query
	status int
	header exchange.Header
	body   string
	n      int // answers given
}

// Parse reads a script of one rule a line; lines that begin with # are for
// people:
//
//	METHOD TARGET -> STATUS | NAME: VALUE | BODY
//	once METHOD TARGET -> STATUS
//	METHOD TARGET with TEXT -> STATUS
//
// A * in the target stands for any text. Header fields and the body may be left
// out; a body is JSON unless a field says otherwise. {n} in a field or in the body is how often the rule has
// answered, this time included. A rule with "once" answers once, one with a text requests whose body has it.
func Parse(script string) (*Backend, error) {
	b := &Backend{}
	for lines := bufio.NewScanner(strings.NewReader(script)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		asked, answer, ok := strings.Cut(line, " -> ")
		parts := strings.Split(answer, " | ")
		status, err := strconv.Atoi(parts[0])
		if !ok || err != nil {
			return nil, fmt.Errorf("%q is no METHOD TARGET -> STATUS", line)
		}
		r := &rule{status: status}
		asked, r.once = strings.CutPrefix(asked, "once ")
		asked, r.with, _ = strings.Cut(asked, " with ")
		r.target = regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(asked), `\*`, ".*") + "$")
		for _, part := range parts[1:] {
			if name, value, ok := strings.Cut(part, ": "); ok && !strings.ContainsAny(name, `{["`) {
				r.header = append(r.header, exchange.Field{Name: name, Value: value})
				continue
			}
			r.body = part
		}
		b.rules = append(b.rules, r)
	}
	return b, nil
}

// Answer answers a request.
func (b *Backend) Answer(r *exchange.Request) *exchange.Response {
	b.mu.Lock()
	defer b.mu.Unlock()
	target := r.Method + " " + r.Path
	if r.Query != "" {
		target += "?" + r.Query
	}
	response := &exchange.Response{Status: 404}
	for _, rule := range b.rules {
		if rule.once && rule.n > 0 || !rule.target.MatchString(target) || !strings.Contains(string(r.Body), rule.with) {
			continue
		}
		response = rule.answer()
		break
	}
	line := target
	if len(r.Body) > 0 {
		line += " " + string(r.Body)
	}
	b.log = append(b.log, fmt.Sprintf("%s -> %d", line, response.Status))
	return response
}

func (r *rule) answer() *exchange.Response {
	r.n++
	counted := strings.NewReplacer("{n}", strconv.Itoa(r.n))
	response := &exchange.Response{Status: r.status}
	for _, f := range r.header {
		response.Header = append(response.Header, exchange.Field{Name: f.Name, Value: counted.Replace(f.Value)})
	}
	if r.body != "" {
		if _, has := response.Header.Get("Content-Type"); !has {
			response.Header = append(response.Header, exchange.Field{Name: "Content-Type", Value: "application/json"})
		}
		response.Body = []byte(counted.Replace(r.body))
	}
	return response
}

// Asked returns what was asked since it was called last, with the answers'
// statuses.
func (b *Backend) Asked() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	log := b.log
	b.log = nil
	return log
}
