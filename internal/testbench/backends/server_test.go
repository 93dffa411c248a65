package backends

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
)

func TestNewRefusesWhatItDoesNotKnow(t *testing.T) {
	if _, err := New("museum"); err == nil {
		t.Error("a service that does not exist was made")
	}
	if _, err := New("library", "accepts-everything"); err == nil {
		t.Error("a fault that does not exist was switched on")
	}
}

// ask sends one request of the staff in this process.
func ask(s *Server, method, target, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+staffToken)
	r.Header.Set("X-Api-Key", apiKey)
	r.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	s.ServeHTTP(recorder, r)
	return recorder
}

func TestResetTakesEverythingBack(t *testing.T) {
	s, err := New("library")
	if err != nil {
		t.Fatal(err)
	}
	before := ask(s, "GET", "/books", "").Body.String()
	first := ask(s, "POST", "/books", baseBodies["book"])
	if first.Code != http.StatusCreated {
		t.Fatal(first.Body)
	}
	s.Reset()
	if after := ask(s, "GET", "/books", "").Body.String(); after != before {
		t.Errorf("after Reset the books are\n%s, were\n%s", after, before)
	}
	if again := ask(s, "POST", "/books", baseBodies["book"]); again.Body.String() != first.Body.String() {
		t.Errorf("the same request is answered with\n%s, was with\n%s", again.Body, first.Body)
	}
}

func TestManyClientsAtOnce(t *testing.T) {
	s, err := New("library")
	if err != nil {
		t.Fatal(err)
	}
	var clients sync.WaitGroup
	for c := range 8 {
		clients.Go(func() {
			for i := range 50 {
				isbn := fmt.Sprintf("978%05d%05d", c, i)
				made := ask(s, "POST", "/books", strings.Replace(baseBodies["book"], "9780141439587", isbn, 1))
				if made.Code != http.StatusCreated {
					t.Error(made.Code, made.Body)
					return
				}
				if read := ask(s, "GET", made.Header().Get("Location"), ""); read.Body.String() != made.Body.String() {
					t.Errorf("made %s, read %s", made.Body, read.Body)
				}
				ask(s, "GET", "/books?sort=-title&limit=5", "")
			}
		})
	}
	clients.Wait()
	if total := ask(s, "GET", "/books", "").Header().Get("X-Total-Count"); total != strconv.Itoa(3+8*50) {
		t.Errorf("there are %s books", total)
	}
}

func TestCollectionsAreBounded(t *testing.T) {
	c := &collection{byID: map[string]*item{}}
	for i := range maxKept + 10 {
		c.add(strconv.Itoa(i), nil)
	}
	if len(c.items) != maxKept || len(c.byID) != maxKept || c.byID["9"] != nil || c.byID["10"] == nil {
		t.Errorf("%d items, %d of them by identity, the first is %s", len(c.items), len(c.byID), c.items[0].id)
	}
}
