package store

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/mock"
	"github.com/coldframe/coldframe/mock/mocktest"
)

const document = "../../openapi.yaml"

func TestCreate(t *testing.T) {
	server := mocktest.Start(t, document)
	client := &Client{URL: server.URL(), Token: "token"}

	plant, err := client.Create(t.Context(), Plant{ID: 7, Name: "Boston Fern"})
	if err != nil || plant.Name != "Boston Fern" {
		t.Error(plant, err)
	}
	server.Verify(mock.Expectation{Operation: "POST /plants", Where: `request.body.id == 7`, Count: new(1)})
}

func TestRefused(t *testing.T) {
	server := mocktest.Start(t, document)
	client := &Client{URL: server.URL(), HTTP: server.Client()} // without a socket

	_, err := client.Create(t.Context(), Plant{Name: "Boston Fern"}) // no id
	var refused *Error
	if !errors.As(err, &refused) || refused.Status != 400 {
		t.Error(err)
	}
}

// TestInParallel shares one mock between subtests that run at once: each has a
// session, and sees only what it does itself.
func TestInParallel(t *testing.T) {
	server := mocktest.Start(t, document)
	for _, name := range []string{"Rose", "Tulip", "Fern"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			session := server.Session(t)
			client := &Client{URL: server.URL(), Token: "token", HTTP: session.Client()}
			if _, err := client.Create(t.Context(), Plant{ID: 1, Name: name}); err != nil {
				t.Error(err)
			}
			session.Verify(mock.Expectation{Operation: "POST /plants", Count: new(1)})
			if sent := string(session.Requests()[0].Request.Body); !strings.Contains(sent, name) {
				t.Error(sent)
			}
		})
	}
}

// TestSoldOut has a scenario answer; TestBroken breaks the connection.
func TestSoldOut(t *testing.T) {
	server := mocktest.Start(t, document, func(o *mock.Options) {
		o.Scenarios = []string{"../plant-store/scenarios/sold-out.yaml"}
	})
	client := &Client{URL: server.URL(), Token: "token"}

	_, err := client.Create(t.Context(), Plant{ID: 8, Name: "Monstera"})
	var refused *Error
	if !errors.As(err, &refused) || !strings.Contains(refused.Message, "sold out") {
		t.Error(err)
	}
}

func TestBroken(t *testing.T) {
	server := mocktest.Start(t, document, func(o *mock.Options) {
		o.Scenarios = []string{"testdata/truncate.yaml"}
	})
	client := &Client{URL: server.URL(), Token: "token"}

	if _, err := client.Create(t.Context(), Plant{ID: 8, Name: "Monstera"}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}
