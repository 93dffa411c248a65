package route

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/getkin/kin-openapi/routers/legacy"

	"github.com/coldframe/coldframe/internal/spec"
)

// BenchmarkFind asks for every operation of a document in a shuffled order:
// synthetic documents, and GitHub's where COLDFRAME_CORPUS names its folder.
// FindRoute of kin-openapi's routers and of this one run beside it.
func BenchmarkFind(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 5000} {
		b.Run(fmt.Sprint("operations=", n), func(b *testing.B) { benchmark(b, synthetic(n)) })
	}
	if corpus := os.Getenv("COLDFRAME_CORPUS"); corpus != "" {
		document, err := openapi3.NewLoader().LoadFromFile(filepath.Join(corpus, "github.json"))
		if err != nil {
			b.Fatal(err)
		}
		bare := empty()
		for path, item := range document.Paths.Map() {
			for method := range item.Operations() {
				add(bare, method, path)
			}
		}
		b.Run("github", func(b *testing.B) { benchmark(b, bare) })
	}
}

// synthetic has five operations a resource.
func synthetic(n int) *openapi3.T {
	document := empty()
	for i := range n / 5 {
		collection := fmt.Sprintf("/area%d/{area}/resources%d", i%20, i)
		add(document, "GET", collection)
		add(document, "POST", collection)
		add(document, "GET", collection+"/{id}")
		add(document, "PUT", collection+"/{id}")
		add(document, "DELETE", collection+"/{id}")
	}
	return document
}

func empty() *openapi3.T {
	return &openapi3.T{OpenAPI: "3.0.3", Info: &openapi3.Info{Title: "t", Version: "1"}, Paths: openapi3.NewPaths()}
}

// add adds an operation with as much as the legacy router asks for, which
// refuses GitHub's document as it is.
func add(document *openapi3.T, method, path string) {
	operation := &openapi3.Operation{Responses: openapi3.NewResponses()}
	operation.Responses.Set("200", &openapi3.ResponseRef{Value: openapi3.NewResponse().WithDescription("")})
	for _, name := range parseTemplate(&spec.Operation{Path: path}).names {
		operation.AddParameter(openapi3.NewPathParameter(name).WithSchema(openapi3.NewStringSchema()))
	}
	document.AddOperation(path, method, operation)
}

func fromModel(document *openapi3.T) *spec.Contract {
	c := &spec.Contract{}
	for _, path := range document.Paths.InMatchingOrder() {
		item := document.Paths.Value(path)
		for method, operation := range item.Operations() {
			c.Operations = append(c.Operations, &spec.Operation{Method: method, Path: path, BasePaths: []string{""}, Route: &routers.Route{
				Spec: document, Path: path, PathItem: item, Method: method, Operation: operation,
			}})
		}
	}
	return c
}

func benchmark(b *testing.B, document *openapi3.T) {
	document.Servers = nil
	c := fromModel(document)
	r := New(c)
	shuffle := rand.New(rand.NewPCG(1, 2))
	requests := make([]*http.Request, len(c.Operations))
	methods := make([]string, len(c.Operations))
	targets := make([]string, len(c.Operations))
	// A server has just read the path that it looks for; so that it is no more
	// news to the processor here, all paths stand side by side.
	var text strings.Builder
	for i, j := range shuffle.Perm(len(c.Operations)) {
		op := c.Operations[j]
		methods[i], targets[i] = op.Method, fill(op.Template())
		text.WriteString(targets[i])
	}
	rest := text.String()
	for i := range targets {
		targets[i], rest = rest[:len(targets[i])], rest[len(targets[i]):]
		requests[i] = &http.Request{Method: methods[i], URL: &url.URL{Path: targets[i]}, Host: "localhost"}
	}
	b.Run("Find", func(b *testing.B) {
		b.ReportAllocs()
		var m Match
		i := 0
		for b.Loop() {
			if r.Find(methods[i], targets[i], &m) != Found {
				b.Fatal(methods[i], targets[i])
			}
			if i++; i == len(targets) {
				i = 0
			}
		}
	})
	b.Run("FindRoute", func(b *testing.B) { benchmarkRouter(b, r, nil, requests) })
	slow, err := gorillamux.NewRouter(document)
	b.Run("gorillamux", func(b *testing.B) { benchmarkRouter(b, slow, err, requests) })
	old, err := legacy.NewRouter(document)
	b.Run("legacy", func(b *testing.B) { benchmarkRouter(b, old, err, requests) })
}

func benchmarkRouter(b *testing.B, r routers.Router, err error, requests []*http.Request) {
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, _, err := r.FindRoute(requests[i]); errors.Is(err, routers.ErrPathNotFound) {
			b.Fatal(requests[i].Method, requests[i].URL.Path)
		}
		if i++; i == len(requests) {
			i = 0
		}
	}
}

// fill returns a path that a template matches.
func fill(path string) string {
	segments, _ := parsePath(path)
	var b strings.Builder
	for _, s := range segments {
		b.WriteString("/" + strings.Join(s.literals, "value-17"))
	}
	return b.String()
}

// BenchmarkNearest is what an unknown path costs.
func BenchmarkNearest(b *testing.B) {
	r := New(fromModel(synthetic(5000)))
	for b.Loop() {
		r.Nearest("GET", "/area7/value/resuorces167/value/and/something/else")
	}
}

// BenchmarkNew is what a router costs at the start.
func BenchmarkNew(b *testing.B) {
	c := fromModel(synthetic(5000))
	for b.Loop() {
		New(c)
	}
}
