package exchange

import (
	"os/exec"
	"testing"
)

func TestExpand(t *testing.T) {
	for _, test := range []struct {
		before, expansion, after string
		want, reads              string
	}{
		{"Authorization: Bearer ", "$TOKEN", "", `"Authorization: Bearer $TOKEN"`, "Authorization: Bearer a b$c"},
		{"X: ", "${KEY#*=}", "; a", `"X: ${KEY#*=}; a"`, "X: se=cret; a"},
		{"$TOKEN`id`\\\" ", "$TOKEN", "'", "\"\\$TOKEN\\`id\\`\\\\\\\" $TOKEN'\"", "$TOKEN`id`\\\" a b$c'"},
		{"Basic !", "$TOKEN", "!", `'Basic !'"$TOKEN"'!'`, "Basic !a b$c!"},
		{"\x1b", "$TOKEN", "\x007\x00", `$'\x1b'"$TOKEN"$'\x007\x00'`, ""},
		{"", `$(printf %s "$TOKEN" | base64 | tr -d '\n')`, "", `"$(printf %s "$TOKEN" | base64 | tr -d '\n')"`, "YSBiJGM="},
	} {
		var s Shell
		got := s.quote(test.before + s.Expand(test.expansion) + test.after)
		if got != test.want {
			t.Errorf("%q: got %s, want %s", test.before, got, test.want)
		}
		command := exec.Command("bash", "-c", "printf %s "+got)
		command.Env = append(command.Environ(), "TOKEN=a b$c", "KEY=X-Key=se=cret")
		if out, err := command.Output(); test.reads != "" && (err != nil || string(out) != test.reads) {
			t.Errorf("bash reads %q from %s (%v), want %q", out, got, err, test.reads)
		}
	}
}
