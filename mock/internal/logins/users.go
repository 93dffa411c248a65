package logins

import (
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/words"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// userNames are members of a user by which the user logs in, the likeliest first.
var userNames = words.Ranked("user-name")

// Names returns the login names of the newest users of a session, at most so many.
func (s *Set) Names(in *state.State, most int) (all []string) {
	for _, item := range s.options.Resources.NewestUsers(in, s.users, most) {
		for _, name := range userNames {
			if text, ok := jsonvalue.Text(item[name]); ok && text != "" {
				all = append(all, text)
				break
			}
		}
	}
	return all
}

// Roles returns the roles of the token's user: from the property role or roles of the item, or the scopes of an
// issuer's token; nil if none, which means all roles.
func (s *Set) Roles(in *state.State, access *Access) []string {
	if access.Subject != "" && len(access.Scopes) > 0 {
		return access.Scopes
	}
	for name, value := range s.options.Resources.User(in, s.users, access.User).Value {
		if naming.SingularName(name) != "role" {
			continue
		}
		list, isList := value.([]any)
		if !isList {
			list = []any{value}
		}
		roles := []string{}
		for _, one := range list {
			if text, ok := one.(string); ok {
				roles = append(roles, text)
			}
		}
		return roles
	}
	return nil
}
