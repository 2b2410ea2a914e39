package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"strings"
	"unicode/utf8"

	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// apiPath is the address at which links are made.
const apiPath = "/api/links"

// maxBody is the longest query that package experiment reads, in bytes.
const maxBody = 16 << 10

// A link is the answer to a request for a link, new or known.
type link struct {
	ID    string `json:"id"`
	URL   string `json:"url"`
	Query string `json:"query"` // in canonical form
	// Settings that were repaired, adapted or ignored.
	Warnings []string `json:"warnings,omitempty"`
}

// A refusal describes what was wrong. It only repeats names of settings from the request.
type refusal struct {
	Error    string   `json:"error"`
	Field    string   `json:"field,omitempty"` // the invalid setting
	Warnings []string `json:"warnings,omitempty"`
}

// maxWarnings is the maximum number of warnings in an answer.
const maxWarnings = 20

// api makes links: POST a link, or the text after its "?", as the body. With lenient=1 in
// the address, settings that do not exist are ignored, with a warning.
func (s *Server) api(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	switch {
	case r.URL.Path != apiPath:
		refuse(w, http.StatusNotFound, refusal{Error: "The only address here is POST " + apiPath + "."})
	case r.Method == http.MethodOptions:
		// A page of another site asks before it sends anything unusual.
		w.Header().Set("Access-Control-Allow-Methods", "POST")
		w.Header().Set("Access-Control-Allow-Headers", "Content-Type")
		w.Header().Set("Access-Control-Max-Age", "86400")
		respond(w, http.StatusNoContent, typeText, nil)
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", "POST, OPTIONS")
		refuse(w, http.StatusMethodNotAllowed, refusal{Error: "Send a query with POST."})
	case !s.makesLinks():
		refuse(w, http.StatusServiceUnavailable, refusal{Error: "This server stores no new links; the long link works everywhere."})
	case !allowed(s.Posts, r):
		w.Header().Set("Retry-After", "60")
		refuse(w, http.StatusTooManyRequests, refusal{Error: "Too many links from your address. Please wait a minute, or a day; the long link works meanwhile."})
	default:
		s.makeLink(w, r)
	}
}

func (s *Server) makeLink(w http.ResponseWriter, r *http.Request) {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	switch strings.ToLower(strings.TrimSpace(kind)) {
	case "", "text/plain", "application/x-www-form-urlencoded": // content types of the page and of curl -d
	default:
		refuse(w, http.StatusUnsupportedMediaType, refusal{Error: "Send the query as text/plain."})
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	switch {
	case err != nil:
		refuse(w, http.StatusBadRequest, refusal{Error: "The body could not be read."})
		return
	case len(body) > maxBody:
		// Reading the rest, up to a bound, keeps the connection open for the next request.
		io.CopyN(io.Discard, r.Body, 256<<10)
		refuse(w, http.StatusRequestEntityTooLarge, refusal{Error: "A query has at most 16384 bytes."})
		return
	case len(strings.TrimSpace(string(body))) == 0:
		refuse(w, http.StatusUnprocessableEntity, refusal{Error: "The body is empty; send a query such as data=linreg&algos=cflgp,ifca."})
		return
	case body[0] == '{' || body[0] == '[' && json.Valid(body): // a Markdown or Org link also begins with [
		refuse(w, http.StatusUnprocessableEntity, refusal{Error: "Send the query itself as the body, not as JSON."})
		return
	case !utf8.Valid(body):
		refuse(w, http.StatusUnprocessableEntity, refusal{Error: "The query is not UTF-8."})
		return
	}
	state, problems := ReadState(s.Schema(), string(body))
	wrong := experiment.First(problems)
	if wrong == nil && s.Check != nil {
		wrong = s.Check(state.Config)
	}
	if wrong != nil {
		why := explain(wrong)
		why.Warnings = warnings(problems)
		refuse(w, http.StatusUnprocessableEntity, why)
		return
	}
	if len(experiment.Unknown(problems)) > 0 && !lenient(r) {
		refuse(w, http.StatusUnprocessableEntity, refusal{Warnings: warnings(problems),
			Error: "Some settings do not exist; " + apiPath + "?lenient=1 ignores them."})
		return
	}
	text := state.Text()
	id, isNew, err := s.keepLink(r.Context(), text)
	if err != nil {
		log.Print("store: ", err)
		refuse(w, http.StatusServiceUnavailable, refusal{Error: "The link could not be stored. Please try again; the long link works meanwhile."})
		return
	}
	status := http.StatusOK
	address := s.origin(r) + "/s/" + id
	if isNew {
		status = http.StatusCreated
		w.Header().Set("Location", address)
	}
	answer(w, status, link{ID: id, URL: address, Query: text, Warnings: warnings(problems)})
}

// lenient reports whether settings that do not exist are to be ignored.
func lenient(r *http.Request) bool {
	value := r.URL.Query().Get("lenient")
	return value == "1" || value == "true"
}

// warnings returns the problems that did not stop a link from being made.
func warnings(problems []experiment.Problem) (list []string) {
	for i, p := range problems {
		switch {
		case !p.Warning:
			continue
		case len(list) == maxWarnings:
			return append(list, "and "+say.Count(len(problems)-i, "more warning"))
		case p.Unknown != "" && !isName(p.Unknown):
			list = append(list, "unknown setting (name not shown)")
		default:
			list = append(list, p.Error())
		}
	}
	return list
}

// isName reports whether a key could be that of a setting.
func isName(key string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:"
	return len(key) <= 40 && strings.Trim(key, letters) == ""
}

// explain says what is allowed, without repeating what was sent.
func explain(err error) refusal {
	var e *param.Error
	if !errors.As(err, &e) {
		return refusal{Error: "The query is not valid."}
	}
	why := refusal{Error: e.Field + ": want " + e.Want.String(), Field: e.Field}
	if e.Hint != "" {
		why.Error += " (" + e.Hint.String() + ")"
	}
	return why
}

func refuse(w http.ResponseWriter, status int, why refusal) { answer(w, status, why) }

// answer writes a value as JSON.
func answer(w http.ResponseWriter, status int, value any) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // a query contains &, and no answer is read as HTML
	if err := encoder.Encode(value); err != nil {
		panic("web: " + err.Error()) // our own types always encode
	}
	respond(w, status, typeJSON, text.Bytes())
}
