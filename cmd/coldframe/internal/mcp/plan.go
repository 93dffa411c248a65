package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/config"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/outfile"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/tree"
)

type planIn struct {
	ofDocument
	Search string `json:"search,omitempty" jsonschema:"text that is in a line, such as a path; default all lines"`
}

func planResources(ctx context.Context, c *call, in planIn) (answer, error) {
	d, err := c.agent.document(ctx, in.Document)
	if err != nil {
		return answer{}, err
	}
	plan := d.plan()
	chosen := func(text string) []string {
		return slices.DeleteFunc(linesOf(text), func(line string) bool { return !strings.Contains(line, in.Search) })
	}
	return answer{
		summary:   exchange.Count(len(plan.Resources), "resource") + ". A line for each operation.",
		next:      []string{"correct_resource"},
		untrusted: map[string]any{"plan": chosen(plan.Table()), "notSimulated": chosen(plan.NotSimulated())},
	}, nil
}

func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

type correctIn struct {
	ofDocument
	Name       string         `json:"name" jsonschema:"a path, METHOD path or operationId"`
	Correction map[string]any `json:"correction" jsonschema:"such as {\"name\": \"plants\", \"key\": \"slug\"} for a path, {\"role\": \"list\", \"items\": \"/data\"} for an operation"`
	Write      bool           `json:"write,omitempty" jsonschema:"write the line to coldframe.yaml, if the user allows it"`
}

// correctResource tries a correction of what plan_resources shows, and can write it to coldframe.yaml.
func correctResource(ctx context.Context, c *call, in correctIn) (answer, error) {
	d, err := c.agent.document(ctx, in.Document)
	if err != nil {
		return answer{}, err
	}
	line := string(jsontext.AppendString(nil, in.Name)) + ": " + string(jsontext.Marshal(map[string]any(in.Correction)))
	before := linesOf(d.plan().Table())
	file := d.Settings
	text, err := os.ReadFile(file)
	if err != nil && file != "" && !errors.Is(err, fs.ErrNotExist) {
		return answer{}, err
	}
	edited, err := withResource(file, text, in.Name, line)
	if err != nil {
		return answer{}, err
	}
	root, findings, err := tree.ReadStrict(config.Name, edited)
	if err != nil {
		return answer{}, err
	}
	plan, more := resource.Infer(d.Contract, resource.Overrides{Resources: root.Get("resources")})
	if findings = append(findings, more...); len(findings) > 0 {
		return answer{summary: "The correction cannot be used.", failed: true,
			untrusted: map[string]any{"line": line, "findings": findingsOf(d, findings)}}, nil
	}
	corrected := answer{
		summary: "The correction works. These lines of coldframe.yaml beside the document make it; write: true writes them.",
		untrusted: map[string]any{"coldframe.yaml": []string{"resources:", "  " + line},
			"before": without(before, linesOf(plan.Table())), "after": without(linesOf(plan.Table()), before)},
	}
	switch {
	case !in.Write:
		return corrected, nil
	case !c.agent.options.AllowEdit:
		corrected.summary = "The correction works, but files may not be changed; the user can allow that with --allow-edit."
		corrected.failed = true
		return corrected, nil
	case file == "":
		return answer{}, saying("The document is in no folder, so there is no place for coldframe.yaml.")
	}
	if err := outfile.Write(file, edited); err != nil {
		return answer{}, err
	}
	corrected.summary = "The correction is in coldframe.yaml beside the document. Start the mock again to use it."
	return corrected, nil
}

// withResource returns the text of coldframe.yaml with one more line below resources.
func withResource(file string, text []byte, name, line string) ([]byte, error) {
	root, findings, err := tree.ReadStrict(file, text)
	if err != nil {
		return nil, err
	}
	resources := root.Get("resources")
	switch {
	case len(findings) > 0:
		return nil, errors.New(findings[0].String())
	case resources.Get(name) != nil:
		return nil, saying("coldframe.yaml has a correction of this name already; change it there.")
	case resources == nil:
		if text = bytes.TrimRight(text, "\n"); len(text) > 0 {
			text = append(text, '\n')
		}
		return fmt.Appendf(text, "resources:\n  %s\n", line), nil
	case len(resources.Fields()) == 0:
		return nil, saying("resources in coldframe.yaml is empty; delete it first.")
	}
	first := resources.Fields()[0]
	place := resources.PlaceOfMember(first)
	start := bytes.LastIndexByte(text[:first.Offset], '\n') + 1
	if indent := text[start:first.Offset]; len(bytes.TrimSpace(indent)) == 0 && place.Line > 1 {
		return slices.Concat(text[:start], indent, []byte(line+"\n"), text[start:]), nil
	}
	return nil, saying("resources in coldframe.yaml is written in one line; write it as a block first.")
}

// without returns the lines that others do not have.
func without(lines, others []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return slices.Contains(others, line) })
}
