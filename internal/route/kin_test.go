package route

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/getkin/kin-openapi/routers"
)

func TestFindRoute(t *testing.T) {
	r := New(contract("GET /plants/{id}\nDELETE /plants/{id}"))
	request := func(method, target string) *http.Request { return httptest.NewRequest(method, target, nil) }

	route, values, err := r.FindRoute(request("GET", "/plants/a%2Fb%20c?x=y"))
	if err != nil || route.Method != "GET" || route.Path != "/plants/{id}" || values["id"] != "a/b c" {
		t.Errorf("got %+v %q %v", route, values, err)
	}
	if _, _, err := r.FindRoute(request("POST", "/plants/1")); err != routers.ErrMethodNotAllowed {
		t.Errorf("wrong method: %v", err)
	}
	if _, _, err := r.FindRoute(request("GET", "/plant/1")); err != routers.ErrPathNotFound {
		t.Errorf("wrong path: %v", err)
	}

	own := &routers.Route{Path: "/plants/{id}", Method: "GET"}
	c := contract("GET /plants/{id}")
	c.Operations[0].Route = own
	if route, _, _ := New(c).FindRoute(request("GET", "/plants/1")); route != own {
		t.Error("not the operation's own route")
	}
}
