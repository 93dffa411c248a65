package contracts

// Setup is values that exist at the backend: for variables of paths, and for
// bodies.
type Setup struct{}

// Baseline is findings that are known.
type Baseline struct{}

// Coverage is what of the document a run exercised.
type Coverage struct{}
