// Package e2e tests the built site in real browsers. It is a module of its
// own, so that the drivers of browsers are no dependency of Flockscope.
//
// A test body is written once against [Page] and runs in Chromium, Firefox and, if it
// is installed, WebKit; see [InBrowsers]. It waits for states of the page, never for times,
// and it fails by itself if the browser reports an error or a violation of the
// page's security policy.
//
//	go test ./...                      builds the site first
//	FLOCKSCOPE_SITE=dir go test ./...  tests a site that is built already
//
// With -short most tests run in Chromium alone, whose pages then keep nothing for
// being offline and whose compiler takes its time; see journeys, keepers and inShort.
//
// WebKit is that of Debian's webkit2gtk-driver, on a screen of xvfb. It has no memory
// that workers share, and in a frame without an origin no workers: the page does without.
//
// [TestLooks] compares the page from afar with pictures in testdata. Who changed
// on purpose how it looks runs make looks, and looks at what it wrote.
package e2e
