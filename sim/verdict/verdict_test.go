package verdict_test

import (
	"context"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/registry"
	"flockscope/sim/trace"
	"flockscope/sim/verdict"
)

// record plays a query.
func record(t testing.TB, query string) *trace.Run {
	t.Helper()
	c, problems := catalog.Schema().Parse(query)
	if len(problems) > 0 {
		t.Fatalf("%s: %v", query, problems)
	}
	run, err := engine.Record(context.Background(), c, nil)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return run
}

// judge judges runs of registered methods.
func judge() *verdict.Judge {
	schema := catalog.Schema()
	return &verdict.Judge{Method: func(name string) *registry.Meta {
		for i := range schema.Algorithms {
			if schema.Algorithms[i].Name == name {
				return &schema.Algorithms[i]
			}
		}
		return nil
	}}
}
