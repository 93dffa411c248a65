package report

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/internal/exchange"
)

// The types have the properties of SARIF 2.1.0 (OASIS, sections 3.13 to 3.52)
// that say something here.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
		Properties  map[string]any    `json:"properties"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		URI     string      `json:"informationUri"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID            string              `json:"id"`
		Short         sarifText           `json:"shortDescription"`
		Full          sarifText           `json:"fullDescription"`
		Help          sarifText           `json:"help"`
		Configuration sarifConfiguration  `json:"defaultConfiguration"`
		Properties    map[string][]string `json:"properties"`
	}
	sarifConfiguration struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Start         string              `json:"startTimeUtc"`
		End           string              `json:"endTimeUtc"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifResult struct {
		Rule         string            `json:"ruleId"`
		Index        int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Baseline     string            `json:"baselineState,omitempty"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Count        int               `json:"occurrenceCount"`
		Properties   map[string]any    `json:"properties"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		Line   int `json:"startLine"`
		Column int `json:"startColumn,omitempty"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
)

const (
	sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"
	homepage    = "https://github.com/coldframe/coldframe"
)

func writeSARIF(w io.Writer, r *findings.Report, o Options) error {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "coldframe", Version: o.Version, URI: homepage, Rules: sarifRules(r)}},
		ColumnKind: "unicodeCodePoints", Results: []sarifResult{},
		Properties: map[string]any{"url": line(r.URL), "seed": fmt.Sprint(r.Seed), "requests": r.Requests},
	}
	invocation := sarifInvocation{Successful: r.Ended == "", Start: utc(r.Began), End: utc(r.Began.Add(r.Took))}
	if r.Ended != "" {
		invocation.Notifications = append(invocation.Notifications, sarifNotification{"error", sarifText{Text: "ended early: " + line(r.Ended)}})
	}
	for _, text := range leftOut(r) {
		invocation.Notifications = append(invocation.Notifications, sarifNotification{"note", sarifText{Text: "left out: " + text}})
	}
	run.Invocations = []sarifInvocation{invocation}
	compared := len(r.Resolved) > 0 || slices.ContainsFunc(r.Findings, func(f findings.Finding) bool { return f.Known })
	for i := range r.Findings {
		result := sarifFinding(&r.Findings[i], o)
		result.Index = slices.IndexFunc(run.Tool.Driver.Rules, func(rule sarifRule) bool { return rule.ID == result.Rule })
		if compared {
			result.Baseline = "new"
			if r.Findings[i].Known {
				result.Baseline = "unchanged"
			}
		}
		run.Results = append(run.Results, result)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

func utc(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// sarifRules is what the table of checks says of those that found something, in
// its order.
func sarifRules(r *findings.Report) []sarifRule {
	rules := []sarifRule{}
	known := map[string]bool{}
	add := func(id, meaning, source string, severity exchange.Severity) {
		if known[id] {
			return
		}
		known[id] = true
		full := strings.TrimSuffix(meaning, ".") + "."
		rules = append(rules, sarifRule{
			ID: id, Short: sarifText{Text: meaning}, Full: sarifText{Text: full}, Help: sarifText{Text: full + " Asked for by " + source + "."},
			Configuration: sarifConfiguration{level(severity)}, Properties: map[string][]string{"tags": {"contract", "openapi"}},
		})
	}
	found := map[string]bool{}
	for i := range r.Findings {
		found[r.Findings[i].Check] = true
	}
	for _, c := range checks.All() {
		if !found[c.ID] {
			continue
		}
		add(c.ID, c.Meaning, c.Source, c.Severity)
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		add(f.Check, f.Check, f.Source, f.Severity)
	}
	return rules
}

func level(s exchange.Severity) string {
	if s == exchange.Warning {
		return "warning"
	}
	return "error"
}

func sarifFinding(f *findings.Finding, o Options) sarifResult {
	text := where(f) + ": " + message(f)
	properties := map[string]any{"operation": f.Operation, "operations": append([]string{f.Operation}, others(f)...), "phase": f.Phase, "case": f.Title}
	if n := len(f.Sent); n > 0 {
		s := &f.Sent[n-1]
		var commands []string
		for _, one := range f.Sent {
			commands = append(commands, cut(one.Curl, mostCommand, "…"))
		}
		properties["curl"], properties["answer"] = commands, answer(s)
		text += "\n\n" + cut(lines(s.Curl), mostShownText, "…") + "\n\n" + answer(s)
	}
	if len(f.Consequences) > 0 {
		properties["follows"] = follows(f, mostDetailed)
	}
	location := sarifLocation{Logical: []sarifLogical{{line(f.Operation), "function"}}}
	if f.Place.File != "" {
		location.Physical = &sarifPhysical{Artifact: sarifArtifact{uri(o.relative(f.Place.File))}}
		if f.Place.Line > 0 {
			location.Physical.Region = &sarifRegion{f.Place.Line, f.Place.Column}
		}
	}
	return sarifResult{
		Rule: f.Check, Level: level(f.Severity), Message: sarifText{Text: text}, Locations: []sarifLocation{location},
		Fingerprints: map[string]string{"coldframe/v1": f.Fingerprint}, Count: f.Count, Properties: properties,
	}
}

// uri writes the name of a file as a URI reference (RFC 3986).
func uri(file string) string {
	if strings.Contains(file, "://") {
		return file
	}
	if filepath.IsAbs(file) || strings.HasPrefix(file, "/") {
		return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(file, "/")}).String()
	}
	return (&url.URL{Path: file}).String()
}
