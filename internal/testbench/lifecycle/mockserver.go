package main

import (
	"bytes"
	"io"
	"net/http"
	"strconv"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
)

// mockServer is a document mockServer with one value of mock.Options.UnknownItems.
type mockServer struct {
	client       http.RoundTripper
	unknownItems string
	sessions     int
	known        map[*spec.Operation]*operation
}

// operation is an operation with what makes its requests and judges its
// answers.
type operation struct {
	*spec.Operation
	builders  map[string]*request.Builder // by fill
	validator *validate.Validator
}

func newMockServer(client http.RoundTripper, unknownItems string) *mockServer {
	return &mockServer{client: client, unknownItems: unknownItems, known: map[*spec.Operation]*operation{}}
}

func (s *mockServer) operation(of *spec.Operation) *operation {
	o := s.known[of]
	if o == nil {
		o = &operation{of, map[string]*request.Builder{}, validate.New(of)}
		s.known[of] = o
	}
	return o
}

func (o *operation) builder(fill string) *request.Builder {
	b := o.builders[fill]
	if b == nil {
		b = request.New(o.Operation, generate.Options{Fill: fill})
		o.builders[fill] = b
	}
	return b
}

// session begins a session in which nothing has happened.
func (s *mockServer) session() { s.sessions++ }

// host is whose requests these are: what the mock's own absolute links begin
// with.
const host = "http://localhost"

func (s *mockServer) send(r *exchange.Request) (*exchange.Response, error) {
	target := host + r.Path
	if r.Query != "" {
		target += "?" + r.Query
	}
	sent, err := http.NewRequest(r.Method, target, bytes.NewReader(r.Body))
	if err != nil {
		return nil, err
	}
	for _, f := range r.Header {
		sent.Header.Add(f.Name, f.Value)
	}
	sent.Header.Set("Coldframe-Session", strconv.Itoa(s.sessions))
	answer, err := s.client.RoundTrip(sent)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	got := &exchange.Response{Status: answer.StatusCode, Body: body}
	for name, values := range answer.Header {
		for _, value := range values {
			got.Header = append(got.Header, exchange.Field{Name: name, Value: value})
		}
	}
	return got, nil
}
