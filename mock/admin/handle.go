package admin

// handlers answer the operations of openapi.yaml, by operationId.
var handlers = map[string]func(*Handler, *call) Answer{
	"health":         func(*Handler, *call) Answer { return answer(map[string]any{"status": "ok"}) },
	"describe":       func(*Handler, *call) Answer { return written("application/yaml", Document) },
	"getState":       (*Handler).state,
	"clearState":     (*Handler).clearState,
	"listSessions":   (*Handler).sessions,
	"changeSession":  (*Handler).changeSession,
	"deleteSession":  (*Handler).deleteSession,
	"listRequests":   (*Handler).list,
	"clearRequests":  (*Handler).clear,
	"getRequest":     (*Handler).get,
	"followRequests": (*Handler).follow,
	"verify":         (*Handler).verify,
	"getCoverage":    (*Handler).coverage,
	"listWebhooks":   (*Handler).webhooks,
	"sendWebhook":    (*Handler).send,
}
