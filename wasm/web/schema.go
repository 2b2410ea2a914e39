package web

import (
	"sync"

	"flockscope/sim/experiment"
	"flockscope/sim/lesson"
)

//go:generate go run ./schema -out schema_gen.go

// Schema returns all settings, as the registries declared them when schema_gen.go was
// generated. A test compares the two.
var Schema = sync.OnceValue(func() *experiment.Schema {
	generated.Lesson = lesson.Link
	generated.Seal()
	return &generated
})
