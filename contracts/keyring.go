package contracts

import (
	"github.com/coldframe/coldframe/contracts/cases"
	"github.com/coldframe/coldframe/internal/exchange"
)

// keyring holds the credentials that the user gave.
type keyring struct{ options *Options }

func newKeyring(o *Options) *keyring { return &keyring{o} }

// apply adds credentials to a request.
func (k *keyring) apply(r *exchange.Request, credentials []cases.Credential) {}
