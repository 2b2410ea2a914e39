package dataset

import "bytes"

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
