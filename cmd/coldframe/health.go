package main

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// healthTimeout is how long a healthy server may take to say so.
const healthTimeout = 3 * time.Second

func (p *program) healthCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "health [URL]",
		Short: "Ask a running mock whether it is well",
		Long: "Ask the mock at URL whether it is well: exit 0 if it is, 1 if not. By default the\n" +
			"one on this machine at the port that COLDFRAME_PORT names, else 4010.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			url := fmt.Sprintf("http://127.0.0.1:%d", defaultPort)
			if port := os.Getenv("COLDFRAME_PORT"); port != "" {
				url = "http://127.0.0.1:" + port
			}
			if os.Getenv("COLDFRAME_TLS") != "" || os.Getenv("COLDFRAME_TLS_CERT") != "" {
				url = "https" + strings.TrimPrefix(url, "http")
			}
			if len(args) > 0 {
				url = strings.TrimSuffix(args[0], "/")
			}
			return p.health(command, url)
		},
	}
}

func (p *program) health(command *cobra.Command, url string) error {
	request, err := http.NewRequestWithContext(command.Context(), http.MethodGet, url+"/__coldframe/health", nil)
	if err != nil {
		return err
	}
	client := http.Client{Timeout: healthTimeout, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, // only liveness is asked for, of a certificate that may be self-signed
	}}
	response, err := client.Do(request)
	if err != nil {
		fmt.Fprintln(p.stderr, "coldframe: not healthy: "+err.Error())
		return exitError(exitFindings)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		fmt.Fprintln(p.stderr, "coldframe: not healthy: "+url+" answers "+response.Status)
		return exitError(exitFindings)
	}
	fmt.Fprintln(p.stdout, "healthy")
	return nil
}
