package generate

import (
	"math"
	"slices"
	"strings"
)

// replyRelations have what an answer says of itself be of one that succeeded, what is known of a client agree, and the
// prices of a market be possible ones.
var replyRelations = []relation{
	{parts: []string{"status", "message msg data result results response payload error errors", "?id name title type created createdat updatedat key"},
		answer: true, apply: func(m *members) {
			generic := []string{"active", "inactive", "pending", "completed"}
			if !m.has(2) && slices.Contains(generic, m.text(0)) && !m.r.g.options.Errors && !m.isExample(0) {
				m.set(0, "ok", "success")
			}
		}},
	{parts: []string{"success succeeded issuccess issuccessful successful"}, answer: true, apply: func(m *members) {
		if m.isReply() && !m.isSent(0) {
			m.set(0, flagLike(m.value(0), true))
		}
	}},
	{parts: []string{"code statuscode httpcode httpstatus httpstatuscode", "message msg success", "?name title"}, answer: true,
		apply: func(m *members) {
			if m.isReply() && !m.has(2) {
				m.set(0, numberLike(m.value(0), 200), numberLike(m.value(0), 0))
			}
		}},
	{parts: []string{"resultcode returncode retcode"}, answer: true, apply: func(m *members) {
		if m.isReply() {
			m.set(0, numberLike(m.value(0), 0))
		}
	}},
	{parts: []string{"message msg", "data result results payload", "status code success ok statuscode error", "?id name title createdat"},
		answer: true, apply: func(m *members) {
			if !m.has(3) && !m.r.g.options.Errors && !m.isExample(0) {
				m.set(0, "OK", "Success")
			}
		}},
	{parts: []string{"useragent", "browser browsername", "?os operatingsystem osname"}, apply: agreeOnBrowser},
	{parts: []string{"bidprice bid bestbid bidp bp", "askprice ask bestask askp ap"}, apply: func(m *members) {
		if bid, ask, ok := m.pair(0, 1); ok && (bid > ask || bid < ask*0.99) {
			m.setAmount(0, math.Round(ask*99.8)/100)
		}
	}},
	{parts: []string{"o open openprice", "h high highprice", "l low lowprice", "c close closeprice"}, apply: func(m *members) {
		high, low, ok := m.pair(1, 2)
		if !ok {
			return
		}
		if low > high {
			low, high = high, low
			m.setAmount(1, high)
			m.setAmount(2, low)
		}
		for _, part := range []int{0, 3} {
			if f, is := amountOf(m.value(part)); is && (f < low || f > high) {
				m.setAmount(part, math.Round(100*(low+(high-low)*float64(20+m.at.key.at(62+part).intN(60))/100))/100)
			}
		}
	}},
}

// isReply reports whether the object is the whole of an answer that refuses nothing.
func (m *members) isReply() bool { return len(m.r.path) <= m.r.top && !m.r.g.options.Errors }

// agreeOnBrowser has a browser say that it is the one beside it, on the system beside it.
func agreeOnBrowser(m *members) {
	for _, agent := range agents {
		if !strings.EqualFold(agent[0], m.text(1)) {
			continue
		}
		system := systemIn[strings.ToLower(m.text(2))]
		on := slices.IndexFunc(agent[1:3], func(text string) bool { return strings.Contains(text, system) })
		if on < 0 { // it is not made for that
			on = 0
			m.set(2, agent[3])
		}
		m.set(0, agent[1+on])
	}
}

// agents are browsers by their names, with what they send of themselves and the system that the first is for.
var agents = [][4]string{
	{"Chrome", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
		"Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36", "Windows"},
	{"Firefox", "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0", "Linux"},
	{"Safari", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1", "macOS"},
	{"Edge", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0", "Windows"},
}

// systemIn is what browsers send of systems.
var systemIn = map[string]string{"windows": "Windows NT", "linux": "X11; Linux", "android": "Android", "macos": "Mac OS X 10", "ios": "iPhone"}
