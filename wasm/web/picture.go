package web

import (
	"bytes"
	"log"
	"net/http"
	"strings"

	"flockscope/sim/draw/scene"
	"flockscope/wasm/raster"
)

// queryPicture answers with the preview of a long link.
func (s *Server) queryPicture(w http.ResponseWriter, r *http.Request) {
	state, _ := ReadState(s.Schema(), "?"+r.URL.RawQuery)
	s.showPicture(w, r, state, strings.HasSuffix(r.URL.Path, ".png"))
}

// linkPicture answers with the preview of a stored link.
func (s *Server) linkPicture(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/og/")
	text, isPNG := strings.CutSuffix(name, ".png")
	if !isPNG {
		var isSVG bool
		if text, isSVG = strings.CutSuffix(name, ".svg"); !isSVG {
			missing(w)
			return
		}
	}
	if _, state, ok := s.stored(w, r, text); ok {
		s.showPicture(w, r, state, isPNG)
	}
}

// showPicture answers with the picture of a state, from the cache or newly drawn. The
// cache's key is the state, so nothing else in the address makes another picture of the
// same state. A browser may keep the picture for a day: it changes only with the code.
func (s *Server) showPicture(w http.ResponseWriter, r *http.Request, state State, isPNG bool) {
	kind := typeSVG
	if isPNG {
		kind = typePNG
	}
	key := kind + " " + state.Text()
	var picture []byte
	known := false
	if s.Pictures != nil {
		picture, known = s.Pictures.Get(key)
	}
	if !known {
		if !allowed(s.Drawings, r) {
			w.Header().Set("Retry-After", "60")
			respond(w, http.StatusTooManyRequests, typeText,
				[]byte("Too many pictures at once for your address. Please wait a minute.\n"))
			return
		}
		var err error
		if picture, err = s.drawPicture(state, isPNG); err != nil {
			log.Print("picture: ", err)
			respond(w, http.StatusInternalServerError, typeText, []byte("The picture could not be drawn.\n"))
			return
		}
		if s.Pictures != nil {
			s.Pictures.Put(key, picture)
		}
	}
	w.Header().Set("Cache-Control", "public, "+oneDay)
	w.Header().Set(cacheControlHeader, oneDay)
	respond(w, http.StatusOK, kind, picture)
}

func (s *Server) drawPicture(state State, isPNG bool) ([]byte, error) {
	var l scene.List
	schema := s.Schema()
	draw(&l, schema, state)
	theme := scene.Light
	if state.View("theme") == "dark" {
		theme = scene.Dark
	}
	var out bytes.Buffer
	var err error
	if isPNG {
		err = raster.PNG(&out, &l, theme, pictureWidth, pictureHeight)
	} else {
		err = scene.SVG(&out, &l, theme, pictureWidth, pictureHeight, title(schema, state), description(state))
	}
	return out.Bytes(), err
}
