package main

import (
	"cmp"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

const healthTimeout = 3 * time.Second // a healthy server answers within this time

func (p *program) healthCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "health [URL]",
		Short: "Ask a running mock whether it is healthy",
		Long: "Ask the mock at URL whether it is healthy: exit 0 if it is, 1 if not. URL defaults\n" +
			"to this machine, with the host and port in COLDFRAME_HOST and COLDFRAME_PORT, and\n" +
			"with https if COLDFRAME_TLS or COLDFRAME_TLS_CERT is set.",
		Args: takes(0, 1, "one URL at most"),
		RunE: func(command *cobra.Command, args []string) error {
			url := runningURL(args)
			if err := health(command, url); err != nil {
				fmt.Fprintf(p.stderr, "coldframe: %s is not healthy: %v\n", url, err)
				return exitError(exitFindings)
			}
			fmt.Fprintln(p.stdout, "healthy")
			return nil
		},
	}
}

// runningURL returns the URL of the mock that the arguments of a command name, if any.
func runningURL(args []string) string {
	switch {
	case len(args) == 0:
		return localURL()
	case !strings.Contains(args[0], "://"):
		return "http://" + strings.TrimSuffix(args[0], "/")
	}
	return strings.TrimSuffix(args[0], "/")
}

// localURL returns the URL of a mock that listens as the environment says.
func localURL() string {
	host, _ := environment(twin("host"))
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		if ip.To4() == nil {
			host = "::1"
		}
	}
	port, _ := environment(twin("port"))
	scheme := "http"
	for _, flag := range []string{"tls", "tls-cert"} {
		if _, ok := environment(twin(flag)); ok {
			scheme = "https"
		}
	}
	return scheme + "://" + net.JoinHostPort(cmp.Or(host, "127.0.0.1"), cmp.Or(port, fmt.Sprint(defaultPort)))
}

func health(command *cobra.Command, url string) error {
	request, err := http.NewRequestWithContext(command.Context(), http.MethodGet, url+"/__coldframe/health", nil)
	if err != nil { // the error may contain the password
		return errors.New("it is no URL; is its password percent-encoded?")
	}
	client := http.Client{Timeout: healthTimeout, Transport: &http.Transport{
		// the certificate may be self-signed: this only asks whether the mock is alive
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("it answers %s", response.Status)
	}
	var answer struct{ Status string }
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<10))
	if err != nil {
		return err
	}
	if json.Unmarshal(text, &answer) != nil || answer.Status != "ok" {
		return fmt.Errorf("the server there is not coldframe")
	}
	return nil
}
