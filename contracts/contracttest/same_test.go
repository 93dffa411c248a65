package contracttest_test

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/testbench/backends"
)

// TestSame runs three times against a correct and a faulty service, with the usual number of workers: the same seed
// returns the same findings.
func TestSame(t *testing.T) {
	at := slices.IndexFunc(backends.Services(), func(s backends.Service) bool { return s.Name == "kiosk" })
	kiosk := backends.Services()[at]
	var faults []string
	kinds := map[string]bool{}
	for _, f := range backends.Catalogue() {
		if f.Service == kiosk.Name && !kinds[f.Kind] && !strings.Contains(f.Name, "slow") {
			faults, kinds[f.Kind] = append(faults, f.Name), true
		}
	}
	for name, faults := range map[string][]string{"correct": nil, "faulty": faults} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := findingsOf(t, kiosk, faults)
			if (len(first) > 0) != (len(faults) > 0) {
				t.Errorf("%d faults, found %v", len(faults), first)
			}
			for range 2 {
				if again := findingsOf(t, kiosk, faults); !slices.Equal(first, again) {
					t.Errorf("found\n%v\nand then\n%v", first, again)
				}
			}
		})
	}
}

// findingsOf returns what one run finds, in its order.
func findingsOf(t *testing.T, s backends.Service, faults []string) (all []string) {
	t.Helper()
	backend, err := backends.New(s.Name, faults...)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(backend)
	defer server.Close()
	report, err := contracts.Run(t.Context(), contracts.Options{Document: s.Name + ".yaml", Text: s.Document, URL: server.URL,
		Seed: 7, Limits: contracts.Limits{Timeout: 10 * time.Second}, Credentials: contracts.Credentials{APIKeys: s.Credentials}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		all = append(all, f.Severity.String()+" "+f.Check+" "+f.Operation+" "+f.Fingerprint)
	}
	return all
}
