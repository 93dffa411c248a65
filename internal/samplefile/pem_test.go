package samplefile

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"testing"
)

// TestPEM: the blocks of one key are of one identity, and the same each time.
func TestPEM(t *testing.T) {
	for key := range uint64(4) {
		der := map[string][]byte{}
		for _, label := range []string{Certificate, CertificateRequest, PrivateKey, PublicKey} {
			text := PEM(label, key)
			block, rest := pem.Decode([]byte(text))
			if block == nil || block.Type != label || len(rest) > 0 || PEM(label, key+4) != text {
				t.Fatalf("%s: %s", label, text)
			}
			der[label] = block.Bytes
		}
		public, err := x509.ParsePKIXPublicKey(der[PublicKey])
		if err != nil {
			t.Fatal(err)
		}
		certificate, err := x509.ParseCertificate(der[Certificate])
		if err != nil || certificate.CheckSignature(certificate.SignatureAlgorithm, certificate.RawTBSCertificate,
			certificate.Signature) != nil || !public.(ed25519.PublicKey).Equal(certificate.PublicKey) {
			t.Errorf("the certificate is not of the key: %v", err)
		}
		if request, err := x509.ParseCertificateRequest(der[CertificateRequest]); err != nil || request.CheckSignature() != nil {
			t.Errorf("the request is not signed: %v", err)
		}
		private, err := x509.ParsePKCS8PrivateKey(der[PrivateKey])
		if err != nil || !private.(ed25519.PrivateKey).Public().(ed25519.PublicKey).Equal(public) {
			t.Errorf("the private key is another: %v", err)
		}
	}
}
