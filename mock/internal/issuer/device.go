package issuer

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/coldframe/coldframe/mock/internal/httpserver"
)

// device is an authorization of a device (RFC 8628).
type device struct {
	login
	approved, denied bool
	expires          time.Time
	asked            time.Time // when the device last polled
}

const (
	deviceTTL      = 10 * time.Minute
	deviceInterval = time.Second // between polls
	deviceEarly    = deviceInterval / 4
)

func (c *call) deviceAuthorization() httpserver.Answer {
	if refused := c.refuseClient(); refused != nil {
		return *refused
	}
	deviceCode, userCode := random(), userCode()
	l := c.login("")
	if !c.issuer.fits(c.Request, &l) {
		return *c.problem(400, "invalid_request", tooLarge)
	}
	expires := c.issuer.options.Clock(c.Request).Add(deviceTTL)
	c.issuer.devices.put(deviceCode, device{login: l, expires: expires}, l.bytes()+maxUser)
	c.issuer.users.put(userCode, deviceCode, len(deviceCode))
	return c.json(200, map[string]any{
		"device_code": deviceCode, "user_code": userCode, "verification_uri": c.url + "/device",
		"verification_uri_complete": c.url + "/device?user_code=" + userCode,
		"expires_in":                int(deviceTTL.Seconds()), "interval": int(deviceInterval.Seconds()),
	})
}

// userCode returns eight letters that are hard to confuse (RFC 8628 section 6.1).
func userCode() string {
	const letters = "BCDFGHJKLMNPQRSTVWXZ"
	text := make([]byte, 8)
	rand.Read(text)
	for i, b := range text {
		text[i] = letters[int(b)%len(letters)]
	}
	return string(text[:4]) + "-" + string(text[4:])
}

// device is the page on which a person authorizes a device.
func (c *call) device() httpserver.Answer {
	user, given := c.value("user"), strings.ToUpper(strings.TrimSpace(c.value("user_code")))
	denied := c.value("deny") != ""
	if c.Method != "POST" || user == "" && !denied || given == "" {
		return c.choose("Let a device in", c.url+"/device")
	}
	if c.crossesOrigin() {
		return *text(403, otherOrigin)
	}
	deviceCode, known := c.issuer.users.get(given)
	d, waits := c.issuer.devices.get(deviceCode)
	if !known || !waits || len(user) > maxUser || !c.issuer.options.Clock(c.Request).Before(d.expires) {
		return *text(400, "the code is unknown, used or expired")
	}
	c.issuer.users.take(given)
	c.issuer.devices.change(deviceCode, func(d *device) {
		d.user, d.approved, d.denied, d.at = user, !denied, denied, c.issuer.options.Clock(c.Request).Unix()
	})
	if denied {
		return *text(200, "the device is not let in; this page can be closed")
	}
	return *text(200, "the device is in; this page can be closed")
}

func (c *call) byDevice() (*login, *httpserver.Answer) {
	deviceCode := c.value("device_code")
	d, known := c.issuer.devices.get(deviceCode)
	id, _ := c.client()
	switch {
	case !known || d.client != id:
		return nil, c.invalid("the device code is unknown, used, or of another client")
	case !c.issuer.options.Clock(c.Request).Before(d.expires):
		return nil, c.problem(400, "expired_token", "the device code expired")
	case d.denied:
		return nil, c.problem(400, "access_denied", "the person did not let the device in")
	case !d.approved:
		now := c.issuer.options.Elapsed()
		c.issuer.devices.change(deviceCode, func(d *device) { d.asked = now })
		if now.Sub(d.asked) < deviceInterval-deviceEarly {
			return nil, c.problem(400, "slow_down", "the device asks more than once in "+deviceInterval.String())
		}
		return nil, c.problem(400, "authorization_pending", "nobody has let the device in yet")
	}
	if _, taken := c.issuer.devices.take(deviceCode); !taken {
		return nil, c.invalid("the device code was used")
	}
	return &d.login, nil
}
