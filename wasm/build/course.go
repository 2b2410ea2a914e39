package main

import (
	"maps"
	"testing/fstest"

	"flockscope/sim/course"
)

// addCourseBuilder adds the page that makes packages for learning platforms. It knows the other files of the site, so it
// comes last.
func addCourseBuilder(site files) error {
	whole := fstest.MapFS{}
	for name, content := range site {
		whole[name] = &fstest.MapFile{Data: content}
	}
	builder, err := course.Builder(whole)
	if err != nil {
		return err
	}
	dropComments(builder)
	maps.Copy(site, builder)
	return nil
}
