package mocktest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/mock"
	"github.com/coldframe/coldframe/mock/mocktest"
)

func (f *fake) Name() string { return "TestFake/of \"ü\"" + strings.Repeat("x", 100) }

// TestSessions runs 100 tests in parallel against one server: each sees its own
// requests, through a socket and without.
func TestSessions(t *testing.T) {
	t.Parallel()
	server := mocktest.Start(t, "")
	t.Run("all", func(t *testing.T) {
		for range 100 {
			t.Run("one of many", func(t *testing.T) {
				t.Parallel()
				session := server.Session(t)
				outside := &http.Transport{DisableKeepAlives: true}
				for _, client := range []*http.Client{session.Client(), {Transport: session.Transport(outside)}} {
					if status := post(t, client, server.URL(), rose); status != 200 {
						t.Error(status)
					}
				}
				session.Verify(mock.Expectation{Operation: "POST /plants", Count: new(2)})
				if n := len(session.Requests()); n != 2 {
					t.Errorf("%d requests", n)
				}
				if r := session.Coverage(); r.Session != session.Name() || r.Operations[0].Hits == 0 {
					t.Errorf("%+v", r)
				}
				session.Reset()
				session.Verify(mock.Expectation{Count: new(0)})
			})
		}
	})
	if server.Coverage().Operations[0].Hits != 200 {
		t.Errorf("%+v", server.Coverage())
	}
}

func TestSessionEndsWithItsTest(t *testing.T) {
	t.Parallel()
	server := mocktest.Start(t, "")
	f := &fake{}
	session := server.Session(f)
	if len(session.Name()) > 64 || strings.ContainsAny(session.Name(), "ü\" ") {
		t.Error(session.Name())
	}
	post(t, session.Client(), server.URL(), rose)
	session.Verify(mock.Expectation{Count: new(2)})
	if !f.failed || !strings.Contains(f.text.String(), "verify: 1 of 1 exchanges match, expected exactly 2") {
		t.Error(f.text.String())
	}
	f.end()
	if r := session.Coverage(); r.Covered != 0 {
		t.Errorf("the session goes on: %+v", r)
	}
}
