package randquery

import (
	"net/url"
	"strings"
)

// ValidLinks are links whose mangled forms must still be readable.
var ValidLinks = []string{
	"data=linreg&dphi=8&algos=cflgp,ifca",
	"data=digits&n=800&C=8&T=4&algos=cflgp,ifca",
	"data=mix1d&star=-2,0,2&algos=clove,clove:roots&clove:roots.sqrt=1",
	"data=linreg&dphi=8&algos=cflgp,clove&t=14&view=losses&theme=dark",
	"data=words&n=900&C=9&algos=cflgp",
	"data=linreg&sigma=0.5&b=3&K=4&lr=0.25&algos=ifca&sd=7&sm=8&sa=9",
	"data=mixreg&algos=clove,kfed,ifca&sd=4294967295",
	"data=digits&angles=0,90,180,270&algos=fedavg&sel=3,5-8",
	"data=linreg&rho=0.5&drop=0.1&algos=fedem,local&lane=2&speed=0.5",
	"data=pairs8&T=20&algos=cflgp&t=3&ph=4&curve=loss&zoom=1",
}

// breakLines inserts a line break, and a text after it, after every n characters.
func breakLines(text, with string) string {
	var out []string
	for len(text) > 20 {
		out, text = append(out, text[:20]), text[20:]
	}
	return strings.Join(append(out, text), with)
}

// Manglings are ways in which links are changed when they are sent.
var Manglings = []struct {
	Name   string
	Mangle func(query string) string
}{
	{"as it is", func(q string) string { return q }},
	{"a whole address", func(q string) string { return "https://host.example/flockscope/?" + q }},
	{"an old address", func(q string) string { return "https://host.example/#" + q }},
	{"a fragment", func(q string) string { return "http://localhost:8080/?" + q + "#top" }},
	{"HTML", func(q string) string { return strings.ReplaceAll(q, "&", "&amp;") }},
	{"HTML, by number", func(q string) string { return strings.ReplaceAll(q, "&", "&#38;") }},
	{"HTML, in hexadecimal", func(q string) string { return "https://h.example/?" + strings.ReplaceAll(q, "&", "&#x26;") }},
	{"HTML, twice", func(q string) string { return "https://h.example/?" + strings.ReplaceAll(q, "&", "&amp;amp;") }},
	{"an attribute of HTML", func(q string) string {
		return `<a href="https://h.example/?` + strings.ReplaceAll(q, "&", "&amp;") + `">a run</a>`
	}},
	{"a frame", func(q string) string { return `<iframe src="https://h.example/?` + q + `" width="800"></iframe>` }},
	{"Markdown", func(q string) string { return "[a run](https://h.example/?" + q + ")" }},
	{"Markdown, bare", func(q string) string { return "<https://h.example/?" + q + ">" }},
	{"code", func(q string) string { return "`" + q + "`" }},
	{"encoded", url.QueryEscape},
	{"encoded twice", func(q string) string { return url.QueryEscape(url.QueryEscape(q)) }},
	{"an encoded address", func(q string) string { return url.QueryEscape("https://h.example/?" + q) }},
	{"encoded separators", func(q string) string { return strings.ReplaceAll(q, "&", "%26") }},
	{"encoded values", func(q string) string { return strings.NewReplacer(",", "%252C", ":", "%253A").Replace(q) }},
	{"encoded equals signs", func(q string) string { return strings.ReplaceAll(q, "=", "%3D") }},
	{"semicolons", func(q string) string { return strings.ReplaceAll(q, "&", ";") }},
	{"quotation marks", func(q string) string { return `"` + q + `"` }},
	{"typographic marks", func(q string) string { return "“" + q + "”" }},
	{"German marks", func(q string) string { return "„https://h.example/?" + q + "“" }},
	{"French marks", func(q string) string { return "« " + q + " »" }},
	{"the end of a sentence", func(q string) string { return "https://h.example/?" + q + "." }},
	{"in brackets", func(q string) string { return "(https://h.example/?" + q + ")." }},
	{"an encoded bracket", func(q string) string { return q + "%29" }},
	{"a comma", func(q string) string { return q + "," }},
	{"within a sentence", func(q string) string { return "See https://h.example/?" + q + " for the run" }},
	{"a byte order mark", func(q string) string { return "\ufeff" + q }},
	{"zero-width spaces", func(q string) string { return strings.ReplaceAll(q, "&", "&\u200b") + "\u200b" }},
	{"encoded zero-width spaces", func(q string) string { return "%E2%80%8B" + q + "%E2%80%8B" }},
	{"soft hyphens", func(q string) string { return strings.ReplaceAll(q, "a", "a\u00ad") }},
	{"spaces", func(q string) string { return "  " + strings.NewReplacer("&", " & ", "=", " = ").Replace(q) + "\t" }},
	{"spaces that do not break", func(q string) string { return strings.ReplaceAll(q, "&", "\u00a0&\u00a0") }},
	{"a mail's lines", func(q string) string { return breakLines("https://h.example/?"+q, "\r\n") }},
	{"a quoted mail's lines", func(q string) string { return "> " + breakLines("https://h.example/?"+q, "\n> ") }},
	{"quoted-printable", func(q string) string {
		return breakLines("https://h.example/?"+strings.ReplaceAll(q, "=", "=3D"), "=\r\n")
	}},
	{"a setting a line", func(q string) string { return strings.ReplaceAll(q, "&", "\n") }},
	{"wide characters", func(q string) string { return strings.NewReplacer("&", "＆", "=", "＝", ",", "，").Replace(q) }},
	{"a typographic minus", func(q string) string { return strings.ReplaceAll(q, "=-", "=−") }},
	{"capital values", func(q string) string {
		return strings.NewReplacer("digits", "Digits", "cflgp", "CFLGP", "linreg", "LinReg").Replace(q)
	}},
	{"capital methods", func(q string) string { return strings.ReplaceAll(q, "clove", "CLoVE") }},
	{"capital keys", func(q string) string {
		return strings.NewReplacer("data=", "DATA=", "algos=", "Algos=", "dphi=", "dPhi=").Replace(q)
	}},
	{"trackers", func(q string) string { return "utm_source=mail&" + q + "&fbclid=IwAR0x&_ga=1.2-3&ref=x&si=y&mc_cid=9" }},
	{"a comma after the lanes", func(q string) string { return strings.Replace(q, "algos=cflgp", "algos=cflgp,", 1) }},
	{"a mail program's address", func(q string) string {
		return "https://eur01.safelinks.protection.outlook.com/?url=" + url.QueryEscape("https://h.example/?"+q) +
			"&data=05%7C01%7C&sdata=x&reserved=0"
	}},
	{"a search engine's address", func(q string) string {
		return "https://www.google.com/url?sa=t&q=" + url.QueryEscape("https://h.example/?"+q) + "&usg=AOv"
	}},
	{"a redirecting network", func(q string) string {
		return "https://l.social.example/l.php?u=" + url.QueryEscape("https://h.example/?"+q+"&fbclid=x") + "&h=AT0"
	}},
	{"a translated page", func(q string) string {
		return "https://h-example.translate.goog/?" + q + "&_x_tr_sl=auto&_x_tr_tl=de&_x_tr_hl=en"
	}},
	{"a mail filter's address", func(q string) string {
		return "https://urldefense.example/v3/__https://h.example/?" + q + "__;!!Nv3xtKNH!abc$"
	}},
	{"a mail filter's older address", func(q string) string {
		safe := strings.NewReplacer("-", "%2D", "_", "%5F").Replace(url.QueryEscape("https://h.example/?" + q))
		return "https://urldefense.example/v2/url?u=" + strings.NewReplacer("%2F", "_", "%", "-").Replace(safe) +
			"&d=DwMF&c=x&e="
	}},
	{"a chat's link", func(q string) string { return "<https://h.example/?" + q + "|a run>" }},
	{"a mail's link in text", func(q string) string { return "a run<https://h.example/?" + q + ">" }},
	{"Org", func(q string) string { return "[[https://h.example/?" + q + "][a run]]" }},
	{"reStructuredText", func(q string) string { return "`a run <https://h.example/?" + q + ">`_" }},
	{"Markdown with a title", func(q string) string { return `[a run](https://h.example/?` + q + ` "title")` }},
	{"TeX", func(q string) string { return `\url{https://h.example/?` + strings.ReplaceAll(q, "&", `\&`) + `}` }},
	{"a shell's backslashes", func(q string) string {
		return `https://h.example/\?` + strings.NewReplacer("&", `\&`, "=", `\=`).Replace(q)
	}},
	{"another shell's carets", func(q string) string { return strings.ReplaceAll(q, "&", "^&") }},
	{"JSON", func(q string) string {
		return `"https:\/\/h.example\/?` + strings.NewReplacer("&", `\u0026`, "=", `\u003d`).Replace(q) + `",`
	}},
	{"a fragment of text", func(q string) string { return "https://h.example/?" + q + "#:~:text=CFL-GP" }},
	{"encoded lines", func(q string) string { return url.QueryEscape(strings.ReplaceAll(q, "&", "\r\n")) }},
	{"an encoded mail's lines", func(q string) string { return url.QueryEscape(breakLines("https://h.example/?"+q, "\r\n")) }},
	{"short lines", func(q string) string { return strings.Join(strings.Split(q, ""), "\n") }},
	{"lines within HTML", func(q string) string { return breakLines(strings.ReplaceAll(q, "&", "&amp;"), "\n") }},
	{"marks and a slash", func(q string) string { return "'https://h.example/?" + q + "/'" }},
	{"an exclamation", func(q string) string { return "https://h.example/?" + q + "!" }},
	{"square brackets", func(q string) string { return "[https://h.example/?" + q + "]" }},
	{"a pair of empty settings", func(q string) string { return "&&" + q + "&" }},
}
