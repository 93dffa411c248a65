package report

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

const (
	sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"
	homepage    = "https://github.com/coldframe/coldframe"
)

// object and list are JSON values. Property names are from SARIF 2.1.0 (OASIS, sections 3.13 to 3.52).
type (
	object = map[string]any
	list   = []any
)

func writeSARIF(w io.Writer, m *model) error {
	rules, index := sarifRules(m)
	results := list{}
	for _, f := range slices.Concat(m.Findings, m.Waived) {
		for _, result := range sarifResults(m, f) {
			result["ruleIndex"] = index[f.Check]
			if f.Outcome == "waived" {
				result["suppressions"] = list{object{"kind": "external", "justification": f.Reason}}
			}
			results = append(results, result)
		}
	}
	invocation := object{"executionSuccessful": m.Ended == "", "startTimeUtc": utc(m.Began),
		"endTimeUtc": utc(m.Began.Add(m.Took))}
	var notes list
	if m.Ended != "" {
		notes = append(notes, object{"level": "error", "message": object{"text": "ended early: " + m.Ended}})
	}
	for _, text := range m.UnseenLines() {
		notes = append(notes, object{"level": "note", "message": object{"text": "never seen: " + text}})
	}
	if m.Untestable != "" {
		notes = append(notes, object{"level": "warning", "message": object{"text": m.Untestable}})
	}
	for _, text := range m.Skipped {
		notes = append(notes, object{"level": "note", "message": object{"text": "skipped: " + text}})
	}
	if notes != nil {
		invocation["toolExecutionNotifications"] = notes
	}
	run := m.SARIFRun(rules, results)
	run["invocations"] = list{invocation}
	run["properties"] = object{"url": line(m.URL), "seed": fmt.Sprint(m.Seed), "requests": m.Requests}
	return EncodeSARIF(w, run)
}

// SARIFRun returns a run of this program with its results, of which each has the id of a rule.
func (o *Options) SARIFRun(rules, results []any) map[string]any {
	driver := object{"name": "coldframe", "informationUri": homepage, "rules": rules}
	if o.Version != "" {
		driver["version"] = o.Version
	}
	return object{"tool": object{"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
}

// EncodeSARIF writes the log of a run.
func EncodeSARIF(w io.Writer, run map[string]any) error {
	return encodeJSON(w, object{"$schema": sarifSchema, "version": "2.1.0", "runs": list{run}})
}

func encodeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

func utc(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// sarifRules describes the checks that found something, in the table's order, and returns the index of each.
func sarifRules(m *model) (rules list, index map[string]int) {
	rules, index = list{}, map[string]int{}
	add := func(id, meaning, source string, severity exchange.Severity) {
		if _, ok := index[id]; ok {
			return
		}
		index[id] = len(rules)
		sentence := strings.TrimSuffix(meaning, ".") + "."
		rules = append(rules, object{
			"id": id, "shortDescription": object{"text": meaning}, "fullDescription": object{"text": sentence},
			"help":                 object{"text": sentence + " Source: " + source + "."},
			"defaultConfiguration": object{"level": severity},
			"properties":           object{"tags": list{"contract", "openapi"}},
		})
	}
	for _, c := range m.checks() {
		add(c.ID, c.Meaning, c.Source, c.Severity)
	}
	for _, f := range m.Findings {
		add(f.Check, f.Check, f.Source, f.Severity)
	}
	for _, f := range m.Waived {
		add(f.Check, f.Check, f.Source, f.Severity)
	}
	return rules, index
}

// sarifResults returns a result for each fault of a finding. The first has the requests.
func sarifResults(m *model, f *finding) (all []object) {
	first := sarifResult(m, f)
	for i, fault := range f.Faults {
		in := line(strings.TrimSpace(fault.Operation + " " + fault.About))
		result := first
		if i > 0 {
			result = maps.Clone(first)
			result["message"] = object{"text": in + ": the same as in " + f.Operation + ": " + f.Message}
			result["properties"] = object{"operation": line(fault.Operation), "phase": f.Phase}
			result["locations"] = list{m.SARIFLocation(f.Place, line(fault.Operation))}
			delete(result, "occurrenceCount")
		}
		result["partialFingerprints"] = object{"coldframe/v2": fault.Fingerprint}
		if result["baselineState"] != nil {
			result["baselineState"] = baselineState(fault.Known)
		}
		all = append(all, result)
	}
	if all == nil {
		all = append(all, first)
	}
	return all
}

func baselineState(known bool) string {
	if known {
		return "unchanged"
	}
	return "new"
}

func sarifResult(m *model, f *finding) object {
	text := f.In() + ": " + f.Message
	properties := object{"operation": f.Operation, "operations": append([]string{f.Operation}, f.Also...),
		"phase": f.Phase, "case": f.Title}
	if n := len(f.Steps); n > 0 {
		var commands []string
		for _, s := range f.Sent {
			commands = append(commands, cut(s.Curl, maxCommand, "…"))
		}
		last := f.Steps[n-1]
		properties["curl"], properties["answer"] = commands, last.Answer
		text += "\n\n" + cut(last.Curl, maxBodyText, "…") + "\n\n" + last.Answer
	}
	if len(f.Finding.Consequences) > 0 {
		properties["consequences"] = f.Consequences(maxDetailed)
	}
	result := object{
		"ruleId": f.Check, "level": f.Severity, "message": object{"text": text},
		"locations":           list{m.SARIFLocation(f.Place, f.Operation)},
		"partialFingerprints": object{"coldframe/v2": f.Fingerprint},
		"occurrenceCount":     f.Count, "properties": properties,
	}
	if m.Known > 0 || len(m.Resolved) > 0 { // there is a baseline
		result["baselineState"] = baselineState(f.Known)
	}
	return result
}

// SARIFLocation returns the location of an operation, "" for none, and of a place in its document.
func (o *Options) SARIFLocation(at exchange.Place, operation string) map[string]any {
	location := object{}
	if operation != "" {
		location["logicalLocations"] = list{object{"fullyQualifiedName": operation, "kind": "function"}}
	}
	if at.File != "" {
		physical := object{"artifactLocation": object{"uri": uri(o.relative(at.File))}}
		if at.Line > 0 {
			region := object{"startLine": at.Line}
			if at.Column > 0 {
				region["startColumn"] = at.Column
			}
			physical["region"] = region
		}
		location["physicalLocation"] = physical
	}
	return location
}

// uri writes the name of a file as a URI reference (RFC 3986).
func uri(file string) string {
	switch {
	case strings.Contains(file, "://"):
		return file
	case filepath.IsAbs(file), strings.HasPrefix(file, "/"):
		return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(file, "/")}).String()
	}
	return (&url.URL{Path: file}).String()
}
