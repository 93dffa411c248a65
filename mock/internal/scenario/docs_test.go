package scenario

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The files that docs/scenarios.md shows are right, and the wrong one is wrong
// in the way it says.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../../docs/scenarios.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```(yaml|yaml wrong|text)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1)
	if len(blocks) < 5 {
		t.Fatalf("only %d blocks", len(blocks))
	}
	c := plantStore(t)
	wrong := ""
	for _, block := range blocks {
		switch block[1] {
		case "yaml":
			if s, findings := Parse(c, "docs.yaml", []byte(block[2])); s == nil || len(findings) > 0 {
				t.Errorf("%s\n%s", block[2], list(findings))
			}
		case "yaml wrong":
			_, findings := Parse(c, "wrong.yaml", []byte(block[2]))
			for _, f := range findings {
				wrong += f.String() + "\n"
			}
		case "text":
			if wrong != block[2] {
				t.Errorf("the findings are\n%s", wrong)
			}
		}
	}
	for _, key := range documentedKeys() {
		if !strings.Contains(string(text), "| `"+key+"` |") {
			t.Errorf("key %s is not described", key)
		}
	}
}
