package wire

import (
	"bytes"
	"testing"
)

func TestMessage(t *testing.T) {
	var m Message
	m.Reset(7)
	if !m.Empty() {
		t.Error("a fresh message is not empty")
	}
	m.Text(Run, "data=linreg")
	m.Record(Done, nil)
	m.Record(Frame, func(dst []byte) []byte { return append(dst, 1, 2, 3) })
	id, records, err := Open(m.Bytes())
	if err != nil || id != 7 {
		t.Fatalf("Open = %d, %v, want 7, nil", id, err)
	}
	want := []struct {
		kind    Kind
		payload string
	}{{Run, "data=linreg"}, {Done, ""}, {Frame, "\x01\x02\x03"}}
	n := 0
	for kind, payload := range records {
		if kind != want[n].kind || string(payload) != want[n].payload {
			t.Errorf("record %d = %d %q, want %d %q", n, kind, payload, want[n].kind, want[n].payload)
		}
		n++
	}
	if n != len(want) {
		t.Errorf("got %d records, want %d", n, len(want))
	}
	for cut := 1; cut < 4; cut++ {
		if _, _, err := Open(m.Bytes()[:len(m.Bytes())-cut]); err == nil {
			t.Errorf("a message short of %d bytes was opened", cut)
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{1, 0, 0, 0, byte(Done), 0, 0, 0, 0})
	f.Add([]byte{1, 0, 0, 0, byte(Done), 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, src []byte) {
		id, records, err := Open(src)
		if err != nil {
			return
		}
		var m Message
		m.Reset(id)
		for kind, payload := range records {
			m.Record(kind, func(dst []byte) []byte { return append(dst, payload...) })
		}
		if !bytes.Equal(m.Bytes(), src) {
			t.Errorf("%v came back as %v", src, m.Bytes())
		}
	})
}
