package e2e

import (
	"strings"
	"testing"
)

// The other tests trust that errors are reported; this one provokes some.
func TestProblemsAreSeen(t *testing.T) {
	tests := []struct{ name, provoke, want string }{
		{"uncaught error", `setTimeout(() => { document.body.dataset.over = 1; throw new Error("thrown on purpose"); })`, "thrown on purpose"},
		{"rejected promise", `setTimeout(() => { Promise.reject(new Error("rejected on purpose")); setTimeout(() => { document.body.dataset.over = 1; }); })`, "rejected on purpose"},
		{"inline script", `(() => {
			addEventListener("securitypolicyviolation", () => { document.body.dataset.over = 1; });
			document.head.append(Object.assign(document.createElement("script"), { textContent: "1" }));
		})()`, "script-src"},
		{"style as text", `(() => {
			addEventListener("securitypolicyviolation", () => { document.body.dataset.over = 1; });
			document.body.setAttribute("style", "color: red");
		})()`, "style-src"},
	}
	InBrowsers(t, func(t *testing.T, p *Page) {
		for _, tt := range firstStates(2, tests) {
			p.AllowProblem(tt.want)
			p.Open("/?engine=none")
			p.Until(started, patience)
			p.Eval(tt.provoke, nil)
			p.Until("document.body.dataset.over", patience)
			problems, err := p.browser.problems()
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(strings.Join(problems, "\n"), tt.want) {
				t.Errorf("%s: problems() = %q, want one with %q", tt.name, problems, tt.want)
			}
		}
	})
}
