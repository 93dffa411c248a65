package exchange

import (
	"slices"
	"testing"
)

// TestSort has pointers in the order in which findings are shown: token by token, indexes as numbers.
func TestSort(t *testing.T) {
	want := []string{"", "/", "/-", "/01", "/2", "/2/", "/2/a", "/10", "/a", "/a/b", "/a/b/9", "/a/b/10", "/a-b", "/b"}
	var findings []Finding
	for _, pointer := range want {
		findings = append(findings, Finding{Pointer: pointer})
	}
	slices.Reverse(findings)
	for i, f := range Sort(findings) {
		if f.Pointer != want[i] {
			t.Errorf("%d is %q, want %q", i, f.Pointer, want[i])
		}
	}
}
