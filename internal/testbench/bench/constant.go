package main

import (
	"encoding/json"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gofiber/fiber/v2"
)

// children are what this program does if it is started by itself.
var children = map[string]func(file, port string) error{
	"constant":    serveConstant,
	"kin-openapi": loadAlone,
	"relay":       serveRelay,
}

// constant is what a route always answers.
type constant struct {
	Method, Path string
	Status       int
	Body         string
}

// asked is the row as a server is asked: rows with one path have different constant answers.
func (p *process) asked(r row) row {
	if p.name == base || p.name == "fiber" {
		r.path = "/" + r.name + r.path
	}
	return r
}

// constants writes the routes of a constant server: for each row its answer.
func constants(file string, rows []row, body func(row) []byte) error {
	var routes []constant
	for _, r := range rows {
		path, _, _ := strings.Cut(strings.ReplaceAll(r.path, "{n}", ":n"), "?")
		routes = append(routes, constant{r.method, "/" + r.name + path, r.status, string(body(r))})
	}
	text, err := json.Marshal(routes)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o666)
}

func serveConstant(file, port string) error {
	app, err := constantApp(file)
	if err != nil {
		return err
	}
	return app.Listen("127.0.0.1:" + port)
}

// constantApp is the least that a fiber application can do.
func constantApp(file string) (*fiber.App, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var routes []constant
	if err := json.Unmarshal(text, &routes); err != nil {
		return nil, err
	}
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	for _, r := range routes {
		body := []byte(r.Body)
		app.Add(r.Method, r.Path, func(c *fiber.Ctx) error {
			c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
			return c.Status(r.Status).Send(body)
		})
	}
	return app, nil
}

// serveRelay is the least that a proxy can do with the standard library.
func serveRelay(upstream, port string) error {
	u, err := url.Parse(upstream)
	if err != nil {
		return err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = connections
	return http.ListenAndServe("127.0.0.1:"+port, &httputil.ReverseProxy{
		Transport: transport,
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(u); r.SetXForwarded() },
	})
}

// loadAlone loads a document with kin-openapi and does nothing else, then answers. coldframe's start is compared with
// it.
func loadAlone(file, port string) error {
	loader := openapi3.NewLoader()
	loader.IsExternalRefsAllowed = true
	document, err := loader.LoadFromFile(file)
	if err != nil {
		return err
	}
	return http.ListenAndServe("127.0.0.1:"+port, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte(document.Info.Title))
	}))
}
