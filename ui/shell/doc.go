// Package shell is what the page looks like around the figures. Each NAME.vugu is a
// component, which Vugu compiles to NAME_gen.go; NAME.go is the rest of it. Root is the
// whole page.
package shell

//go:generate go tool vugugen -skip-main -skip-go-mod .
