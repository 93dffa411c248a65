package main

import (
	"fmt"
	"slices"
	"strings"
)

// printLoads prints the results as tables in Markdown.
func printLoads(all []result) {
	if len(all) == 0 {
		return
	}
	table("CPU time per request; the others relative to the constant-response app:", all,
		func(r result) string { return fmt.Sprintf("%.1f µs", r.cpu.value) },
		func(r result) string { return times(r.cpu.ratio) })
	over := fmt.Sprintf("Requests a second over %d connections; the others as shares of the constant's:", connections)
	table(over, all,
		func(r result) string { return fmt.Sprintf("%.0f", r.rate.value) },
		func(r result) string { return fmt.Sprintf("%.2g", r.rate.ratio) })
	table("The slowest hundredth takes at least (p99):", all,
		func(r result) string { return fmt.Sprintf("%.1f ms", r.p99.value) },
		func(r result) string { return fmt.Sprintf("%.1f ms", r.p99.value) })
	documents := slices.Clone(all)
	for i := range documents {
		documents[i].row, documents[i].title, documents[i].bytes = documents[i].document, documents[i].document, 0
	}
	table("Memory at most, after all rows of a document (VmHWM):", documents,
		func(r result) string { return fmt.Sprintf("%.0f MiB", r.peak) },
		func(r result) string { return fmt.Sprintf("%.0f MiB", r.peak) })
}

// table prints a row for each row, and a column for each server that has one. Answers of other sizes are marked with
// them.
func table(title string, all []result, first, other func(result) string) {
	var columns []server
	for _, s := range servers {
		if slices.ContainsFunc(all, func(r result) bool { return r.server == s.name }) {
			columns = append(columns, s)
		}
	}
	fmt.Printf("\n%s\n\n", title)
	titles := []string{"request", "answer"}
	for _, s := range columns {
		titles = append(titles, s.title)
	}
	heading(titles)
	for i, r := range all {
		if slices.ContainsFunc(all[:i], func(x result) bool { return x.row == r.row }) {
			continue
		}
		fmt.Printf("| %s | %s |", r.title, size(r.bytes))
		for _, s := range columns {
			cell := ""
			for _, one := range all {
				switch {
				case one.row != r.row || one.server != s.name:
				case s.name == base:
					cell = first(one)
				case s.name != "fiber" && (one.bytes < r.bytes*4/5 || one.bytes > r.bytes*5/4):
					cell = fmt.Sprintf("%s (%s)", other(one), size(one.bytes))
				default:
					cell = other(one)
				}
			}
			fmt.Printf(" %s |", cell)
		}
		fmt.Println()
	}
}

func heading(titles []string) {
	fmt.Printf("| %s |\n|%s|\n", strings.Join(titles, " | "), "---"+strings.Repeat("|---:", len(titles)-1))
}

// times writes a multiple: 1.7, 26.
func times(ratio float64) string {
	if ratio < 10 {
		return fmt.Sprintf("%.1f", ratio)
	}
	return fmt.Sprintf("%.0f", ratio)
}

func size(bytes int) string {
	switch {
	case bytes == 0:
		return ""
	case bytes < 1000:
		return fmt.Sprint(bytes, " B")
	}
	return fmt.Sprintf("%.0f kB", float64(bytes)/1000)
}
