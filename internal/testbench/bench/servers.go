package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const prismVersion = "5.16.0"

// server is a kind of server.
type server struct {
	name  string
	title string                                        // in tables
	args  func(p *programs, file, port string) []string // with the program first
}

// base is what the others are compared with: it is always measured, as coldframe is, whose answers it sends.
const base = "constant"

var servers = []server{
	{base, "constant", func(p *programs, file, port string) []string {
		return []string{p.self, "constant", filepath.Join(p.work, "constant.json"), port}
	}},
	{"fiber", "constant, 29 bytes", func(p *programs, file, port string) []string {
		return []string{p.self, "constant", filepath.Join(p.work, "fiber.json"), port}
	}},
	{"coldframe", "coldframe", func(p *programs, file, port string) []string {
		return []string{p.coldframe, "--port", port, "--log", "off", file}
	}},
	{"stateless", "with --stateless", func(p *programs, file, port string) []string {
		return []string{p.coldframe, "--port", port, "--log", "off", "--stateless", file}
	}},
	{"log", "with its log", func(p *programs, file, port string) []string {
		return []string{p.coldframe, "--port", port, file}
	}},
	{"prism", "Prism, silent", func(p *programs, file, port string) []string {
		return []string{"node", p.prism, "mock", "--port", port, "--verboseLevel", "silent", file}
	}},
	{"prism-log", "Prism with its log", func(p *programs, file, port string) []string {
		return []string{"node", p.prism, "mock", "--port", port, file}
	}},
	{"relay", "httputil.ReverseProxy", func(p *programs, file, port string) []string {
		return []string{p.self, "relay", p.upstream + "/proxied", port}
	}},
	{"proxy", "coldframe proxy", func(p *programs, file, port string) []string {
		return []string{p.coldframe, "proxy", "--port", port, "--log", "off", file, p.upstream + "/proxied"}
	}},
	{"prism-proxy", "Prism's proxy", func(p *programs, file, port string) []string {
		return []string{"node", p.prism, "proxy", "--port", port, "--verboseLevel", "silent", file, p.upstream + "/proxied"}
	}},
	{"kin-openapi", "kin-openapi alone", func(p *programs, file, port string) []string { // at starts alone
		return []string{p.self, "kin-openapi", file, port}
	}},
}

func serverNames() (names []string) {
	for _, s := range servers {
		names = append(names, s.name)
	}
	return names
}

// programs are what servers are started with.
type programs struct {
	work, self, coldframe string
	prism                 string // script; "" if it is left out
	upstream              string // URL of the constant server, which proxies forward to
	pprof                 string // address of coldframe's profiles; "" if none
}

// profiled is a file of cmd/coldframe in builds for -profile.
const profiled = `package main

import (
	"net/http"
	_ "net/http/pprof"
	"os"
)

func init() { go http.ListenAndServe(os.Getenv("BENCH_PPROF"), nil) }
`

// prepare builds coldframe, and installs Prism if it is measured.
func prepare(o *options) (*programs, error) {
	if _, err := exec.LookPath("wrk"); err != nil {
		return nil, errors.New("there is no wrk; install it (Debian: apt-get install wrk)")
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &programs{work: o.work, self: self, coldframe: filepath.Join(o.work, "coldframe")}
	build := []string{"build", "-trimpath", "-ldflags", "-s -w", "-o", p.coldframe}
	if o.profile != "" {
		if p.pprof, err = freeAddress(); err != nil {
			return nil, err
		}
		overlay, err := overlay(o.work)
		if err != nil {
			return nil, err
		}
		build = append(build, "-overlay", overlay)
	}
	out, err := exec.Command("go", append(build, "github.com/coldframe/coldframe/cmd/coldframe")...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("cannot build coldframe: %w\n%s", err, out)
	}
	isPrism := func(name string) bool { return strings.HasPrefix(name, "prism") }
	if len(o.servers) > 0 && !slices.ContainsFunc(o.servers, isPrism) {
		return p, nil
	}
	install := exec.Command("npm", "install", "--no-audit", "--no-fund", "--prefix", o.work,
		"@stoplight/prism-cli@"+prismVersion)
	if out, err := install.CombinedOutput(); err != nil {
		fmt.Printf("Prism is left out: npm cannot install it: %v: %.300s\n", err, out)
		return p, nil
	}
	p.prism = filepath.Join(o.work, "node_modules/@stoplight/prism-cli/dist/index.js")
	return p, nil
}

// overlay writes what adds the file profiled to cmd/coldframe.
func overlay(work string) (path string, err error) {
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/coldframe/coldframe/cmd/coldframe").Output()
	if err != nil {
		return "", err
	}
	source := filepath.Join(work, "profiled.go")
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(strings.TrimSpace(string(out)), "profiled.go"): source,
	}})
	if err != nil {
		return "", err
	}
	path = filepath.Join(work, "overlay.json")
	return path, errors.Join(os.WriteFile(source, []byte(profiled), 0o666), os.WriteFile(path, text, 0o666))
}

// wanted says whether a server takes part.
func (p *programs) wanted(o *options, name string, says []string) bool {
	if strings.HasPrefix(name, "prism") && p.prism == "" {
		return false
	}
	return slices.Contains(says, name) && (len(o.servers) == 0 || slices.Contains(o.servers, name))
}
