package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"flockscope/sim/course"
	"flockscope/sim/lesson"
	"flockscope/sim/say"
)

var _ = register(command{
	name: "course", args: "[-lessons 1,3,2] [-scorm 2004] [-o FILE]", run: writeCourse,
	doc: "pack lessons and the built site for a learning platform such as Moodle; -pass N, -title T, -lang zh, -site FOLDER",
})

// writeCourse writes the package of a course.
func writeCourse(_ context.Context, args []string, out, _ io.Writer) error {
	fs := newFlags("course")
	var o course.Options
	numbers := fs.String("lessons", "", "the `numbers` of the lessons in their order, such as 1,3,2; all if empty")
	fs.StringVar(&o.SCORM, "scorm", course.SCORM12, "the `version` of SCORM: 1.2, which every platform reads, or 2004")
	fs.IntVar(&o.Pass, "pass", 0, "the `score` from 0 to 100 that passes, once all lessons are done")
	fs.StringVar(&o.Title, "title", "", "the `title` of the course")
	fs.StringVar(&o.Lang, "lang", "", "the `language` for everybody, en or zh; that of each browser if empty")
	path := fs.String("o", "course.zip", "the `file` to write")
	site := fs.String("site", ".build/site", "the `folder` with the site that make build or make release made")
	operands, err := parseInterspersed(fs, args)
	switch {
	case err == nil && len(operands) > 0:
		err = fmt.Errorf("course takes flags only, got %q", operands[0])
	case err == nil:
		o.Lessons, err = lessonNumbers(*numbers)
	}
	if err == nil {
		err = o.Check()
	}
	if err != nil {
		return badInput(err)
	}
	f, err := newFile(*path, "-o")
	if err != nil {
		return err
	}
	err = course.Write(f, os.DirFS(*site), o)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(*path)
		if errors.Is(err, course.ErrSite) {
			err = badInput(fmt.Errorf("%s: %w", *site, err))
		}
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %s for SCORM %s; upload it as a SCORM package\n", *path,
		say.Amount(len(o.Lessons), "lesson"), o.SCORM)
	return err
}

// lessonNumbers reads numbers with commas between them; none are all lessons.
func lessonNumbers(text string) (numbers []int, err error) {
	if text == "" {
		for _, l := range lesson.All() {
			numbers = append(numbers, l.Number)
		}
		return numbers, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("-lessons takes numbers of lessons such as 1,3,2; got %q", text)
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}
