package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/coldframe/coldframe/internal/outfile"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

const maxFile = 16 << 20 // bytes of one file

// source is where files come from.
type source struct {
	base   string // URL, below it OWNER/NAME/COMMIT/PATH
	client *http.Client
}

// unreachableError says why a file cannot be had: no network, or a repository that is no longer there.
type unreachableError struct{ reason string }

func (e *unreachableError) Error() string { return e.reason }

// complete fetches the files that a folder lacks, and then writes its index. Without an error, the folder has all files
// with the content that the index says.
func complete(ctx context.Context, from source, folder string, files []corpus.File) error {
	for _, f := range files {
		to := filepath.Join(folder, filepath.FromSlash(f.Path))
		if text, err := os.ReadFile(to); err == nil && sum(text) == f.SHA256 {
			continue
		}
		text, err := from.get(ctx, f)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := outfile.Write(to, text); err != nil {
			return err
		}
	}
	var index strings.Builder
	index.WriteString("name\tpath\tlicense\trepository\tsource\tcommit\tsha256\n")
	for _, f := range files {
		if !f.IsPart {
			row := []string{f.Document, f.Path, f.License, f.Repository, f.Source, f.Commit, f.SHA256}
			index.WriteString(strings.Join(row, "\t") + "\n")
		}
	}
	return outfile.Write(filepath.Join(folder, corpus.IndexFile), []byte(index.String()))
}

// get fetches one file. It returns an *unreachableError if the file cannot be had, and another error if its content is
// not what the index says.
func (s source) get(ctx context.Context, f corpus.File) ([]byte, error) {
	path := (&url.URL{Path: f.Source}).EscapedPath()
	address := strings.Join([]string{strings.TrimSuffix(s.base, "/"), f.Repository, f.Commit, path}, "/")
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	response, err := s.client.Do(request)
	if err != nil {
		return nil, &unreachableError{err.Error()}
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, &unreachableError{fmt.Sprintf("%s: %s", address, response.Status)}
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxFile+1))
	if err != nil {
		return nil, &unreachableError{fmt.Sprintf("%s: %v", address, err)}
	}
	if got := sum(text); got != f.SHA256 {
		return nil, fmt.Errorf("%s: SHA-256 is %s, the index says %s", address, got, f.SHA256)
	}
	return text, nil
}

func sum(text []byte) string {
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:])
}
