package resource

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Table gives the plan as lines of about 120 columns, one for each operation;
// an operation whose path is long has a line of its own above. A role with a
// star shows the item of the path, one with a question mark part of the list.
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
	limits := []int{44, 20, 12, 22, 16, 4, 0}
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
		if utf8.RuneCountInString(row[0]) > widths[0] {
			b.WriteString(row[0] + "\n")
			row[0] = ""
		}
		b.WriteString(strings.TrimRight(align(row, widths), " ") + "\n")
	}
	return b.String()
}

// align puts cells under each other. What is too long takes from the gaps that
// follow it.
func align(row []string, widths []int) string {
	var line strings.Builder
	over := 0
	for i, cell := range row {
		line.WriteString(cell)
		room := widths[i] - utf8.RuneCountInString(cell) - over
		over = max(0, -room)
		line.WriteString(strings.Repeat(" ", max(room, 0)+2))
	}
	return line.String()
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
		if b.Keys != nil {
			return "body." + strings.Join(b.Keys, ".") + "[]"
		}
		if property == "" {
			return "body"
		}
		return "body." + property
	}
	if b.Role == Create && property != "" {
		return property + " by " + b.Resource.Key.ChosenBy.String()
	}
	return ""
}

func (b *Binding) shape() string {
	if b.List == nil {
		return b.Response.String()
	}
	return b.List.Items.String()
}
