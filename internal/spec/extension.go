package spec

import "github.com/coldframe/coldframe/internal/tree"

// Extension gives a field of the Operation Object that begins with "x-", nil
// where there is none.
func (o *Operation) Extension(name string) *tree.Node { return o.node.Get(name) }

// PathExtension gives such a field of the operation's Path Item Object.
func (o *Operation) PathExtension(name string) *tree.Node { return o.item.Get(name) }
