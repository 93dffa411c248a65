package respond

import (
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/words"
)

// errorNames are the rows of words.Errors by their roles, sorted by role and name.
var errorNames = sync.OnceValue(func() map[string][]string {
	byRole := map[string][]string{}
	for row := range words.Errors.Rows() {
		byRole[row[1]] = append(byRole[row[1]], row[0])
	}
	return byRole
})

// reasonRoles are the roles of members that take a reason, best first.
var reasonRoles = sync.OnceValue(func() []string {
	var roles []string
	for role := range errorNames() {
		if strings.HasPrefix(role, "reason-") {
			roles = append(roles, role)
		}
	}
	slices.Sort(roles)
	return roles
})

// hasRole reports whether the name of a member begins or ends with a word of a role, as error, errorCode and error_code
// do.
func hasRole(name, role string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(errorNames()[role], func(word string) bool {
		return strings.HasPrefix(name, word) || strings.HasSuffix(name, word) || strings.HasSuffix(name, word+"s")
	})
}

// isCode reports whether the whole name of a member says that it takes a short code.
func isCode(name string) bool { return slices.Contains(errorNames()["code"], naming.Fold(name)) }

// isSuccess reports whether the whole name of a flag says that the request went well.
func isSuccess(name string) bool { return slices.Contains(errorNames()["well"], naming.Fold(name)) }

// placeRole returns the role of a member that names a part of the request; "" for others.
func placeRole(name string) string {
	for _, role := range []string{"pointer", "location", "parameter", "path", "place"} {
		if hasRole(name, role) {
			return role
		}
	}
	return ""
}

func isReason(name string) bool {
	return slices.ContainsFunc(reasonRoles(), func(role string) bool { return hasRole(name, role) })
}

func mayBeReason(name string) bool { return !hasRole(name, "silent") }
