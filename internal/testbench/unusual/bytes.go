package unusual

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// served wraps the service: f gets the recorded answer and writes it its own way.
func served(f func(w http.ResponseWriter, r *http.Request, answer *httptest.ResponseRecorder)) Behaviour {
	return Behaviour{Serve: func(_ *Service, next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			recorder := httptest.NewRecorder()
			next.ServeHTTP(recorder, r)
			f(w, r, recorder)
		})
	}}
}

// head copies status and fields.
func head(w http.ResponseWriter, answer *httptest.ResponseRecorder, without ...string) {
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	for _, name := range without {
		w.Header().Del(name)
	}
}

func hasBody(answer *httptest.ResponseRecorder) bool { return answer.Body.Len() > 0 }

// first answers some of the first requests in place of the service.
func first(requests int64, f func(w http.ResponseWriter)) Behaviour {
	return Behaviour{Serve: func(_ *Service, next http.Handler) http.Handler {
		var n atomic.Int64
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if n.Add(1) <= requests {
				f(w)
				return
			}
			next.ServeHTTP(w, r)
		})
	}}
}

// refusal answers with a status and a text, as something before the service does.
func refusal(w http.ResponseWriter, status int, fields ...string) {
	for i := 0; i+1 < len(fields); i += 2 {
		w.Header().Set(fields[i], fields[i+1])
	}
	http.Error(w, http.StatusText(status), status)
}

// before lets the service answer only requests that pass.
func before(passes func(w http.ResponseWriter, r *http.Request) bool) Behaviour {
	return Behaviour{Serve: func(_ *Service, next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if passes(w, r) {
				next.ServeHTTP(w, r)
			}
		})
	}}
}

// fields adds fields to every answer.
func fields(more ...string) Behaviour {
	return Behaviour{After: func(c *call) {
		for i := 0; i+1 < len(more); i += 2 {
			c.answer.header.Add(more[i], more[i+1])
		}
	}}
}

// rewritten writes the bodies that are JSON otherwise.
func rewritten(f func([]byte) []byte) Behaviour {
	return Behaviour{After: func(c *call) {
		if strings.Contains(c.answer.kind, "json") {
			c.answer.body = f(c.answer.body)
		}
	}}
}

// stream is a change that adds a stream.
func stream(id, text, kind string) string {
	return `paths: {/tasks/changes: {get: {operationId: ` + id + `, summary: ` + strconv.Quote(text) + `, responses: {"200": {description: The changes., content: {` + kind +
		`: {}}}, "401": {$ref: "#/components/responses/Unauthorized"}}}}}`
}

// streams answers an operation piece by piece, until the client goes.
func streams(path, kind string, pause time.Duration, piece string, pieces int) Behaviour {
	return before(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != path || r.Method != http.MethodGet || r.Header.Get("Authorization") != "Bearer "+Token {
			return true
		}
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(http.StatusOK)
		for n := 0; n < pieces || pieces < 0; n++ {
			if _, err := fmt.Fprint(w, piece); err != nil {
				return false
			}
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
				return false
			case <-time.After(pause):
			}
		}
		return false
	})
}

var wireVariants = []Variant{
	{
		Name:    "gzip-always",
		Permits: "RFC 9110 section 12.5.3: without Accept-Encoding any content coding is acceptable to the user agent",
		Behaviour: served(func(w http.ResponseWriter, _ *http.Request, answer *httptest.ResponseRecorder) {
			if !hasBody(answer) {
				head(w, answer)
				w.WriteHeader(answer.Code)
				return
			}
			head(w, answer, "Content-Length")
			w.Header().Set("Content-Encoding", "gzip")
			w.WriteHeader(answer.Code)
			g := gzip.NewWriter(w)
			g.Write(answer.Body.Bytes())
			g.Close()
		}),
	}, {
		Name: "type-examined", Permits: "RFC 9110 section 8.3: recipients may examine the data, whatever its Content-Type",
		Behaviour: Behaviour{Serve: func(_ *Service, next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var body bytes.Buffer
				body.ReadFrom(r.Body)
				kind := map[string]string{"POST": "application/json", "PATCH": "application/merge-patch+json"}[r.Method]
				if json.Valid(body.Bytes()) && kind != "" {
					r.Header.Set("Content-Type", kind)
				}
				r.Body = io.NopCloser(&body)
				next.ServeHTTP(w, r)
			})
		}},
	}, {
		Name: "gzip", Permits: "RFC 9110 section 12.5.3: the content coding is the server's choice among those accepted",
		Behaviour: served(func(w http.ResponseWriter, r *http.Request, answer *httptest.ResponseRecorder) {
			if !hasBody(answer) || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
				head(w, answer)
				w.WriteHeader(answer.Code)
				w.Write(answer.Body.Bytes())
				return
			}
			head(w, answer, "Content-Length")
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Vary", "Accept-Encoding")
			w.WriteHeader(answer.Code)
			g := gzip.NewWriter(w)
			g.Write(answer.Body.Bytes())
			g.Close()
		}),
	},
	{
		Name: "chunked", Permits: "RFC 9112 section 7.1: an answer may come in chunks, with trailers",
		Behaviour: served(func(w http.ResponseWriter, _ *http.Request, answer *httptest.ResponseRecorder) {
			head(w, answer, "Content-Length")
			if hasBody(answer) {
				w.Header().Set("Trailer", "X-Checked")
			}
			w.WriteHeader(answer.Code)
			for body := answer.Body.Bytes(); len(body) > 0; {
				n := min(7, len(body))
				w.Write(body[:n])
				w.(http.Flusher).Flush()
				body = body[n:]
			}
			if hasBody(answer) {
				w.Header().Set("X-Checked", "yes")
			}
		}),
	},
	{
		Name: "closing", Permits: "RFC 9112 section 9.6: a server may close the connection after each answer",
		Behaviour: fields("Connection", "close"),
	},
	{
		Name: "more-fields", Permits: "RFC 9110 section 5.1: fields that a recipient does not know are ignored",
		Behaviour: fields("X-Request-Id", "7b1", "Server", "tasks/1", "Set-Cookie", "a=b; Path=/", "Set-Cookie", "c=d", "Vary",
			"Accept, Origin", "Cache-Control", "no-store", "Age", "0", "Strict-Transport-Security", "max-age=60"),
	},
	{
		Name: "charset", Permits: "RFC 9110 section 8.3.1: parameters follow a media type; RFC 8259 section 11 gives charset no meaning",
		Behaviour: Behaviour{After: func(c *call) {
			if c.answer.kind != "" {
				c.answer.kind += "; charset=utf-8"
			}
		}},
	},
	{
		Name: "type-in-capitals", Permits: "RFC 9110 section 8.3.1: types and subtypes are case-insensitive",
		Behaviour: Behaviour{After: func(c *call) {
			c.answer.kind = strings.Replace(c.answer.kind, "application/json", "Application/JSON", 1)
		}},
	},
	{
		Name: "escaped", Permits: "RFC 8259 section 7: any character may be escaped",
		Behaviour: rewritten(func(body []byte) []byte {
			var b bytes.Buffer
			for len(body) > 0 {
				r, n := utf8.DecodeRune(body)
				switch {
				case r < utf8.RuneSelf:
					b.WriteByte(body[0])
				case r > 0xffff:
					r -= 0x10000
					fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
				default:
					fmt.Fprintf(&b, `\u%04X`, r)
				}
				body = body[n:]
			}
			return b.Bytes()
		}),
	},
	{
		Name: "indented", Permits: "RFC 8259 section 2: white space is allowed before and after values",
		Behaviour: rewritten(func(body []byte) []byte {
			var b bytes.Buffer
			b.WriteString("\r\n\t")
			json.Indent(&b, body, "", "\t")
			b.WriteString("\n\n")
			return b.Bytes()
		}),
	},
	{
		Name: "warming-up", Permits: "RFC 9110 section 15.6.4: 503 with Retry-After while the server is not ready",
		Behaviour: first(4, func(w http.ResponseWriter) { refusal(w, http.StatusServiceUnavailable, "Retry-After", "1") }),
	},
	{
		Name: "rate-limited", Permits: "RFC 6585 section 4: 429 where the client sent too many requests",
		Behaviour: func() Behaviour {
			return Behaviour{Serve: func(_ *Service, next http.Handler) http.Handler {
				var n atomic.Int64
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if at := n.Add(1); at == 40 || at == 150 {
						refusal(w, http.StatusTooManyRequests, "Retry-After", "1")
						return
					} else if at%25 == 0 {
						refusal(w, http.StatusTooManyRequests, "Retry-After", "0")
						return
					}
					next.ServeHTTP(w, r)
				})
			}}
		}(),
	},
	{
		Name: "retry-at-date", Permits: "RFC 9110 section 10.2.3: Retry-After may be a date",
		Behaviour: first(5, func(w http.ResponseWriter) {
			refusal(w, http.StatusServiceUnavailable, "Retry-After", time.Now().Add(time.Second).UTC().Format(http.TimeFormat))
		}),
	},
	{
		Name: "trailing-slash", Permits: "RFC 9110 section 15.4.9: 308 where the resource has another URI; the client sends the same again",
		Change: `paths: {/tasks: {get: {responses: {"308": {description: The same with a slash at the end.}}}}}`,
		Behaviour: before(func(w http.ResponseWriter, r *http.Request) bool {
			if rest, ok := strings.CutSuffix(r.URL.Path, "/"); ok && rest == "/tasks" {
				r.URL.Path, r.URL.RawPath = rest, ""
				return true
			}
			if r.URL.Path == "/tasks" && r.Method == http.MethodGet {
				target := "/tasks/"
				if r.URL.RawQuery != "" {
					target += "?" + r.URL.RawQuery
				}
				w.Header().Set("Location", target)
				w.WriteHeader(http.StatusPermanentRedirect)
				return false
			}
			return true
		}),
	},
	{
		Name: "long-poll", Permits: "document: the answer comes when there is a change, or after 30 seconds",
		Change:    stream("awaitChange", "Waits for a change (long polling): the answer comes when there is one or after 30 seconds.", "application/json"),
		Behaviour: streams("/tasks/changes", "application/json", 30*time.Second, "", 1),
	},
	{
		Name: "endless-events", Permits: "WHATWG HTML section 9.2: an event stream stays open",
		Change:    stream("streamChanges", "Sends an event for each change.", "text/event-stream"),
		Behaviour: streams("/tasks/changes", "text/event-stream", 50*time.Millisecond, "data: {\"id\":1}\n\n", -1),
	},
	{
		Name: "silent-events", Permits: "WHATWG HTML section 9.2: an event stream stays open, also while nothing happens",
		Change:    stream("streamChanges", "Sends an event for each change.", "text/event-stream"),
		Behaviour: streams("/tasks/changes", "text/event-stream", time.Hour, ": hello\n\n", -1),
	},
	{
		Name: "slow-stream", Permits: "document: a line a change, as they come",
		Change:    stream("streamChanges", "Sends a line for each change, while the connection is open.", "application/x-ndjson"),
		Behaviour: streams("/tasks/changes", "application/x-ndjson", 300*time.Millisecond, "{\"id\":1}\n", -1),
	},
	{
		Name: "websocket", Permits: "RFC 6455 section 4.2.2: what is no handshake is refused with an error such as 400 or 426",
		Change: `paths: {/live: {get: {operationId: live, summary: Opens a WebSocket., responses: {"101": {description: The protocol is switched to WebSocket.}, "401": {$ref: "#/components/responses/Unauthorized"}}}}}`,
		Behaviour: before(func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/live" && r.Method == http.MethodGet && r.Header.Get("Authorization") == "Bearer "+Token {
				refusal(w, http.StatusUpgradeRequired, "Upgrade", "websocket", "Connection", "Upgrade")
				return false
			}
			return true
		}),
	},
	{
		Name: "early-hints", Permits: "RFC 9110 section 15.2: a client must be able to parse interim answers before the final one",
		Behaviour: before(func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Link", "</style.css>; rel=preload")
			w.WriteHeader(http.StatusEarlyHints)
			return true
		}),
	},
	{
		Name: "http-1.0", Permits: "RFC 9110 section 6.2: an intermediary may answer with another version; the body ends with the connection",
		Behaviour: served(func(w http.ResponseWriter, _ *http.Request, answer *httptest.ResponseRecorder) {
			connection, buffer, err := w.(http.Hijacker).Hijack()
			if err != nil {
				return
			}
			defer connection.Close()
			fmt.Fprintf(buffer, "HTTP/1.0 %d %s\r\n", answer.Code, http.StatusText(answer.Code))
			answer.Header().Del("Content-Length")
			answer.Header().Write(buffer)
			buffer.WriteString("\r\n")
			buffer.Write(answer.Body.Bytes())
			buffer.Flush()
		}),
	},
	{
		Name: "limits", Permits: "RFC 9110 sections 15.5.14 and 15.5.15, RFC 6585 section 5: 413, 414 and 431 where content, target or fields are too large",
		Behaviour: before(func(w http.ResponseWriter, r *http.Request) bool {
			size := 0
			for name, values := range r.Header {
				size += len(name) + len(strings.Join(values, ""))
			}
			switch {
			case r.ContentLength > 4096:
				refusal(w, http.StatusRequestEntityTooLarge)
			case len(r.URL.RequestURI()) > 2000:
				refusal(w, http.StatusRequestURITooLong)
			case size > 4096:
				refusal(w, http.StatusRequestHeaderFieldsTooLarge)
			default:
				return true
			}
			return false
		}),
	},
	{
		Name: "404-for-odd-ids", Permits: "RFC 9110 section 15.5.5: 404 where no representation is found, whatever the target looks like",
		Behaviour: Behaviour{Before: func(c *call) bool {
			if id, has := c.path["taskId"]; has {
				if n, err := strconv.Atoi(id); err != nil || n < 1 {
					c.refuse(http.StatusNotFound, "there is no such task")
					return true
				}
			}
			return false
		}},
	},
	{
		Name: "head-and-options", Permits: "RFC 9110 section 9.1: GET and HEAD MUST be supported; OPTIONS may be",
		Behaviour: func() Behaviour {
			return Behaviour{Serve: func(_ *Service, next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					switch {
					case r.Method == http.MethodHead && strings.HasPrefix(r.URL.Path, "/tasks"):
						get := r.Clone(r.Context())
						get.Method = http.MethodGet // net/http sends no body to r
						next.ServeHTTP(w, get)
					case r.Method == http.MethodOptions:
						w.Header().Set("Allow", "GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE")
						w.WriteHeader(http.StatusNoContent)
					case r.Method == http.MethodTrace:
						refusal(w, http.StatusNotImplemented)
					default:
						next.ServeHTTP(w, r)
					}
				})
			}}
		}(),
	},
	{
		Name: "no-length", Permits: "RFC 9110 section 9.3.2: an answer to HEAD may leave out Content-Length",
		Change: `paths: {/tasks: {head: {operationId: countTasks, summary: Says whether there are tasks., responses: {"200": {description: There are., headers: {X-Total: {schema: {type: integer}}}}, "401": {description: No.}}}}}`,
		Behaviour: handle("countTasks", func(c *call) {
			c.answer.header.Set("X-Total", strconv.Itoa(len(c.collection("tasks").live())))
			c.bare(http.StatusOK)
		}),
	},
	{
		Name: "idle-closed", Permits: "RFC 9112 section 9.5: a server may close an idle connection at any time",
		Behaviour: served(func(w http.ResponseWriter, r *http.Request, answer *httptest.ResponseRecorder) {
			head(w, answer)
			if len(r.URL.Path)%3 == 0 {
				w.Header().Set("Connection", "close")
			}
			w.WriteHeader(answer.Code)
			w.Write(answer.Body.Bytes())
		}),
	},
	{
		Name: "challenges", Permits: "RFC 9110 section 11.6.1: WWW-Authenticate has one or several challenges",
		Behaviour: Behaviour{After: func(c *call) {
			if c.answer.status == http.StatusUnauthorized {
				c.answer.header["Www-Authenticate"] = []string{`Newauth realm="apps", type=1, title="Log in", Basic realm="simple"`, `Bearer`}
			}
		}},
	},
	{
		Name: "problem-members", Permits: "RFC 9457 section 3.2: problems may have extension members",
		Behaviour: Behaviour{After: func(c *call) {
			if c.answer.status >= 400 {
				c.reply(c.answer.status, map[string]any{"type": "about:blank", "title": "No", "status": c.answer.status,
					"instance": "/problems/1", "errors": []any{map[string]any{"pointer": "/x"}}, "trace": "00-1"})
				c.answer.kind = "application/problem+json"
			}
		}},
	},
	{
		Name: "403-for-no-token", Permits: "RFC 9110 section 15.5.4: 403 where the credentials, or their absence, do not suffice",
		Change: `paths: {/tasks: {get: {responses: {"403": {$ref: "#/components/responses/Forbidden"}}}}}`,
		Behaviour: Behaviour{After: func(c *call) {
			if c.id == "listTasks" && c.answer.status == http.StatusUnauthorized {
				c.refuse(http.StatusForbidden, "no")
			}
		}},
		Twins: []Twin{{"no-token-needed", "credentials-ignored", before(func(_ http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodGet && r.URL.Path == "/tasks" {
				r.Header.Set("Authorization", "Bearer "+Token)
			}
			return true
		})}},
	},
	{
		Name: "starting", Permits: "RFC 9110 section 15.6.4: 503 with a Retry-After of 0 for a moment",
		Behaviour: first(2, func(w http.ResponseWriter) { refusal(w, http.StatusServiceUnavailable, "Retry-After", "0") }),
	},
}
