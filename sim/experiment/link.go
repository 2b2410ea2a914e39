package experiment

import (
	"flockscope/sim/say"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Link is the text of a link, or of a query, taken apart. Mail programs, chats, word
// processors and people change links on the way; what can be read without a doubt is
// repaired, and Repairs says what was.
type Link struct {
	pairs   [][2]string   // key and value, decoded, in the order of the text
	bad     []string      // pieces that are no pairs
	repairs []say.Message // kinds of repairs, in words
	tooLong bool
}

// maxQuery bounds a link: a hundred times what any real one needs.
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

// Page returns the keys that belong to the page around a run, with their values.
func (l Link) Page() url.Values {
	values := url.Values{}
	for _, p := range l.pairs {
		if slices.Contains(pageKeys, p[0]) {
			if !slices.Contains(free, p[0]) {
				p[1] = strings.ToLower(p[1])
			}
			values.Add(p[0], p[1])
		}
	}
	return values
}

// Repairs says what had to be repaired, as "line breaks, quotation marks"; "" for nothing.
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

// free are the page's keys whose values are another page's affair and stay as they are.
var free = []string{"id", "origin"}

// ReadLink takes a link, or the text behind its "?", apart.
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

// Opening is the link that the page opens where its address names no setting, moment or lesson.
// Its groups are so close to each other that CFL-GP finds them and IFCA does not, and round 25
// shows it. The defaults of the settings are others, so that old links keep their results.
const Opening = "dphi=8&t=25"

// OpenLink reads a link as the page opens it: as ReadLink does, or as [Opening] if the link names
// no setting, moment or lesson.
func (s *Schema) OpenLink(text string) Link {
	l := s.ReadLink(text)
	if l.tooLong || len(l.bad) > 0 || l.Has("t") || l.Has("lesson") ||
		slices.ContainsFunc(l.pairs, func(p [2]string) bool { return !slices.Contains(pageKeys, p[0]) }) {
		return l
	}
	opening := s.ReadLink(Opening)
	l.pairs = append(opening.pairs, l.pairs...)
	return l
}

// lesson puts what a lesson shows before the link's own settings: a link that names a
// lesson and neither data nor lanes is that lesson, with a few settings of its own.
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

// isLesson reports whether a link leaves its experiment to a lesson.
func (s *Schema) isLesson(l Link) bool {
	return s.Lesson != nil && l.Page().Get("lesson") != "" && !l.Has(keyData) && !l.Has(keyLanes)
}

// missingLesson reports whether that lesson does not exist.
func (s *Schema) missingLesson(l Link) bool {
	return s.isLesson(l) && s.Lesson(l.Page().Get("lesson")) == ""
}

// read is ReadLink; depth counts links in links.
func (s *Schema) read(l *Link, text string, depth int) {
	text = l.plain(text)
	for range 3 { // a link that was encoded as a whole, perhaps more than once
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

// plain takes out of a text what editors, mail programs and shells put into it.
func (l *Link) plain(text string) string {
	text = l.unescape(l.entities(l.visible(text)))
	text = l.entities(l.lines(text)) // which a line's end may have divided
	return l.unwrap(text)
}

// escapes are how JSON, TeX, Markdown and shells write the characters of a link.
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

// query returns what stands behind the "?" of a link or, for old ones, the "#". A text
// without either is a query already. A sentence around a link is no part of it.
func query(text string) string {
	at := strings.Index(text, "://")
	if at >= 0 {
		// Not where the address is a value itself: origin=https://example.org
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
		// An element of HTML, a link of Slack, of Org or of Proofpoint ends.
		for _, end := range []string{"<", ">", `" `, "|", "][", "__;"} {
			text, _, _ = strings.Cut(text, end)
		}
	}
	return text
}

// split takes a query apart into pairs.
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

// pair takes one pair of a query, decoded. It reports whether the rest is of no interest.
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
		// The address of a mail program or a search engine that leads to the link.
		l.repaired(repairedRedirect)
		l.pairs, l.bad = nil, nil
		s.read(l, value, depth+1)
		return true
	}
	if slices.Contains(free, key) {
		l.pairs = append(l.pairs, [2]string{key, value})
		return false
	}
	if again, err := url.QueryUnescape(value); err == nil && again != value && strings.Contains(value, "%") {
		l.repaired(repairedEncoded)
		value = again
	}
	if value = l.visible(value); key != "cols" { // whose values may begin with *
		value = l.unwrapPart(value)
	}
	// What was encoded together with the "&" before it.
	if at := strings.IndexAny(value, "&;"); at >= 0 && strings.Contains(value[at:], "=") && depth < 3 {
		l.repaired(repairedEncoded)
		l.pairs = append(l.pairs, [2]string{key, l.unwrapPart(value[:at])})
		s.split(l, value[at+1:], depth+1)
		return false
	}
	l.pairs = append(l.pairs, [2]string{key, value})
	return false
}

// proofpoint returns the address in one that a mail filter of that name made, version 2:
// "-" stands for "%", and "_" for "/".
func proofpoint(key, value string) string {
	if key == "u" && strings.HasPrefix(value, "http") && strings.Contains(value, "-3A__") {
		if address, err := url.PathUnescape(strings.NewReplacer("-", "%", "_", "/").Replace(value)); err == nil {
			return address
		}
	}
	return value
}

// visible takes out characters that nobody sees and replaces those that only look like
// the ones meant: wide forms of East Asian keyboards, signs that word processors
// put for a minus, spaces that do not break.
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

// entity replaces what HTML has for the characters of a link. An entity needs its
// semicolon: "&sect=" and "&cent=" may be settings.
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

// lines joins what a mail program has broken into lines.
func (l *Link) lines(text string) string {
	text = strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text))
	// Quoted-printable, RFC 2045: lines that go on end with "=", and "=3D" is "=".
	if joined := strings.ReplaceAll(text, "=\n", ""); strings.Contains(joined, "=3D") &&
		strings.Count(joined, "=3D") == strings.Count(joined, "=") {
		l.repaired(repairedQuoted)
		text = strings.ReplaceAll(joined, "=3D", "=")
	}
	if !strings.Contains(text, "\n") {
		return text
	}
	l.repaired(repairedBreaks)
	return join(text)
}

// join joins lines. A line is a pair of its own unless a pair was broken in two: then
// either the line before ends, or this one begins, with a piece that has no "=".
func join(text string) string {
	var out strings.Builder
	whole := false // what stands behind the last separator has a "="
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

// What may stand around a link in a text, or be glued to its end.
const (
	opening = "\"'`“”„‘’‚«»‹›<([{*"
	closing = opening + ">)]},.;:!?…*。，/"
)

// unwrap takes quotation marks, brackets and punctuation off both ends.
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

// unwrapPart is unwrap for a key or a value. One that holds HTML is not one that somebody
// put in brackets; it stays as it is, to be refused.
func (l *Link) unwrapPart(text string) string {
	if strings.Contains(text, "<") {
		return strings.TrimSpace(text)
	}
	return l.unwrap(text)
}

// resolve returns the key that is meant: the same, or the only one that differs in
// nothing but capital letters. A single letter stays as it is: t and T, k and K are
// different things in the papers.
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

// known reports whether a key, as it is written, means something.
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

// tracks reports whether a key only follows people around.
func tracks(key string) bool {
	key = strings.ToLower(key)
	for _, prefix := range []string{"utm_", "_ga", "_gl", "_hs", "__hs", "pk_", "mtm_", "hsa_", "oly_", "_x_tr_"} {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return slices.Contains(trackers, key)
}
