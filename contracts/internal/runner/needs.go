package runner

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/safety"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/report"
)

// maxNeeds bounds the values that are asked for if nothing says which one is wrong.
const maxNeeds = 12

// noteLacking notes which variables of a plain request's path have no value that is known to exist.
func noteLacking(t *Tester, c *cases.Case, found map[string]string) {
	target := t.of[c.Operation]
	if target == nil || c.Phase != findings.PlainPhase {
		return
	}
	target.lacking = nil
	for _, p := range c.Operation.Parameters {
		if text, open := c.Path[p.Name]; open && p.In == exchange.InPath && found[p.Name] == "" {
			text, _ = url.PathUnescape(text)
			target.lacking = append(target.lacking, report.Need{In: p.In, Name: p.Name, Sent: sampleOf(target, p.Name, text),
				Own: t.guard.NeedsOwn(c) && p.Name == safety.ItemVariable(c.Operation)})
		}
	}
}

// ReportRefused reports to the collector the operations that got no request or accepted none, and the values that
// would help.
func (t *Tester) ReportRefused() {
	for _, target := range t.Targets {
		succeeded, sent := t.Collector.Succeeded(target.Operation)
		isSpared := target.Skipped != "" || target.spared.Load() || t.guard.EndedAccess(target.Operation)
		if !sent && target.unnamed.Load() {
			t.skip(target.Operation, "", 0, safety.MayName)
		}
		if !succeeded && !isSpared && (sent || len(target.lacking) > 0) {
			t.Collector.SetRefused(target.Operation, needs(t, target))
		}
	}
}

// needs returns the values that would help an operation: variables of its path without one, references to items of
// which none is known, and what refusals name; else all that a plain request has.
func needs(t *Tester, target *Target) []report.Need {
	all := slices.Clone(target.lacking)
	add := func(in, name string) {
		isIt := func(n report.Need) bool { return n.In == in && n.Name == name }
		if in == exchange.InPath || name == "" || len(all) >= maxNeeds || slices.ContainsFunc(all, isIt) {
			return
		}
		all = append(all, report.Need{In: in, Name: name, Sent: sentIn(target, in, name)})
	}
	for name := range strings.SplitSeq(target.unknown, ", ") {
		add(exchange.InBody, name)
	}
	helps := false
	for _, r := range t.Collector.Refusals(target.Operation) {
		in, name, _ := strings.Cut(r.About, ".")
		add(in, name)
		helps = helps || r.Status/100 == 4 && r.Status != 401 && r.Status != 403
	}
	if len(all) > 0 || !helps || target.tried == nil {
		return all
	}
	for _, p := range target.Parameters {
		if p.Required {
			add(p.In, p.Name)
		}
	}
	if body, ok := target.tried.Value.(map[string]any); ok {
		for _, name := range slices.Sorted(maps.Keys(body)) {
			add(exchange.InBody, name)
		}
	}
	return all
}

// sentIn returns what the last plain request had in a place; nil for nothing.
func sentIn(target *Target, in, name string) []byte {
	if target.tried == nil {
		return nil
	}
	text, sent := "", false
	switch r := target.tried.Request; in {
	case exchange.InBody:
		if value, ok := jsonvalue.At(target.tried.Value, strings.Split(name, ".")); ok {
			return jsontext.Append(nil, value)
		}
	case exchange.InQuery:
		values, _ := url.ParseQuery(r.Query)
		text, sent = values.Get(name), values.Has(name)
	case exchange.InHeader:
		text, sent = r.Header.Get(name)
	}
	if !sent {
		return nil
	}
	return sampleOf(target, name, text)
}

// sampleOf returns the text of a parameter as JSON.
func sampleOf(target *Target, name, text string) []byte {
	if value, err := jsontext.Decode(text); err == nil && !target.builder.Takes(name, text) {
		return jsontext.Append(nil, value)
	}
	return jsontext.AppendString(nil, text)
}
