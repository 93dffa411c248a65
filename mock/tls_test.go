package mock

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
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
	s := start(t, Options{Listen: ListenOptions{SelfSigned: true}})
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
		Listen: ListenOptions{TLSCert: write(t, "cert.pem", string(certificate)),
			TLSKey: write(t, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})))},
	}
	s := start(t, o)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certificate)
	client := trusting(t, &tls.Config{RootCAs: pool})
	if status, body := post(t, client, s.URL(), rose); status != 200 || body != `{"name":"Rose"}` {
		t.Error(status, body)
	}
	o.Listen.TLSKey = write(t, "other.pem", "no key")
	var wrong *OptionError
	if _, err := New(t.Context(), o); !errors.As(err, &wrong) || wrong.Option != "Listen.TLSCert" {
		t.Error(err)
	}
}

// TestClientCertificate meets mutualTLS with any certificate, over the mock's own TLS and over the TLS of net/http.
func TestClientCertificate(t *testing.T) {
	t.Parallel()
	document := []byte("openapi: 3.1.0\ninfo: {title: t, version: '1'}\nsecurity: [{certificate: []}]\n" +
		"paths: {/x: {get: {responses: {'204': {description: d}, '401': {description: d}}}}}\n" +
		"components: {securitySchemes: {certificate: {type: mutualTLS}}}\n")
	certificate, err := httpserver.SelfSigned("client")
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, Options{Text: document, Listen: ListenOptions{SelfSigned: true}})
	behind := httptest.NewUnstartedServer(s.Handler())
	behind.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	behind.StartTLS()
	defer behind.Close()
	for want, certificates := range map[int][]tls.Certificate{204: {certificate}, 401: nil} {
		for _, url := range []string{s.URL(), behind.URL} {
			client := trusting(t, &tls.Config{InsecureSkipVerify: true, Certificates: certificates})
			answer, err := client.Get(url + "/x")
			if err != nil {
				t.Fatal(err)
			}
			if answer.Body.Close(); answer.StatusCode != want {
				t.Errorf("%d certificates: status %d", len(certificates), answer.StatusCode)
			}
		}
	}
}

// TestTLSFaults breaks connections below TLS.
func TestTLSFaults(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Listen: ListenOptions{SelfSigned: true}, Scenarios: []string{write(t, "reset.yaml", "rules: [ { on: POST /plants, fault: reset } ]")}})
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
