package contracts

import (
	"context"
	"io"
	"time"

	"github.com/coldframe/coldframe/internal/spec"
)

// CheckOptions say which recorded traffic is held to which document. Document
// and File, or what stands in their place, are needed; the zero value of the rest
// is the default.
type CheckOptions struct {
	// Document is the file or http(s) URL of the OpenAPI document.
	Document string
	// Text is the document itself; Document then only names it.
	Text []byte
	// Contract is the document loaded already, in place of Document and Text.
	Contract *spec.Contract
	// AllowExternalRefs lets $refs leave the document's directory.
	AllowExternalRefs bool

	// File is the recording: HAR 1.2, or the mock's journal as its control API
	// gives it.
	File string
	// Traffic is the recording itself; File then only names it.
	Traffic io.Reader

	// URL is where the backend was: what went to other origins, or beside its
	// path, is left out. Default: all whose path the document has is judged.
	URL string
	// Checks names those that judge. Default: all that are not strict. Strict adds
	// those.
	Checks []string
	Strict bool
	// Operations choose what is judged, as Options.Operations. Default: all.
	Operations []string
	// MaxResponseTime is the longest that an answer may have taken before that is a
	// finding. Default: none.
	MaxResponseTime time.Duration
	// Baseline are the fingerprints of findings that are known.
	Baseline *Baseline
	// Clock tells the time. Default time.Now.
	Clock func() time.Time
}

// Check holds recorded traffic to its document: the requests as well as the
// answers. An error says that nothing could be judged, or that the recording
// ends in something that cannot be read.
func Check(ctx context.Context, o CheckOptions) (*Report, error) {
	return nil, &OptionError{"file", "recordings cannot be read yet"}
}
