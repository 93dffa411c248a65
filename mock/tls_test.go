package mock

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/coldframe/coldframe/mock/internal/httpserver"
)

// trusting is a client that trusts certificates of a pool, or none at all.
func trusting(t *testing.T, c *tls.Config) *http.Client {
	transport := &http.Transport{TLSClientConfig: c}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func TestSelfSigned(t *testing.T) {
	t.Parallel()
	s := start(t, Options{SelfSigned: true})
	if !strings.HasPrefix(s.URL(), "https://127.0.0.1:") {
		t.Error(s.URL())
	}
	client := trusting(t, &tls.Config{InsecureSkipVerify: true})
	if status, body := post(t, client, s.URL(), rose); status != 200 || body != `{"name":"Rose"}` {
		t.Error(status, body)
	}
	_, err := trusting(t, nil).Get(s.URL())
	var unknown x509.UnknownAuthorityError
	if !errors.As(err, &unknown) {
		t.Error(err)
	}
}

func TestCertificate(t *testing.T) {
	t.Parallel()
	made, err := httpserver.SelfSigned("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	key, err := x509.MarshalPKCS8PrivateKey(made.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: made.Certificate[0]})
	o := Options{
		TLSCert: write(t, "cert.pem", string(certificate)),
		TLSKey:  write(t, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}))),
	}
	s := start(t, o)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certificate)
	client := trusting(t, &tls.Config{RootCAs: pool})
	if status, body := post(t, client, s.URL(), rose); status != 200 || body != `{"name":"Rose"}` {
		t.Error(status, body)
	}
	o.TLSKey = write(t, "other.pem", "no key")
	var wrong *OptionError
	if _, err := New(t.Context(), o); !errors.As(err, &wrong) || wrong.Option != "TLSCert" {
		t.Error(err)
	}
}

// TestTLSFaults breaks connections below TLS.
func TestTLSFaults(t *testing.T) {
	t.Parallel()
	s := start(t, Options{SelfSigned: true, Scenarios: []string{write(t, "reset.yaml", "rules: [ { on: POST /plants, fault: reset } ]")}})
	conn, err := tls.Dial("tcp", s.http.Addr().String(), &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /plants HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(rose), rose)
	if n, err := conn.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Error(n, err)
	}
}
