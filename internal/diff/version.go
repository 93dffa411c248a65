package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Step is the part of a semantic version (semver.org 2.0.0) that changes: the next version of a document has a new
// major version if clients may break, a new minor version if requests or responses change otherwise, else a new patch.
type Step string

const (
	Major Step = "major"
	Minor Step = "minor"
	Patch Step = "patch"
)

// StepOf returns the step that changes need.
func StepOf(changes []Change) Step {
	step := Patch
	for _, c := range changes {
		switch {
		case c.Severity < exchange.Info:
			return Major
		case !c.neutral:
			step = Minor
		}
	}
	return step
}

// parsed returns the numbers of a version such as 1, v1.2 or 1.2.3-beta+5; ok is false for other texts, such as a date.
func parsed(version string) (prefix string, numbers [3]int, isPre, ok bool) {
	plain, isPrefixed := strings.CutPrefix(strings.TrimSpace(version), "v")
	if isPrefixed {
		prefix = "v"
	}
	whole := semver.Canonical("v" + plain)
	pre := semver.Prerelease(whole)
	_, err := fmt.Sscanf(strings.TrimSuffix(whole, pre), "v%d.%d.%d", &numbers[0], &numbers[1], &numbers[2])
	return prefix, numbers, pre != "", err == nil
}

// Next returns the version after a step, "" if the version is not semantic. A pre-release precedes its release, so the
// step may only complete it.
func Next(version string, step Step) string {
	prefix, n, isPre, ok := parsed(version)
	if !ok {
		return ""
	}
	switch {
	case step == Major && !(isPre && n[1]+n[2] == 0):
		n = [3]int{n[0] + 1}
	case step == Minor && !(isPre && n[2] == 0):
		n = [3]int{n[0], n[1] + 1}
	case step == Patch && !isPre:
		n[2]++
	}
	text := prefix
	for i, number := range n {
		text += strings.Repeat(".", min(i, 1)) + strconv.Itoa(number)
	}
	return text
}

// Below reports whether a version is lower than another. Versions that are not semantic are not.
func Below(version, than string) bool {
	_, a, isPre, ok := parsed(version)
	_, b, _, okThan := parsed(than)
	order := cmp.Or(slices.Compare(a[:], b[:]), map[bool]int{true: -1}[isPre])
	return ok && okThan && order < 0
}
