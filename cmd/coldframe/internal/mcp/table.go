package mcp

import (
	"cmp"
	"strings"
)

// Table returns the table of tools in Markdown, for the documentation.
func Table() (string, error) {
	operations, err := controlOperations()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, row := range tools {
		text := row.description
		if o := operations[row.control]; o != nil {
			text = cmp.Or(text, o.description)
		}
		mark := ""
		if row.alone {
			mark = " *"
		}
		b.WriteString("| `" + row.name + "`" + mark + " | " + strings.ReplaceAll(text, "|", `\|`) + " |\n")
	}
	return b.String(), nil
}
