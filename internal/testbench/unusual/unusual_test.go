package unusual

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/lint"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/testbench/golden"
	"github.com/coldframe/coldframe/internal/testbench/sample"
	"github.com/coldframe/coldframe/internal/values"
	"github.com/coldframe/coldframe/report"
)

// Complaints about a run that are not findings.
const (
	lockedOut   = "locked-out"   // requests after the credentials died
	seedChanged = "seed-changed" // what was there at the start was changed or deleted
	runsDiffer  = "runs-differ"  // two runs do not find the same
	untested    = "untested"     // less than half of the operations accepted a request
)

// mostLockedOut is how many requests may come with credentials that have ended: those that show it to the tester.
const mostLockedOut = 20

// result is what a run says of a backend.
type result struct {
	report  *report.Report
	service *Service
}

func measure(t *testing.T, v *Variant, b Behaviour) result {
	t.Helper()
	s, err := New(t.Context(), v, b)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(s.Handler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	defer func() {
		server.CloseClientConnections()
		server.Close()
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // far more than a run takes, the race detector on
	defer cancel()
	found, err := contracts.Run(ctx, contracts.Options{Document: v.Name + ".json", Text: s.document, URL: server.URL,
		Credentials: contracts.Credentials{Token: Token}, Seed: 1, Limits: contracts.Limits{FuzzCases: 5, Timeout: 3 * time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return result{found, s}
}

// complaints returns what a run of a correct backend must not have, with the details of each.
func (r result) complaints() map[string][]string {
	all := map[string][]string{}
	for _, f := range r.report.Findings {
		if f.Severity == exchange.Error {
			all[f.Check] = append(all[f.Check], line(f))
		}
	}
	if r.service.lockedOut > mostLockedOut {
		all[lockedOut] = append(all[lockedOut], fmt.Sprintf("%d of %d requests", r.service.lockedOut, r.report.Requests))
	}
	if after := r.service.Seeds(); after != r.service.before {
		all[seedChanged] = append(all[seedChanged], "were\n"+r.service.before+"are\n"+after)
	}
	accepted := 0
	for _, o := range r.report.Operations {
		for status := range o.Statuses {
			if status/100 == 2 {
				accepted++
				break
			}
		}
	}
	if operations := len(r.report.Operations); 2*accepted < operations {
		all[untested] = append(all[untested], fmt.Sprintf("%d of %d operations accepted a request; the run ended: %s",
			accepted, operations, r.report.Ended))
	}
	return all
}

// fingerprints returns what a run found, in its order.
func (r result) fingerprints() []string {
	var all []string
	for _, f := range r.report.Findings {
		if f.Severity == exchange.Info {
			continue // whether a change shows at once or late depends on the time between requests
		}
		all = append(all, f.Severity.String()+" "+f.Check+" "+f.Operation+" "+f.Fingerprint)
	}
	return all
}

// knownFile has the complaints that are not solved yet: the name of a variant and the complaint. It shrinks.
const knownFile = "testdata/known.txt"

func readKnown(t *testing.T) map[string]bool {
	file, err := os.Open(knownFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	known := map[string]bool{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		known[strings.Join(strings.Fields(lines.Text()), " ")] = true
	}
	delete(known, "")
	return known
}

// share says which part of the backends is tested, one of so many: all take minutes.
func share() int {
	if golden.Update() {
		return 1
	}
	return sample.Every(160, 160)
}

// TestVariants tests variants twice: no errors, no lock-out, nothing changed that was there at the start, the
// same findings; and of all less than one warning a variant. UPDATE_GOLDEN=1 writes what is known.
func TestVariants(t *testing.T) {
	known, seen := readKnown(t), map[string]bool{}
	var mu sync.Mutex
	variants, warnings := 0, 0
	t.Run("all", func(t *testing.T) {
		for i, v := range Variants() {
			if i%share() != 0 {
				continue
			}
			t.Run(v.Name, func(t *testing.T) {
				t.Parallel()
				first, second := measure(t, v, v.Behaviour), measure(t, v, v.Behaviour)
				for _, wrong := range slices.Concat(first.service.wrong, second.service.wrong) {
					t.Errorf("the variant is not correct: %s", wrong)
				}
				all := first.complaints()
				for name, details := range second.complaints() {
					if all[name] == nil {
						all[name] = details
					}
				}
				if a, b := first.fingerprints(), second.fingerprints(); !slices.Equal(a, b) {
					all[runsDiffer] = []string{strings.Join(a, "\n") + "\nand\n" + strings.Join(b, "\n")}
				}
				mu.Lock()
				defer mu.Unlock()
				variants++
				for _, f := range first.report.Findings {
					if f.Severity == exchange.Warning {
						warnings++
						t.Log(line(f))
					}
				}
				for name, details := range all {
					seen[v.Name+" "+name] = true
					if !known[v.Name+" "+name] && !golden.Update() {
						t.Errorf("%s, though %s\n%s", name, v.Permits, strings.Join(details, "\n"))
					} else if testing.Verbose() {
						t.Logf("%s, though %s\n%s", name, v.Permits, strings.Join(details, "\n"))
					}
				}
				for complaint := range known {
					if !strings.HasSuffix(complaint, " "+runsDiffer) && strings.HasPrefix(complaint, v.Name+" ") && !seen[complaint] && !golden.Update() {
						t.Errorf("%s has %q, which does not occur any more", knownFile, complaint)
					}
				}
			})
		}
	})
	t.Logf("%d warnings on %d variants", warnings, variants)
	if variants == len(Variants()) && warnings >= variants { // a part of the variants may have more
		t.Error("there is a warning on each variant, or more")
	}
	if golden.Update() {
		var lines []string
		for line := range known {
			if strings.HasSuffix(line, " "+missed) {
				lines = append(lines, line+"\n")
			}
		}
		for complaint := range seen {
			lines = append(lines, complaint+"\n")
		}
		slices.Sort(lines)
		if err := os.WriteFile(knownFile, []byte(strings.Join(lines, "")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTwins tests the faulty counterparts of the variants.
func TestTwins(t *testing.T) {
	twins := 0
	for i, v := range Variants() {
		twins += len(v.Twins)
		if i%share() != 0 {
			continue
		}
		for _, twin := range v.Twins {
			testTwin(t, v, twin, exchange.Error)
		}
		for _, twin := range v.Doubtful {
			testTwin(t, v, twin, exchange.Warning)
		}
	}
	if least := 30; twins < least {
		t.Errorf("there are %d twins that are errors, want at least %d", twins, least)
	}
}

// missed marks in knownFile a twin whose finding is less severe than its fault.
const missed = "missed"

func testTwin(t *testing.T, v *Variant, twin Twin, least exchange.Severity) {
	known := readKnown(t)[v.Name+"/"+twin.Name+" "+missed]
	t.Run(v.Name+"/"+twin.Name, func(t *testing.T) {
		t.Parallel()
		r := measure(t, v, twin.Behaviour)
		for _, f := range r.report.Findings {
			if f.Severity <= least && slices.Contains(strings.Fields(twin.Check), f.Check) {
				if known {
					t.Errorf("%s has %q, which is found", knownFile, v.Name+"/"+twin.Name+" "+missed)
				}
				return
			}
		}
		if known {
			return
		}
		t.Errorf("not found by %s", twin.Check)
		for _, f := range r.report.Findings {
			t.Log(line(f))
		}
	})
}

// TestCatalogue checks that the rows are complete.
func TestCatalogue(t *testing.T) {
	names, twins := map[string]bool{}, map[string]bool{}
	for _, v := range Variants() {
		for _, twin := range slices.Concat(v.Twins, v.Doubtful) {
			twins[v.Name+"/"+twin.Name] = true
		}
		if names[v.Name] || v.Permits == "" || !strings.Contains(v.Permits, ": ") {
			t.Errorf("%s: stands twice, or Permits does not say where the sentence stands: %q", v.Name, v.Permits)
		}
		names[v.Name] = true
	}
	if least := 80; len(names) < least {
		t.Errorf("there are %d variants, want at least %d", len(names), least)
	}
	for complaint := range readKnown(t) {
		if name, _, _ := strings.Cut(complaint, " "); !names[name] && !twins[name] {
			t.Errorf("%s names %s, which is neither a variant nor a twin", knownFile, name)
		}
	}
}

// line returns a finding with its requests.
func line(f report.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s %s: %s: %s: %s (%s, %d times)\n", f.Severity, f.Check, f.Operation, f.About, f.Message, f.Title,
		f.Count)
	for _, s := range f.Sent {
		status := s.Fault
		if s.Response != nil {
			status = fmt.Sprint(s.Response.Status, " ", short(string(s.Response.Body)))
		}
		fmt.Fprintf(&b, "      %s\n        → %s\n", short(s.Curl), status)
	}
	return b.String()
}

func short(text string) string {
	text = cmp.Or(text, "-")
	if runes := []rune(text); len(runes) > 400 {
		return string(runes[:400]) + "…"
	}
	return text
}

// TestDocuments holds the documents of the variants to load without findings.
func TestDocuments(t *testing.T) {
	for _, v := range Variants() {
		s, err := New(t.Context(), v, v.Behaviour)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, f := range lint.Document(s.contract, resource.Overrides{}, values.Overrides{}) {
			t.Errorf("%s: %s [%s]", v.Name, f, f.Code)
		}
	}
}
