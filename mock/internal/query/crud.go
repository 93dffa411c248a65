// Package query holds what a backend does with JSON values that it keeps: it
// patches items, chooses and sorts them, and cuts lists into pages. It keeps
// nothing itself.
package query
