// Package e2e tests the built site in real browsers. It is a module of its
// own, so that the drivers of browsers are no dependency of Flockscope.
//
// A test body is written once against [Page] and runs in Chromium, Firefox and, if it is
// installed, WebKit; see [InBrowsers]. It waits for states of the page, never for times, and
// it fails if the browser reports an error or a violation of the page's security policy.
//
//	go test ./...                      builds the site first
//	FLOCKSCOPE_SITE=dir go test ./...  tests a site that is built already
//
// With -short most tests run in Chromium alone, without service workers and with a lazy
// compiler; see firefoxTests, serviceWorkerTests and inShort.
//
// WebKit is that of Debian's webkit2gtk-driver, on a screen of xvfb. It has no shared memory,
// and no workers in a frame without an origin.
//
// [TestLooks] compares small pictures of the page with those in testdata. After an intended
// change of the layout run make looks, and view the new pictures.
package e2e
