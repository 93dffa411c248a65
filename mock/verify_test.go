package mock

import (
	"errors"
	"strings"
	"syscall"
	"testing"
)

func TestVerify(t *testing.T) {
	t.Parallel()
	s := inside(t, Options{Control: ControlOptions{Token: "secret"}})
	if _, err := try(s.Client(), s.URL()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		expected Expectation
		error    string // the beginning of the message, "" if none
	}{
		{"any", Expectation{}, ""},
		{"operation", Expectation{Operation: "POST /plants", Count: new(1)}, ""},
		{"where", Expectation{Where: `request.body.name == "Rose"`}, ""},
		{"sequence", Expectation{Sequence: []Step{{Operation: "POST /plants"}}}, ""},
		{"miss", Expectation{Where: `request.body.name == "Fern"`},
			"0 of 1 exchanges match, expected at least 1: any operation where request.body.name == \"Fern\"\n  1 POST /plants 200: not request.body.name == \"Fern\", is \"Rose\""},
		{"too many", Expectation{AtMost: new(0)}, "1 of 1 exchanges match, expected exactly 0"},
		{"unknown", Expectation{Operation: "GET /roses"}, `body.operation: unknown operation "GET /roses"`},
	} {
		err := s.Verify(c.expected)
		var wrong *VerifyError
		if c.error == "" && err != nil || c.error != "" && (!errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), c.error)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.error)
		}
	}
	off := inside(t, Options{Control: ControlOptions{Mode: "off"}}) // which turns off the HTTP API alone
	if err := off.Verify(Expectation{}); err == nil || !strings.HasPrefix(err.Error(), "0 of 0 exchanges match") {
		t.Error(err)
	}
	none := inside(t, Options{Control: ControlOptions{Journal: -1}})
	if err := none.Verify(Expectation{}); err == nil || !strings.Contains(err.Error(), "journal") {
		t.Error(err)
	}
}

// TestVerifyCost has an expectation whose evaluations together take more than it may.
func TestVerifyCost(t *testing.T) {
	t.Parallel()
	s := inside(t, Options{})
	for range 40 {
		if _, err := try(s.Client(), s.URL()); err != nil {
			t.Fatal(err)
		}
	}
	err := s.Verify(Expectation{Where: "reduce(1..400000, #acc + #, 0) > 0"})
	if err == nil || !strings.Contains(err.Error(), "steps") {
		t.Error(err)
	}
	if err := s.Verify(Expectation{Where: "reduce(1..400, #acc + #, 0) > 0"}); err != nil {
		t.Error(err)
	}
}

func TestReset(t *testing.T) {
	t.Parallel()
	s := inside(t, Options{Scenarios: []string{write(t, "once.yaml", "rules: [ { on: POST /plants, times: 1, fault: reset } ]")}})
	for range 2 {
		if _, err := try(s.Client(), s.URL()); !errors.Is(err, syscall.ECONNRESET) {
			t.Error("the rule does not begin again:", err)
		}
		if body, err := try(s.Client(), s.URL()); err != nil {
			t.Error(body, err)
		}
		if n := len(s.Requests()); n != 2 || s.store.View().Total() == 0 {
			t.Error(n)
		}
		s.Reset()
		if n := len(s.Requests()); n != 0 || s.store.View().Total() != 0 {
			t.Error(n)
		}
	}
}
