package ingest

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkRead reads a table of 10 MB.
func BenchmarkRead(b *testing.B) {
	var text strings.Builder
	text.WriteString("id,width,height,kind,age,income,label\n")
	for i := 0; text.Len() < 10<<20; i++ {
		fmt.Fprintf(&text, "%d,%d.%02d,%.3f,%s,%d,%d,%d\n", i, i%90, i*7%100, float64(i%1000)/7, []string{"red", "green",
			"blue"}[i%3], 18+i%70, 1000*(i%97), i/3%2)
	}
	data := []byte(text.String())
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Read([]File{{Name: "a.csv", Data: data}}); err != nil {
			b.Fatal(err)
		}
	}
}
