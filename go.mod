module flockscope

go 1.26

require (
	github.com/vugu/vugu v0.4.0
	gonum.org/v1/gonum v0.17.0
	honnef.co/go/js/dom/v2 v2.0.0-20250304181735-b5e52f05e89d
)
