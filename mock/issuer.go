package mock

import (
	"net"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/origin"
	"github.com/coldframe/coldframe/mock/internal/httpserver"
	"github.com/coldframe/coldframe/mock/internal/issuer"
	"github.com/coldframe/coldframe/mock/internal/logins"
)

// newIssuer returns the issuer of Options.Auth, nil if none.
func newIssuer(s *Server) (*issuer.Issuer, error) {
	o := &s.options
	if o.Auth.Mode != "issuer" {
		return nil, nil
	}
	ttl := o.Auth.TokenTTL
	if ttl == 0 {
		ttl = logins.DefaultTTL
	}
	return issuer.New(issuer.Options{
		Clock:   func(r *exchange.Request) time.Time { return timeIn(s, chosenSession(r.Header)) },
		Elapsed: o.Clock, TTL: ttl, URL: s.URL, AllowHost: o.allowHost, RedirectURIs: o.Auth.RedirectURIs,
		Audiences: o.Auth.Audiences, Memory: o.share(),
		Users: func(r *exchange.Request, most int) []string {
			c := s.current.Load()
			found, _, err := s.sessions.Get(chosenSession(r.Header))
			if err != nil {
				return nil
			}
			return c.logins.Names(found.State, most)
		},
	})
}

// allowHost reports whether a name is Host or one of AllowedHosts.
func (o *Options) allowHost(host string) bool {
	return host == o.Listen.Host ||
		net.ParseIP(host) == nil && host != "" && origin.Hosts(o.Listen.AllowedHosts).Allow(host)
}

// serveIssuer answers a request to the issuer. It returns nil for other requests.
func serveIssuer(s *Server, r *exchange.Request) *httpserver.Answer {
	if s.issuer == nil {
		return nil
	}
	answer, crosses := s.issuer.Serve(r, s.current.Load().issuer)
	if answer != nil && crosses && s.options.Listen.CORS == "on" {
		httpserver.AllowOrigin(r, answer.Response, s.core.Hosts)
	}
	return answer
}
