package dataset

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
)

// Text returns a text without the mark that may stand at its front, in lines that
// end in LF or CRLF. Where a file has CR alone, as those of old Macs and of some
// spreadsheets have, each becomes an LF, in a copy: all lines keep their numbers.
func Text(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if bytes.IndexByte(data, '\n') < 0 && bytes.IndexByte(data, '\r') >= 0 {
		return bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	}
	return data
}

// Torn says of an error of a reader of CSV which line is broken, and what was expected
// there.
func Torn(err error) error {
	var broken *csv.ParseError
	switch {
	case !errors.As(err, &broken):
		return err
	case errors.Is(err, csv.ErrBareQuote):
		return fmt.Errorf("line %d: a quotation mark stands inside a value; expected values that commas separate, in quotation marks as a whole or not at all", broken.Line)
	case errors.Is(err, csv.ErrQuote):
		// The reader has looked for the end as far as the next mark, or that of the file.
		return fmt.Errorf("line %d: a quotation mark of the row that begins here is not closed where its value ends; expected values that commas separate, in quotation marks as a whole or not at all", broken.StartLine)
	}
	return fmt.Errorf("line %d: %w", broken.Line, broken.Err)
}
