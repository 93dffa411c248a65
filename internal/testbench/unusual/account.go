package unusual

import (
	"net/http"
	"strconv"
	"strings"
)

// operation is a change that adds an operation without a body, or with one.
func operation(method, path, id, text, body, success string) string {
	content := ""
	unsupported := ""
	if body != "" {
		content = "requestBody: {required: true, content: {application/json: {schema: " + body + "}}}, "
		unsupported = `, "415": {$ref: "#/components/responses/Unsupported"}`
	}
	return "paths:\n  " + path + ": {" + method + ": {operationId: " + id + ", tags: [account], summary: " +
		strconv.Quote(text) + ", " + content + "responses: {" + success + `, "400": {$ref: "#/components/responses/Invalid"}, "401": {$ref: "#/components/responses/Unauthorized"}, "404": {$ref: "#/components/responses/Missing"}` + unsupported + "}}}\n"
}

const (
	done     = `"204": {description: It is done.}`
	newToken = `"200": {description: The new token., content: {application/json: {schema: {type: object, required: [token], properties: {token: {type: string}}}}}}`
)

// account are the parts of variants about credentials.
var account = []string{"tasks", "sessions", "me"}

// ends ends the tokens that the caller has.
func ends(c *call) {
	clear(c.tokens)
	c.bare(http.StatusNoContent)
}

// endsOwn ends the token of the request.
func endsOwn(c *call) {
	_, token, _ := strings.Cut(c.r.Header.Get("Authorization"), " ")
	delete(c.tokens, strings.TrimSpace(token))
	c.bare(http.StatusNoContent)
}

// readerOnly refuses changes of a caller who has become a reader.
func readerOnly(c *call) bool {
	if c.state["reader"] == true && c.r.Method != http.MethodGet && len(c.op.Security) > 0 {
		c.lockedOut++
		c.refuse(http.StatusForbidden, "readers may not change anything")
		return true
	}
	return false
}

const password = `{type: object, required: [password], additionalProperties: false, properties: {password: {type: string, minLength: 8, maxLength: 40, format: password}}}`

// callerEnds ends the tokens if the item is the caller.
func callerEnds(id string, f func(*call)) Behaviour {
	return handle(id, func(c *call) {
		f(c)
		if c.answer.status/100 == 2 && c.path["personId"] == "1" {
			clear(c.tokens)
		}
	})
}

var accountVariants = []Variant{
	{
		Name: "logout", Permits: "document: ends the session of the request", Parts: account,
		Change:    operation("post", "/logout", "logout", "Logs out: the token is not taken any more.", "", done),
		Behaviour: handle("logout", endsOwn),
	},
	{
		Name: "logout-delete", Permits: "document: ends the session of the request", Parts: account,
		Change:    operation("delete", "/sessions/current", "endSession", "Ends the current session.", "", done),
		Behaviour: handle("endSession", endsOwn),
	},
	{
		Name: "logout-get", Permits: "document: ends the session of the request", Parts: account,
		Change:    operation("get", "/signout", "signOut", "Signs out.", "", done),
		Behaviour: handle("signOut", endsOwn),
	},
	{
		Name: "rotate", Permits: "document: the token is replaced by a new one", Parts: account,
		Change: operation("post", "/tokens/rotate", "rotateToken", "Replaces the token by a new one.", "", newToken),
		Behaviour: handle("rotateToken", func(c *call) {
			endsOwn(c)
			c.reply(http.StatusOK, map[string]any{"token": c.newToken()})
		}),
	},
	{
		Name: "regenerate-key", Permits: "document: the key is regenerated; the old one is not taken any more", Parts: account,
		Change: operation("post", "/me/api-key/regenerate", "regenerateKey", "Regenerates the API key. The old one is not taken any more.", "", newToken),
		Behaviour: handle("regenerateKey", func(c *call) {
			clear(c.tokens)
			c.reply(http.StatusOK, map[string]any{"token": c.newToken()})
		}),
	},
	{
		Name: "end-sessions", Permits: "document: ends all sessions of the caller", Parts: account,
		Change:    operation("delete", "/sessions", "endSessions", "Ends all sessions of the caller.", "", done),
		Behaviour: handle("endSessions", ends),
	},
	{
		Name: "delete-session", Permits: "document: ends a session; the first is that of the request", Parts: account,
		Change: `paths:
  /sessions: {get: {operationId: listSessions, summary: Lists the sessions of the caller., responses: {"200": {description: The sessions., content: {application/json: {schema: {type: array, items: {type: object, required: [id], properties: {id: {type: integer}, current: {type: boolean}}}}}}}, "401": {$ref: "#/components/responses/Unauthorized"}}}}
  /sessions/{sessionId}: {delete: {operationId: deleteSession, summary: Ends a session of the caller., parameters: [{name: sessionId, in: path, required: true, schema: {type: integer, minimum: 1}}], responses: {"204": {description: It is ended.}, "400": {$ref: "#/components/responses/Invalid"}, "401": {$ref: "#/components/responses/Unauthorized"}, "404": {$ref: "#/components/responses/Missing"}}}}`,
		Behaviour: Behaviour{Handle: map[string]func(*call){
			"listSessions": func(c *call) { c.reply(http.StatusOK, []any{map[string]any{"id": 1, "current": true}}) },
			"deleteSession": func(c *call) {
				if c.path["sessionId"] != "1" {
					c.refuse(http.StatusNotFound, "there is no such session")
					return
				}
				ends(c)
			},
		}},
	},
	{
		Name: "change-password", Permits: "document: changes the password and ends all sessions", Parts: account,
		Change: operation("put", "/me/password", "changePassword", "Changes the password and ends all sessions.", password, done),
		Behaviour: handle("changePassword", func(c *call) {
			c.password = text(c.body.(map[string]any)["password"])
			ends(c)
		}),
	},
	{
		Name: "reset-password", Permits: "document: resets the password of an account", Parts: account,
		Change:    operation("post", "/password-reset", "resetPassword", "Resets the password of an account, which ends its sessions.", password, done),
		Behaviour: handle("resetPassword", func(c *call) { c.password = ""; ends(c) }),
	},
	{
		Name: "delete-me", Permits: "document: deletes the account of the caller", Parts: account,
		Change:    operation("delete", "/me", "deleteMe", "Deletes the account of the caller.", "", done),
		Behaviour: handle("deleteMe", ends),
	},
	{
		Name: "deactivate-me", Permits: "document: deactivates the account of the caller", Parts: account,
		Change:    operation("post", "/me/deactivate", "deactivateMe", "Deactivates the account of the caller.", "", done),
		Behaviour: handle("deactivateMe", ends),
	},
	{
		Name: "drop-role", Permits: "document: readers may not change anything", Parts: account,
		Change: operation("put", "/me/role", "changeRole", "Changes the role of the caller. Readers may not change anything.", `{type: object, required: [role], properties: {role: {type: string, enum: [reader, editor]}}}`, done+`, "403": {$ref: "#/components/responses/Forbidden"}`) +
			`  /tasks: {post: {responses: {"403": {$ref: "#/components/responses/Forbidden"}}}}
  '/tasks/{taskId}': {put: {responses: {"403": {$ref: "#/components/responses/Forbidden"}}}, patch: {responses: {"403": {$ref: "#/components/responses/Forbidden"}}}, delete: {responses: {"403": {$ref: "#/components/responses/Forbidden"}}}}`,
		Behaviour: Behaviour{Before: readerOnly, Handle: map[string]func(*call){"changeRole": func(c *call) {
			c.state["reader"] = c.body.(map[string]any)["role"] == "reader"
			c.bare(http.StatusNoContent)
		}}},
	},
	{
		Name: "patch-me", Permits: "document: the caller is a singleton, whose changes are kept", Parts: account,
		Change: strings.ReplaceAll(operation("patch", "/me", "changeMe", "Changes the caller.", `{$ref: "#/components/schemas/PersonChange"}`, `"200": {description: The caller., content: {application/json: {schema: {$ref: "#/components/schemas/Person"}}}}`), "application/json: {schema: {$ref: \"#/components/schemas/PersonChange\"}", "application/merge-patch+json: {schema: {$ref: \"#/components/schemas/PersonChange\"}"),
		Behaviour: handle("changeMe", func(c *call) {
			me := c.collection("people").items[0]
			me.values = withDefaults(c.body.(map[string]any), me.values)
			c.reply(http.StatusOK, me.values)
		}),
	},
	{
		Name: "caller-among-people", Permits: "document: person 1 is the caller; who is deleted has no access any more",
		Parts:     []string{"tasks", "people"},
		Behaviour: callerEnds("deletePerson", deleteItem),
	},
	{
		Name: "caller-changed", Permits: "document: person 1 is the caller; a change of the mail address ends the sessions",
		Parts:     []string{"tasks", "people"},
		Change:    `paths: {'/people/{personId}': {patch: {description: A change of a person ends the sessions of that person.}}}`,
		Behaviour: callerEnds("changePerson", changeItem),
	},
	{
		Name: "two-factor", Permits: "document: with two factors, tokens are taken only with a code", Parts: account,
		Change:    operation("post", "/me/two-factor", "enableTwoFactor", "Turns on two-factor authentication: from then on a login needs a code, and tokens without one are not taken.", "", done),
		Behaviour: handle("enableTwoFactor", ends),
	},
	{
		Name: "shut-down", Permits: "document: shuts the service down", Parts: account,
		Change: operation("post", "/admin/shutdown", "shutDown", "Shuts the service down.", "", done),
		Behaviour: Behaviour{Before: func(c *call) bool {
			if c.state["down"] == true {
				c.lockedOut++
				c.op = nil // the answer is not of the API
				c.refuse(http.StatusServiceUnavailable, "the service is down")
				return true
			}
			return false
		}, Handle: map[string]func(*call){"shutDown": func(c *call) {
			c.state["down"] = true
			c.bare(http.StatusNoContent)
		}}},
	},
	{
		Name: "factory-reset", Permits: "document: deletes everything", Parts: account,
		Change:    operation("post", "/admin/reset", "resetAll", "Resets the service: all tokens are revoked.", "", done),
		Behaviour: handle("resetAll", ends),
	},
	{
		Name: "leave-team", Permits: "document: the caller leaves the team and loses access", Parts: account,
		Change:    operation("post", "/team/leave", "leaveTeam", "Leaves the team. The caller loses access.", "", done),
		Behaviour: handle("leaveTeam", ends),
	},
	{
		Name: "burn", Permits: "document: x-coldframe-destructive marks the operation", Parts: account,
		Change:    strings.Replace(operation("post", "/tasks/burn", "burn", "Burns.", "", done), "operationId:", "x-coldframe-destructive: true, operationId:", 1),
		Behaviour: handle("burn", ends),
	},
	{
		Name: "maintenance", Permits: "document: in maintenance the service answers 503 to all but this", Parts: account,
		Change: operation("put", "/maintenance", "setMaintenance", "Turns maintenance on or off: while it is on all other requests are answered with 503.", `{type: object, required: [on], properties: {on: {type: boolean}}}`, done),
		Behaviour: Behaviour{Before: func(c *call) bool {
			if c.state["maintenance"] == true && c.id != "setMaintenance" {
				c.lockedOut++
				c.op = nil
				c.refuse(http.StatusServiceUnavailable, "maintenance")
				return true
			}
			return false
		}, Handle: map[string]func(*call){"setMaintenance": func(c *call) {
			c.state["maintenance"] = c.body.(map[string]any)["on"]
			c.bare(http.StatusNoContent)
		}}},
	},
	{
		Name: "settings-restored", Permits: "document: the settings are a singleton", Parts: []string{"tasks", "settings"},
	},
}
