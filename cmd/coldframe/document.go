package main

import (
	"context"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// load compiles the document at a location, "-" for standard input.
func (p *program) load(ctx context.Context, location string, o spec.Options) (*spec.Contract, error) {
	if location == "-" {
		text, err := p.readStdin(ctx)
		if err != nil {
			return nil, err
		}
		location, o.Text = standardInput, text
	}
	return spec.Load(ctx, location, o)
}

// corrections gives what coldframe.yaml beside the document says of its
// resources.
func (p *program) corrections() resource.Overrides {
	if p.beside == nil {
		return resource.Overrides{}
	}
	return resource.Overrides{Resources: p.beside.Resources}
}
