package samplefile

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"sync"
	"time"
)

// The labels of PEM blocks. Source: RFC 7468.
const (
	Certificate        = "CERTIFICATE"
	CertificateRequest = "CERTIFICATE REQUEST"
	PrivateKey         = "PRIVATE KEY"
	PublicKey          = "PUBLIC KEY"
)

// identity is an Ed25519 key (RFC 8410) and the objects that it signs, each in DER.
type identity map[string][]byte

// identities are created once: signing takes longer than any other value.
var identities = sync.OnceValue(func() (all [4]identity) {
	for i := range all {
		seed := sha256.Sum256([]byte{byte(i)})
		private := ed25519.NewKeyFromSeed(seed[:])
		subject := pkix.Name{CommonName: []string{"api", "shop", "mail", "www"}[i] + ".example.com"}
		since := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
		certificate := x509.Certificate{SerialNumber: big.NewInt(int64(i + 1)), Subject: subject, NotBefore: since,
			NotAfter: since.AddDate(10, 0, 0), DNSNames: []string{subject.CommonName}}
		all[i] = identity{}
		put := func(label string, der []byte, err error) {
			if err != nil {
				panic(err) // cannot happen with an ordinary key
			}
			all[i][label] = der
		}
		der, err := x509.CreateCertificate(nil, &certificate, &certificate, private.Public(), private)
		put(Certificate, der, err)
		der, err = x509.CreateCertificateRequest(nil, &x509.CertificateRequest{Subject: subject}, private)
		put(CertificateRequest, der, err)
		der, err = x509.MarshalPKCS8PrivateKey(private)
		put(PrivateKey, der, err)
		der, err = x509.MarshalPKIXPublicKey(private.Public())
		put(PublicKey, der, err)
	}
	return all
})

// PEM returns a PEM block with a label. Blocks with the same key belong together. No key is a secret.
func PEM(label string, key uint64) string {
	all := identities()
	return string(pem.EncodeToMemory(&pem.Block{Type: label, Bytes: all[key%uint64(len(all))][label]}))
}
