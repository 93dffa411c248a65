package callbacks

import (
	"fmt"
	"net"
	"net/url"
	"strings"
	"syscall"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Allow is the set of targets that requests may go to. The zero value is empty.
type Allow struct {
	text     string
	loopback bool
	hosts    []target
}

// target is a host and a port; port is empty for all of them.
type target struct{ host, port string }

// ParseAllow reads "off", "loopback" or a comma-separated list of hosts with or
// without ports; "" is "off".
func ParseAllow(text string) (Allow, error) {
	a := Allow{text: text}
	switch text {
	case "", "off":
		a.text = "off"
		return a, nil
	case "loopback":
		a.loopback = true
		return a, nil
	}
	for element := range strings.SplitSeq(text, ",") {
		element = strings.TrimSpace(element)
		u, err := url.Parse("//" + element)
		if err != nil || u.Host != element || u.Hostname() == "" || strings.ContainsAny(element, "*/@ ") {
			return Allow{}, fmt.Errorf("%q is none of off, loopback and a list of HOST or HOST:PORT", element)
		}
		a.hosts = append(a.hosts, target{strings.ToLower(u.Hostname()), u.Port()})
	}
	return a, nil
}

// Off reports whether nothing may be sent.
func (a Allow) Off() bool { return !a.loopback && len(a.hosts) == 0 }

// String gives the text that was parsed.
func (a Allow) String() string { return a.text }

// check gives the reason why a URL is no target, nil where it is one.
func (a Allow) check(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		return fmt.Errorf("%q is not an http(s) URL with a host", exchange.Shorten(u.Redacted(), 200))
	}
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	if a.loopback {
		if ip := net.ParseIP(host); ip == nil || ip.IsLoopback() {
			return nil // a name is judged by its address, when it is dialled
		}
	}
	for _, t := range a.hosts {
		if t.host == host && (t.port == "" || t.port == port) {
			return nil
		}
	}
	return fmt.Errorf("target %s is not allowed by the option callbacks (%s)", net.JoinHostPort(host, port), a)
}

// control refuses to dial addresses beyond this machine where only that is
// allowed: a name can lead anywhere.
func (a Allow) control(_, address string, _ syscall.RawConn) error {
	if !a.loopback {
		return nil
	}
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return fmt.Errorf("address %s is not allowed by the option callbacks (%s)", address, a)
	}
	return nil
}
