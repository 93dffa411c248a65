//go:build unix

package main

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/testbench/golden"
	"github.com/coldframe/coldframe/internal/testbench/sample"
	"github.com/rogpeppe/go-internal/testscript"
)

// nobody is a user that may do nothing.
const nobody = 65534

// commands are the programs that this test binary can be, by the name that it is called by.
var commands = map[string]func(){
	"consumer": consumer,
	"coldframe": func() {
		if os.Getenv("AS_NOBODY") != "" && os.Getuid() == 0 {
			if err := syscall.Setuid(nobody); err != nil {
				panic(err)
			}
		}
		if most, err := strconv.ParseUint(os.Getenv("OPEN_FILES"), 10, 64); err == nil { // as ulimit -n
			if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
				panic(err)
			}
		}
		time.AfterFunc(2*patience, func() { panic("a script does not end what it started") })
		main()
	},
}

func TestMain(m *testing.M) {
	os.Setenv("GOGC", "400")                                       // collections before that are a third of the CPU time of a short process
	os.Setenv("GORACE", "atexit_sleep_ms=10 "+os.Getenv("GORACE")) // a second for each of so many processes is long
	flag.Set("test.parallel", "6")                                 // scripts wait more than they compute
	testscript.Main(m, commands)
}

// TestScript runs testdata/script/*.txtar, scripts that need processes: all others stand in testdata/command. Beside
// testscript's commands they have the commands of server_test.go and http_test.go. Servers listen on any free port unless
// a script says otherwise.
//
// Processes with the race detector take five times as long: then a part of the
// scripts runs.
//
// UPDATE_GOLDEN=1 rewrites what "cmp" compares with.
func TestScript(t *testing.T) {
	parameters := scripts(t, "testdata/script")
	files, err := filepath.Glob(parameters.Dir + "/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		if i%sample.Every(1, 3) == 0 {
			parameters.Files = append(parameters.Files, file)
		}
	}
	parameters.Dir = ""
	testscript.Run(t, parameters)
}

// scripts returns the parameters of the scripts in a folder. Each has the document of the Plant Store as plants.yaml.
func scripts(t *testing.T, folder string) testscript.Params {
	plants, err := os.ReadFile("../../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return testscript.Params{
		Dir:                folder,
		RequireUniqueNames: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"serve":   serve(startProcess),
			"said":    said,
			"signal":  signalServer,
			"http":    sendHTTP,
			"connect": connect,
			"send":    sendBytes,

			"upstream": serveUpstream,
		},
		UpdateScripts: golden.Update(),
		Setup: func(e *testscript.Env) error {
			e.Setenv("COLDFRAME_PORT", "0")
			e.Values[serverKey{}] = &server{}
			return os.WriteFile(e.WorkDir+"/plants.yaml", plants, 0o666)
		},
	}
}
