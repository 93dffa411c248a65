package backends

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
)

// excused are refusals of conforming requests that the documents announce: of
// things that do not exist, and of cursors that no page had.
var excused = map[string][]int{
	"createLoan":    {422},
	"listRooms":     {400},
	"listCarriers":  {400},
	"listLockers":   {400},
	"listParcels":   {400},
	"createParcel":  {422},
	"replaceParcel": {422},
	"listBookings":  {400},
	"createBooking": {422},
	"replaceRoom":   {428},
}

// TestRandomRequestsAreTaken sends many conforming requests, made from the
// document alone: the service finds nothing wrong with them, and what it
// answers holds to the document.
func TestRandomRequestsAreTaken(t *testing.T) {
	for _, s := range Services() {
		c := contract(t, s)
		server, err := New(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		j := &judge{contract: c, router: route.New(c), operations: map[*spec.Operation]*validate.Validator{}}
		for _, o := range c.Operations {
			t.Run(s.Name+"/"+o.ID, func(t *testing.T) {
				builder := request.New(o, generate.Options{})
				for i := range 200 {
					r, err := builder.Valid(generate.NewKey(uint64(i), o.ID))
					if err != nil {
						t.Fatal(err)
					}
					status := j.send(t, server, r)
					if slices.Contains([]int{400, 413, 415, 422, 428, 500}, status) && !slices.Contains(excused[o.ID], status) {
						t.Errorf("%d for %s %s?%s %v %s", status, r.Method, r.Path, r.Query, r.Header, r.Body)
					}
				}
			})
		}
	}
}

// send returns a request to a service in this process, with its credentials.
func (j *judge) send(t *testing.T, server *Server, r *exchange.Request) int {
	t.Helper()
	sent := httptest.NewRequest(r.Method, "http://library.test"+r.Path, bytes.NewReader(r.Body))
	sent.URL.RawQuery = r.Query
	sent.Header = http.Header{}
	for _, f := range r.Header {
		sent.Header.Add(f.Name, f.Value)
	}
	for name, values := range server.service.Header {
		if name == "Cookie" {
			sent.Header[name] = append(values[:1:1], sent.Header[name]...)
			continue
		}
		sent.Header[name] = values
	}
	if r.Path == "/exports/books" {
		sent.SetBasicAuth(userName, password)
	}
	recorder := httptest.NewRecorder()
	server.ServeHTTP(recorder, sent)
	got := recorder.Result()
	st := &step{line: r.Method + " " + r.Path + "?" + r.Query + " " + string(r.Body), want: strconv.Itoa(got.StatusCode) + " though the document allows it"}
	j.step(t, st, r, told{status: got.StatusCode, header: got.Header, body: recorder.Body.String()})
	return got.StatusCode
}
