package issuer

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
)

// signer signs and verifies JWTs (RFC 7519) with RS256 (RFC 7518 section 3.3) and one key. It verifies only its own
// tokens, so a token can choose neither the algorithm nor the key.
type signer struct {
	key *rsa.PrivateKey
	id  string // thumbprint of the public key (RFC 7638)
}

const (
	keyBits     = 2048
	accessType  = "at+jwt" // RFC 9068 section 2.1
	idTokenType = "JWT"
	maxToken    = 16 << 10 // limit of a token, in bytes
)

func newSigner() (*signer, error) {
	key, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return nil, err
	}
	s := &signer{key: key}
	e, n := s.public()
	thumbprint := sha256.Sum256([]byte(`{"e":"` + e + `","kty":"RSA","n":"` + n + `"}`))
	s.id = base64url(thumbprint[:])
	return s, nil
}

func base64url(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func (s *signer) public() (e, n string) {
	return base64url(big.NewInt(int64(s.key.E)).Bytes()), base64url(s.key.N.Bytes())
}

// set returns the public key as a JWK Set (RFC 7517 section 5).
func (s *signer) set() map[string]any {
	e, n := s.public()
	return map[string]any{"keys": []any{map[string]any{
		"kty": "RSA", "use": "sig", "alg": "RS256", "kid": s.id, "e": e, "n": n,
	}}}
}

type header struct {
	Algorithm string `json:"alg"`
	KeyID     string `json:"kid"`
	Type      string `json:"typ"`
}

var errTooLarge = errors.New("the token is larger than 16 KiB")

// unsigned returns the part of a token before its signature. The error is errTooLarge or comes from encoding/json.
func unsigned(kind, key string, claims any) (string, error) {
	head, err := json.Marshal(header{"RS256", key, kind})
	if err != nil {
		return "", err
	}
	body, err := json.Marshal(claims)
	if err != nil {
		return "", err
	}
	text := base64url(head) + "." + base64url(body)
	if len(text)+len(".")+base64.RawURLEncoding.EncodedLen(keyBits/8) > maxToken {
		return "", errTooLarge
	}
	return text, nil
}

// sign returns a token of at most maxToken bytes. The error is like unsigned's.
func (s *signer) sign(kind string, claims any) (string, error) {
	text, err := unsigned(kind, s.id, claims)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(nil, s.key, crypto.SHA256, sum[:])
	return text + "." + base64url(signature), err
}

// The reasons why a token is not the issuer's.
var (
	errForm      = errors.New("the token is no JWT of this issuer")
	errSignature = errors.New("the signature of the token is wrong")
	errKind      = errors.New("the token is no access token")
)

// verify returns the claims of a token with a type; "" is any.
func (s *signer) verify(token, kind string) (c Claims, err error) {
	parts := strings.Split(token, ".")
	if len(token) > maxToken || len(parts) != 3 {
		return c, errForm
	}
	var decoded [3][]byte
	for i, part := range parts {
		if decoded[i], err = base64.RawURLEncoding.Strict().DecodeString(part); err != nil {
			return c, errForm
		}
	}
	var h header
	if json.Unmarshal(decoded[0], &h) != nil || h.Algorithm != "RS256" || h.KeyID != s.id {
		return c, errForm
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if rsa.VerifyPKCS1v15(&s.key.PublicKey, crypto.SHA256, sum[:], decoded[2]) != nil {
		return c, errSignature
	}
	if kind != "" && h.Type != kind {
		return c, errKind
	}
	if json.Unmarshal(decoded[1], &c) != nil {
		return c, errForm
	}
	return c, nil
}

// Claims are the claims of access tokens (RFC 9068 section 2.2) and ID tokens (OpenID Connect Core section 2).
type Claims struct {
	Issuer   string   `json:"iss"`
	Subject  string   `json:"sub"`
	Audience audience `json:"aud"`
	Expires  int64    `json:"exp"`
	Issued   int64    `json:"iat"`
	ID       string   `json:"jti,omitempty"`
	Client   string   `json:"client_id,omitempty"`
	Scope    string   `json:"scope,omitempty"`
	Session  string   `json:"sid"` // shared by all tokens of one login
	Nonce    string   `json:"nonce,omitempty"`
	AuthTime int64    `json:"auth_time,omitempty"`

	AccessHash string `json:"at_hash,omitempty"`
	profile
}

// audience is one text or several (RFC 7519 section 4.1.3).
type audience []string

// MarshalJSON writes a single audience as a string.
func (a audience) MarshalJSON() ([]byte, error) {
	if len(a) == 1 {
		return json.Marshal(a[0])
	}
	return json.Marshal([]string(a))
}

// UnmarshalJSON reads both forms.
func (a *audience) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*a = audience{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(a))
}
