package fields

import (
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/locales"
)

// TestLocales checks that each row has towns of its country, and names that can be part of addresses.
func TestLocales(t *testing.T) {
	for _, tag := range locales.Tags()[1:] {
		l := locales.Find(tag)
		towns := townsOf()[tag]
		if len(towns) < 2 {
			t.Errorf("%s has %d towns", tag, len(towns))
		}
		for _, town := range towns {
			if town.code != l.Country || town.lat == 0 || town.zone == "" || town.currency == "" ||
				town.language != strings.Split(tag, "-")[0] {
				t.Errorf("%s: %+v", tag, town)
			}
		}
		for _, name := range append(l.First, l.Last...) {
			if part := formats.LocalPart(name); len(part) < 2 || len(part) > 12 {
				t.Errorf("%s: %s is %q in an address", tag, name, part)
			}
		}
		if len(l.First) != len(l.Last) || tag != "en-US" && len(l.First) < 20 {
			t.Errorf("%s has %d first and %d last names", tag, len(l.First), len(l.Last))
		}
	}
}
