package experiment

import (
	"flockscope/sim/say"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Link is a parsed link or query. Mail programs, chats, word processors and people change links;
// what can be read without ambiguity is repaired, and Repairs lists the repairs.
type Link struct {
	pairs   [][2]string   // keys and values, decoded, in the order of the text
	bad     []string      // parts without key and value
	repairs []say.Message // kinds of repairs made
	tooLong bool
	resting int
}

// maxQuery is the most bytes of a link: a hundred times those of real ones.
const maxQuery = 16 << 10

// Has reports whether the link has a key.
func (l Link) Has(key string) bool {
	return slices.ContainsFunc(l.pairs, func(p [2]string) bool { return p[0] == key })
}

// WithDefault returns the link with a pair, unless it has the key already.
func (l Link) WithDefault(key, value string) Link {
	if !l.Has(key) {
		l.pairs = append(slices.Clone(l.pairs), [2]string{key, value})
	}
	return l
}

// Page returns the keys that are settings of the page, with their values.
func (l Link) Page() url.Values {
	values := url.Values{}
	for _, p := range l.pairs {
		if slices.Contains(pageKeys, p[0]) {
			if !slices.Contains(opaqueKeys, p[0]) {
				p[1] = strings.ToLower(p[1])
			}
			values.Add(p[0], p[1])
		}
	}
	return values
}

// Repairs lists what was repaired, such as "line breaks, quotation marks"; "" for nothing.
func (l Link) Repairs() say.Message { return say.JoinMessage(l.repairs, ", ") }

func (l *Link) repaired(what say.Message) {
	if !slices.Contains(l.repairs, what) {
		l.repairs = append(l.repairs, what)
	}
}

// The kinds of repairs.
const (
	repairedInvisible say.Message = "invisible characters"
	repairedWide      say.Message = "full-width characters"
	repairedEntities  say.Message = "HTML entities"
	repairedQuoted    say.Message = "a mail program's encoding"
	repairedEscapes   say.Message = "backslashes"
	repairedBreaks    say.Message = "line breaks"
	repairedWrapping  say.Message = "quotation marks or punctuation around it"
	repairedEncoded   say.Message = "double percent-encoding"
	repairedSemicolon say.Message = "semicolons between settings"
	repairedCase      say.Message = "capital letters"
	repairedRedirect  say.Message = "a redirecting address"
)

// opaqueKeys are keys of the page whose values stay as they are: those that belong to the embedding page, and names of
// settings, in which capitals matter.
var opaqueKeys = []string{"id", "marks", "origin", "sweep"}

// ReadLink parses a link, or the text after its "?".
func (s *Schema) ReadLink(text string) Link {
	var l Link
	if len(text) > maxQuery {
		l.tooLong = true
		return l
	}
	s.read(&l, text, 0)
	s.lesson(&l)
	return l
}

// Opening is the link that the page opens if its address has no setting and no lesson. Its groups
// are so close that CFL-GP finds them and IFCA does not, which round 25 shows. It is not the default
// of the settings, so that old links keep their results.
const Opening = "dphi=8&t=26"

// OpenLink reads a link as the page and the server open it: as ReadLink does, with the settings of
// [Opening] if the link has no setting and no lesson, whatever keys of the page it has. Without a
// round, it opens at that of [Opening] or at [Config.RestingRound]; a lesson begins at its start.
func (s *Schema) OpenLink(text string) Link {
	l := s.ReadLink(text)
	if l.tooLong || len(l.bad) > 0 || l.Has("lesson") && !s.missingLesson(l) {
		return l
	}
	if !slices.ContainsFunc(l.pairs, func(p [2]string) bool { return !slices.Contains(pageKeys, p[0]) }) {
		for _, p := range s.ReadLink(Opening).pairs {
			l = l.WithDefault(p[0], p[1])
		}
	} else if !l.Has("t") {
		known := Link{pairs: slices.DeleteFunc(slices.Clone(l.pairs), func(p [2]string) bool { return !s.known(p[0]) })}
		c, _ := s.ParseLink(known)
		l.resting = c.RestingRound()
		l = l.WithDefault("t", strconv.Itoa(l.resting))
	}
	return l
}

// Resting returns the round that [Schema.OpenLink] has chosen for a link with settings and without
// a round, 0 for none.
func (l Link) Resting() int { return l.resting }

// lesson adds the settings of a lesson: a link with a lesson and without data and lanes is that
// lesson, with the link's own settings instead of some of the lesson's.
func (s *Schema) lesson(l *Link) {
	number := l.Page().Get("lesson")
	if !s.isLesson(*l) || s.Lesson(number) == "" {
		return
	}
	var shown Link
	s.read(&shown, s.Lesson(number), 0)
	shown.pairs = slices.DeleteFunc(shown.pairs, func(p [2]string) bool { return l.Has(p[0]) })
	l.pairs = append(shown.pairs, l.pairs...)
}

// isLesson reports whether a link takes its experiment from a lesson.
func (s *Schema) isLesson(l Link) bool {
	return s.Lesson != nil && l.Page().Get("lesson") != "" && !l.Has(keyData) && !l.Has(keyLanes)
}

// missingLesson reports whether the link names a lesson that does not exist.
func (s *Schema) missingLesson(l Link) bool {
	return s.isLesson(l) && s.Lesson(l.Page().Get("lesson")) == ""
}

// read is ReadLink with the depth of nested links.
func (s *Schema) read(l *Link, text string, depth int) {
	text = l.plain(text)
	for range 3 { // a link that was encoded as a whole, perhaps repeatedly
		decoded, err := url.PathUnescape(text)
		if err != nil || decoded == text || strings.Contains(text, "=") ||
			!strings.Contains(strings.ToLower(text), "%3d") && !strings.Contains(text, "%25") {
			break
		}
		l.repaired(repairedEncoded)
		text = l.plain(decoded)
	}
	s.split(l, query(text), depth)
}

// plain removes characters that editors, mail programs and shells add.
func (l *Link) plain(text string) string {
	text = l.unescape(l.entities(l.visible(text)))
	text = l.entities(l.joinBrokenLines(text)) // again, because an entity may have been split between lines
	return l.unwrap(text)
}

// escapes replaces the escapes of JSON, TeX, Markdown and shells for the characters of a link.
var escapes = strings.NewReplacer(`\u0026`, "&", `\u003d`, "=", `\u003D`, "=", `\u003f`, "?", `\u003F`, "?",
	`\u0025`, "%",
	`\u002b`, "+", `\u002B`, "+", `\u003c`, "<", `\u003C`, "<", `\u003e`, ">", `\u003E`, ">", `\`, "", "^&", "&")

func (l *Link) unescape(text string) string {
	bare := escapes.Replace(text)
	if bare != text {
		l.repaired(repairedEscapes)
	}
	return bare
}

// query returns the text after the "?" of a link or, for old links, the "#". A text without either
// is a query already. A sentence around a link is removed.
func query(text string) string {
	at := strings.Index(text, "://")
	if at >= 0 {
		// unless the address is a value itself: origin=https://example.org
		if start := strings.LastIndexAny(text[:at], opening+" \t="); start >= 0 && text[start] != '=' {
			text, at = text[start+1:], at-start-1
		}
		if space := strings.IndexFunc(text[at:], unicode.IsSpace); space >= 0 &&
			!strings.Contains(text[at+space:], "=") {
			text = text[:at+space]
		}
	}
	if i := strings.IndexAny(text, "?#"); i >= 0 && !strings.Contains(text[:i], "=") {
		old := text[i] == '#'
		text = text[i+1:]
		if old {
			return text
		}
	}
	text, _, _ = strings.Cut(text, "#")
	if at >= 0 {
		// The end of an HTML element, or of a link in Slack, Org or Proofpoint.
		for _, end := range []string{"<", ">", `" `, "|", "][", "__;"} {
			text, _, _ = strings.Cut(text, end)
		}
	}
	return text
}

// split splits a query into pairs.
func (s *Schema) split(l *Link, text string, depth int) {
	if strings.Contains(text, ";") {
		for piece := range strings.SplitSeq(text, ";") {
			if key, _, ok := strings.Cut(piece, "="); ok && piece != text && s.known(strings.TrimSpace(key)) {
				l.repaired(repairedSemicolon)
			}
		}
	}
	for piece := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '&' || r == ';' }) {
		if strings.TrimSpace(piece) == "" {
			continue
		}
		if !strings.Contains(piece, "=") { // the "=" itself may be encoded
			if decoded, err := url.QueryUnescape(piece); err == nil && strings.Contains(decoded, "=") {
				l.repaired(repairedEncoded)
				piece = decoded
			}
		}
		key, value, ok := strings.Cut(piece, "=")
		k, err1 := url.QueryUnescape(strings.TrimSpace(key))
		v, err2 := url.QueryUnescape(strings.TrimSpace(value))
		if again, err := url.QueryUnescape(k); err == nil {
			k = again
		}
		if k = l.unwrapPart(l.visible(k)); !ok || err1 != nil || err2 != nil || k == "" {
			l.bad = append(l.bad, piece)
			continue
		}
		if s.pair(l, k, v, depth) {
			return
		}
	}
}

// pair adds one decoded pair of a query. It reports whether the rest of the query is ignored.
func (s *Schema) pair(l *Link, key, value string, depth int) (last bool) {
	if name, ok := s.resolve(key); ok {
		if name != key {
			l.repaired(repairedCase)
		}
		key = name
	} else if tracks(key) {
		return false
	} else if value = proofpoint(key, value); depth < 3 && strings.Contains(value, "://") &&
		strings.ContainsAny(value, "?#") && slices.Contains([]string{"url", "u", "q"}, key) {
		// A redirecting address of a mail program or search engine.
		l.repaired(repairedRedirect)
		l.pairs, l.bad = nil, nil
		s.read(l, value, depth+1)
		return true
	}
	if slices.Contains(opaqueKeys, key) {
		l.pairs = append(l.pairs, [2]string{key, value})
		return false
	}
	if again, err := url.QueryUnescape(value); err == nil && again != value && strings.Contains(value, "%") {
		l.repaired(repairedEncoded)
		value = again
	}
	if value = l.visible(value); key != "cols" { // the values of cols may begin with *
		value = l.unwrapPart(value)
	}
	// Pairs that were encoded together with the "&" between them.
	if at := strings.IndexAny(value, "&;"); at >= 0 && strings.Contains(value[at:], "=") && depth < 3 {
		l.repaired(repairedEncoded)
		l.pairs = append(l.pairs, [2]string{key, l.unwrapPart(value[:at])})
		s.split(l, value[at+1:], depth+1)
		return false
	}
	l.pairs = append(l.pairs, [2]string{key, value})
	return false
}

// proofpoint decodes an address that the mail filter Proofpoint has rewritten (version 2), where
// "-" stands for "%" and "_" for "/".
func proofpoint(key, value string) string {
	if key == "u" && strings.HasPrefix(value, "http") && strings.Contains(value, "-3A__") {
		if address, err := url.PathUnescape(strings.NewReplacer("-", "%", "_", "/").Replace(value)); err == nil {
			return address
		}
	}
	return value
}

// visible removes invisible characters and replaces similar ones: full-width forms of East Asian
// keyboards, dashes that word processors write for a minus, and non-breaking spaces.
func (l *Link) visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < utf8.RuneSelf:
			return r
		case r == '\u2212' || r >= '\u2010' && r <= '\u2013':
			l.repaired(repairedWide)
			return '-'
		case r == '、':
			l.repaired(repairedWide)
			return ','
		case r >= '\uff01' && r <= '\uff5e':
			l.repaired(repairedWide)
			return r - '\uff01' + '!'
		case unicode.Is(unicode.Cf, r) || r == '\u034f':
			l.repaired(repairedInvisible)
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, text)
}

// entity replaces HTML entities for the characters of a link. An entity needs its semicolon:
// "&sect=" and "&cent=" may be settings.
var entity = strings.NewReplacer(
	"&amp;", "&", "&AMP;", "&", "&#38;", "&", "&#038;", "&", "&#x26;", "&", "&#X26;", "&",
	"&#61;", "=", "&#x3d;", "=", "&#x3D;", "=", "&equals;", "=", "&#63;", "?", "&#x3f;", "?", "&#x3F;", "?", "&quest;", "?",
	"&quot;", `"`, "&#34;", `"`, "&#x22;", `"`, "&#39;", "'", "&#x27;", "'", "&apos;", "'", "&lt;", "<", "&gt;", ">",
	"&nbsp;", " ", "&comma;", ",", "&#44;", ",", "&#x2c;", ",", "&#x2C;", ",", "&colon;", ":", "&period;", ".",
)

func (l *Link) entities(text string) string {
	for range 3 { // "&amp;amp;" was escaped twice
		replaced := entity.Replace(text)
		if replaced == text {
			break
		}
		l.repaired(repairedEntities)
		text = replaced
	}
	return text
}

// joinBrokenLines joins lines that a mail program has broken.
func (l *Link) joinBrokenLines(text string) string {
	text = strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text))
	// Quoted-printable, RFC 2045: a line that continues ends with "=", and "=3D" is "=".
	if joined := strings.ReplaceAll(text, "=\n", ""); strings.Contains(joined, "=3D") &&
		strings.Count(joined, "=3D") == strings.Count(joined, "=") {
		l.repaired(repairedQuoted)
		text = strings.ReplaceAll(joined, "=3D", "=")
	}
	if !strings.Contains(text, "\n") {
		return text
	}
	l.repaired(repairedBreaks)
	return joinLines(text)
}

// joinLines joins lines. A line begins a new pair unless a pair was broken in two: then the line
// before ends, or this one begins, with a piece without "=".
func joinLines(text string) string {
	var out strings.Builder
	whole := false // the text after the last separator has a "="
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "> "))
		first, last := line, line
		if i := strings.IndexAny(line, "&;"); i >= 0 {
			first, last = line[:i], line[strings.LastIndexAny(line, "&;")+1:]
		}
		if key, _, ok := strings.Cut(first, "="); ok && key != "" && whole {
			out.WriteByte('&')
			whole = false
		}
		out.WriteString(line)
		whole = strings.Contains(last, "=") || whole && len(first) == len(line)
	}
	return out.String()
}

// Characters around a link in a text, or directly after it.
const (
	opening = "\"'`“”„‘’‚«»‹›<([{*"
	closing = opening + ">)]},.;:!?…*。，/"
)

// unwrap removes quotation marks, brackets and punctuation from both ends.
func (l *Link) unwrap(text string) string {
	text = strings.TrimSpace(text)
	bare := strings.TrimRightFunc(strings.TrimLeft(text, opening), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(closing, r)
	})
	if strings.Trim(bare, "?/") != strings.Trim(text, "?/") ||
		strings.HasSuffix(text, "/") && strings.Contains(text, "=") {
		// An address without settings may end with "?" or "/".
		l.repaired(repairedWrapping)
	}
	return strings.TrimSpace(bare)
}

// unwrapPart is unwrap for a key or a value. A text with HTML stays as it is, so that it is
// refused.
func (l *Link) unwrapPart(text string) string {
	if strings.Contains(text, "<") {
		return strings.TrimSpace(text)
	}
	return l.unwrap(text)
}

// resolve returns the key itself, or the only known key that differs in upper and lower case alone.
// A single letter stays as it is: t and T, k and K have different meanings in the papers.
func (s *Schema) resolve(key string) (string, bool) {
	if id, name, dotted := cutLast(key, "."); dotted {
		full, ok := s.resolve(name)
		if !ok {
			return key, false
		}
		return strings.ToLower(id) + "." + full, true
	}
	if s.known(key) {
		return key, true
	}
	if len(key) < 2 {
		return key, false
	}
	found := ""
	for _, candidates := range [][]string{s.keys(), pageKeys} {
		for _, k := range candidates {
			if strings.EqualFold(k, key) {
				if found != "" && found != k {
					return key, false
				}
				found = k
			}
		}
	}
	return found, found != ""
}

// known reports whether a key exists exactly as it is written.
func (s *Schema) known(key string) bool {
	if _, name, ok := cutLast(key, "."); ok {
		key = name
	}
	_, ok := s.byName[s.current(key)]
	return ok || key == keyData || key == keyLanes || slices.Contains(pageKeys, key)
}

// trackers are keys that mail programs, advertisers and social networks add to links.
var trackers = []string{
	"fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "twclid", "ttclid", "yclid", "igshid", "igsh",
	"li_fat_id", "mc_cid", "mc_eid", "mkt_tok", "srsltid", "ved", "usg", "ei", "ref", "ref_src", "ref_url", "si", "s_kwcid",
	"spm", "trk", "vero_id", "wickedid", "epik", "cmpid", "_openstat", "sca_esv",
}

// tracks reports whether a key only serves to track people.
func tracks(key string) bool {
	key = strings.ToLower(key)
	for _, prefix := range []string{"utm_", "_ga", "_gl", "_hs", "__hs", "pk_", "mtm_", "hsa_", "oly_", "_x_tr_"} {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return slices.Contains(trackers, key)
}
