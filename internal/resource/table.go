package resource

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Table gives the plan as lines of at most 120 columns where the paths allow
// it: method and path, resource, role, key, list, confidence, reason.
func (p *Plan) Table() string {
	rows := [][]string{{"OPERATION", "RESOURCE", "ROLE", "KEY", "SHAPE", "SURE", "REASON"}}
	for _, b := range p.Bindings {
		name := ""
		if b.Resource != nil {
			name = b.Resource.Name
		}
		rows = append(rows, []string{
			b.Operation.Method + " " + b.Operation.Path, name, b.role(), b.key(), b.shape(),
			fmt.Sprintf("%.2f", b.Confidence), b.Reason,
		})
	}
	limits := []int{48, 22, 11, 24, 22, 4, 60}
	widths := make([]int, len(limits))
	for _, row := range rows {
		for i, cell := range row {
			if n := utf8.RuneCountInString(cell); n <= limits[i] {
				widths[i] = max(widths[i], n)
			}
		}
	}
	var b strings.Builder
	for _, row := range rows {
		over := 0 // columns that long cells took from those after them
		var line strings.Builder
		for i, cell := range row {
			n := utf8.RuneCountInString(cell)
			line.WriteString(cell)
			if i == len(row)-1 {
				break
			}
			pad := widths[i] - n - over
			over = max(0, -pad)
			line.WriteString(strings.Repeat(" ", max(pad, 0)+2))
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

func (b *Binding) role() string {
	switch {
	case b.Reads:
		return b.Role.String() + "*"
	case b.Subset:
		return b.Role.String() + "?"
	}
	return b.Role.String()
}

// key says where the request names the item and what holds its key: id,
// {plantId} = id.
func (b *Binding) key() string {
	if b.Resource == nil || b.Resource.Key == nil {
		return ""
	}
	property := strings.Join(b.Resource.Key.Property, ".")
	if b.Lookup != nil {
		property = strings.Join(b.Lookup, ".")
	}
	switch b.KeyIn {
	case InPath:
		if property == "" {
			return "{" + b.Variable + "}"
		}
		return "{" + b.Variable + "}=" + property
	case InQuery:
		return "?" + b.Variable
	case InBody:
		return "body." + property
	}
	if b.Role == Create && property != "" {
		return property + " by " + b.Resource.Key.Maker.String()
	}
	return ""
}

// shape says where the items stand in the answer, and how a list is cut.
func (b *Binding) shape() string {
	if b.List == nil {
		return b.Response.String()
	}
	text := b.List.Items.String()
	var how []string
	for _, p := range b.List.Params {
		if p.Role != Filter {
			how = append(how, p.Role.String())
		}
	}
	if len(how) > 0 {
		text += " " + strings.Join(how, ",")
	}
	return text
}
