package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// licenceFile has the licences of everything in the site.
const licenceFile = "licences.txt"

// writeSizes prints the sizes of a first visit's files, in bytes.
func writeSizes(w io.Writer, site files) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "\nA first visit loads\traw\tgzip\tbrotli\t\n")
	var raw, gz, br int
	for _, name := range firstVisit(site) {
		r, g, b := len(site[name]), sentBytes(site, name, ".gz"), sentBytes(site, name, ".br")
		raw, gz, br = raw+r, gz+g, br+b
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t\n", name, r, g, b)
	}
	fmt.Fprintf(table, "together\t%d\t%d\t%d\t\n", raw, gz, br)
	return table.Flush()
}

// firstVisit returns the files that the page names, or the scripts that start the
// program and its engine, or the one that plays the recorded run: by their paths, or as
// files beside it. A browser loads the poster for its width and theme; the largest is
// counted.
func firstVisit(site files) []string {
	named := string(site["index.html"]) + string(site["assets/boot.js"]) + string(site["assets/engine.js"])
	beside := string(site["assets/first.js"])
	var list []string
	for _, name := range slices.Sorted(maps.Keys(site)) {
		if name == licenceFile {
			continue // boot.js contains its address only to show a link
		}
		if name == "index.html" || strings.Contains(named, `"`+name+`"`) ||
			strings.Contains(beside, `"`+strings.TrimPrefix(name, "assets/")+`"`) {
			list = append(list, name)
		}
	}
	poster := largestPoster(site)
	return slices.DeleteFunc(list, func(name string) bool { return isPoster(name) && name != poster })
}

func isPoster(name string) bool {
	return strings.HasPrefix(name, "assets/poster") && strings.HasSuffix(name, ".svg")
}

// largestPoster returns the poster with the most compressed bytes, "" if there is none.
func largestPoster(site files) string {
	largest := ""
	for _, name := range slices.Sorted(maps.Keys(site)) {
		if isPoster(name) && (largest == "" || sentBytes(site, name, ".br") > sentBytes(site, largest, ".br")) {
			largest = name
		}
	}
	return largest
}

// sentBytes returns the number of bytes of a file sent in a coding.
func sentBytes(site files, name, suffix string) int {
	if small, ok := site[name+suffix]; ok {
		return len(small)
	}
	return len(site[name])
}
