package logins

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/resources"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// answer adds the user, the tokens and the cookie to a response, and stores the tokens. If the document's schema does
// not allow a token of this process, such as with an enum, the value stays unchanged.
func (t *Attempt) answer(a *respond.Answer, documented *spec.Response, user resources.Item, token Token) {
	in, now, ttl := &t.login.Answer, t.store.now(), t.set.ttl(t.login)
	name, _ := t.name()
	number := t.store.next(name)
	texts := func(kind string) []any { return t.tokenTexts(kind, number) }
	accessTexts := texts("access")
	if sign := t.set.options.Sign; sign != nil {
		if signed, err := sign(t.Request.Request.Request, cmp.Or(name, token.Name), token.Scopes); err == nil {
			accessTexts = append([]any{signed}, accessTexts...)
		}
	}
	access := token
	access.Expires = now.Add(ttl)
	var media *spec.MediaType
	var body any
	if in.AccessToken != nil || in.User != nil || in.Ticket != nil {
		media, body = t.set.options.Responder.Change(t.Request.Request, a, documented,
			func(media *spec.MediaType, value any) any {
				value = t.withUser(media, value, user)
				value = put(media, value, in.AccessToken, in.AccessValue, accessTexts...)
				value = put(media, value, in.RefreshToken, in.RefreshValue, texts("refresh")...)
				value = put(media, value, in.Ticket, in.TicketValue, texts("ticket")...)
				value = put(media, value, in.TokenType, in.TypeValue, "Bearer", "bearer")
				return put(media, value, in.Expires, in.ExpiresValue, expiryValues(in.Expires, now, ttl)...)
			})
	}
	if media != nil {
		if text := textAt(body, in.AccessToken); text != "" {
			t.store.Add(text, access)
		}
		if text := textAt(body, in.RefreshToken); text != "" {
			refresh := token
			refresh.Refresh = true
			t.store.Add(text, refresh)
		}
		if text := textAt(body, in.Ticket); text != "" {
			ticket := access
			ticket.Ticket = true
			t.store.Add(text, ticket)
		}
	}
	if t.login.Act == resource.Challenge {
		return
	}
	t.setField(a, access, accessTexts[0].(string))
	t.setCookie(a, documented, access, texts("cookie")[0].(string))
}

func textAt(body any, path []string) string {
	if path == nil {
		return ""
	}
	value, _ := jsonvalue.Property(body, path)
	text, _ := value.(string)
	return text
}

// put returns a body in which the first allowed value of values is set at a path, unless responses do not show what is
// there.
func put(media *spec.MediaType, body any, path []string, k *spec.Keywords, values ...any) any {
	if path == nil {
		return body
	}
	if media.Schema != nil {
		if at := schema.At(media.Schema.Keywords, path); at != nil {
			k = at
		}
	}
	if k != nil && schema.WriteOnly(k) {
		return body
	}
	for _, value := range values {
		if k == nil || spec.Conforms(k, value) {
			return jsonvalue.WithProperty(body, path, value)
		}
	}
	return body
}

// tokenTexts returns a token of 256 bits in several forms: as base64url, shorter, or as a UUID. It depends on the
// seed, the user and the number of the login, and is random if fresh values are asked for.
func (t *Attempt) tokenTexts(kind string, number uint64) []any {
	name, _ := t.name()
	place := fmt.Sprintf("%d\x00%s\x00%s\x00%s\x00%d", t.set.options.Seed, t.login.Operation.ID, kind, name, number)
	bits := sha256.Sum256([]byte(place))
	if t.Dynamic {
		rand.Read(bits[:])
	}
	text := base64.RawURLEncoding.EncodeToString(bits[:])
	hex := fmt.Sprintf("%x", bits)
	bits[6], bits[8] = bits[6]&0x0f|0x40, bits[8]&0x3f|0x80 // RFC 9562 section 5.4
	uuid := fmt.Sprintf("%x-%x-%x-%x-%x", bits[:4], bits[4:6], bits[6:8], bits[8:10], bits[10:16])
	return []any{text, hex, text[:32], hex[:32], uuid, text[:20], hex[:16]}
}

// expiryValues returns the expiry of a token in several forms: seconds from now, or a time.
func expiryValues(path []string, now time.Time, ttl time.Duration) []any {
	if path == nil {
		return nil
	}
	end := now.Add(ttl)
	seconds := strconv.FormatInt(int64(ttl/time.Second), 10)
	times := []any{end.UTC().Format(time.RFC3339), json.Number(strconv.FormatInt(end.Unix(), 10))}
	lengths := []any{json.Number(seconds), seconds}
	name := naming.Fold(path[len(path)-1])
	if strings.HasSuffix(name, "at") || strings.HasPrefix(name, "expir") && !strings.HasSuffix(name, "in") &&
		name != "expires" {
		return append(times, lengths...)
	}
	return append(slices.Clip(lengths[:1]), append(times[:1:1], lengths[1])...)
}

// withUser returns a body with the user, if the body shows one.
func (t *Attempt) withUser(media *spec.MediaType, body any, user resources.Item) any {
	path := t.login.Answer.User
	if path == nil || user.Value == nil || media.Schema == nil || t.login.Act == resource.Refresh {
		return body
	}
	v := t.login.view(media, t.set.options.Generate)
	if v == nil {
		return body
	}
	before, _ := jsonvalue.Property(body, path)
	around, _ := before.(map[string]any)
	object := maps.Clone(around)
	if object == nil {
		object = map[string]any{}
	}
	maps.Copy(object, v.Show(resources.WithoutHidden(user.Value)))
	if secret := t.login.Secret; secret != nil {
		delete(object, secret[len(secret)-1])
	}
	if !v.Conforms(object) {
		key := generate.NewKey(t.set.options.Seed, "user", user.Key)
		if filled, err := v.Fill(key, object); err == nil {
			return jsonvalue.WithProperty(body, path, filled)
		}
		return body
	}
	return jsonvalue.WithProperty(body, path, object)
}

// view returns how a media type shows the user; nil if it does not.
func (l *loginOperation) view(media *spec.MediaType, o generate.Options) *respond.View {
	if known, ok := l.views.Load(media); ok {
		return known.(*respond.View)
	}
	var v *respond.View
	if at := schema.At(media.Schema.Keywords, l.Answer.User); at != nil {
		v = respond.NewView(respond.Part(media.Schema, at), o)
	}
	known, _ := l.views.LoadOrStore(media, v)
	return known.(*respond.View)
}

// setField sets the documented header field with the access token.
func (t *Attempt) setField(a *respond.Answer, access Token, text string) {
	name := t.login.Answer.Header
	if name == "" || t.login.Answer.AccessToken != nil {
		return
	}
	t.store.Add(text, access)
	if strings.EqualFold(name, "Authorization") {
		text = "Bearer " + text
	}
	a.Header.Set(name, text)
}

// setCookie sets the session cookie if the document has one and the body has no token.
func (t *Attempt) setCookie(a *respond.Answer, documented *spec.Response, access Token, text string) {
	sent, _ := a.Header.Get("Set-Cookie")
	if !t.login.Cookie && (!t.set.inCookie || t.login.Answer.AccessToken != nil || t.login.Act == resource.SignUp) {
		return
	}
	value := t.set.cookieName(sent) + "=" + text + "; Path=/; HttpOnly; SameSite=Lax"
	for _, h := range documented.Headers {
		if strings.EqualFold(h.Name, "Set-Cookie") && h.Schema != nil && !spec.Conforms(h.Schema.Keywords, value) {
			return
		}
	}
	a.Header.Set("Set-Cookie", value)
	t.store.Add(text, access)
}
