# Flockscope. `make` alone lists what can be made.
#
# Needs Go, git, node and make. `make test` also needs Chromium and Firefox, and
# installs them on Debian when they are missing, and WebKit if Debian has it.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

SITE := .build/site
SHORT := -short
STEP := .ci/step
GOTEST := $(CURDIR)/.ci/gotest
SIZES := go run ./wasm/build -out .build/release -release -budget wasm/build/budget.txt

# The race detector needs a C compiler.
RACE := $(if $(shell command -v gcc),-race)

# Tests in which goroutines meet: the race detector makes all others ten times
# as long and has nothing to find there.
MEET := Scheduling|Cancel|Shards|RunLanes|Concurrent|Serve|Limit|Store|Drawn|Queue

# Of flock, what shares a sweep among goroutines, programs and NATS servers.
MEETFLOCK := TestNext|Embedded|TestNATS$$|OddMessages

# What also runs compiled for the browser, under node: all that counts, not what reads
# and writes settings; of the engine, where a run takes ten times as long there, what
# compares bits. And what the engine asks of a browser that node has, too. Of the laboratory,
# what the page imports.
PORTABLE := $(shell go list ./clusterer/... ./sim/... ./wasm/engine/... ./ui/guard | grep -v -e sim/engine -e sim/cmd -e sim/experiment -e sim/catalog -e sim/lab) \
	./sim/lab/plan ./sim/lab/stats ./sim/lab/sweep
BITS := GoldenLinks|Shards|EvaluationsChangeNothing|RunLanes

.PHONY: help
help: ## List what can be made.
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: components ## Build the site into .build/site; PLAIN=1 sends the program as Go compiles it.
	go run ./wasm/build -out $(SITE) $(if $(PLAIN),-plain)

.PHONY: release
release: components ## Build the site with the smallest files; takes longer.
	go run ./wasm/build -out $(SITE) -release

.PHONY: size
size: components ## Print what a visit loads and how much memory runs take, beside the budget.
	@$(SIZES)

.PHONY: serve
serve: build ## Build the site and serve it; PORT=9000 picks the port.
	@go build -o .build/bin/flock-serve ./wasm/serve
	@go build -o .build/bin/flock ./sim/cmd/flock
	@exec .build/bin/flock-serve -dir $(SITE)

.PHONY: edge
edge: build ## Build the Worker for Cloudflare into .build/edge.
	@go run ./wasm/edge/build -site $(SITE)

.PHONY: deploy
deploy: release ## Put Flockscope on Cloudflare; see wasm/edge/README.md.
	@.ci/wrangler
	@go run ./wasm/edge/build -site $(SITE)
	@wasm/edge/deploy.sh

.PHONY: test test-long
test: ## Check and test everything, in browsers too; less than ten minutes on two cores.
	@.ci/steps $(MAKE) test-steps
test-long: ## As test, and also the tests that take minutes.
	@.ci/steps $(MAKE) long-steps

# Without browsers, two steps at a time: each alone leaves a processor idle now and
# then, while it links, or at its last test.
.PHONY: test-steps
test-steps:
	@$(STEP) "Browsers are installed" .ci/browsers
	@$(STEP) "Cloudflare's tools are installed" .ci/wrangler
	@$(STEP) "Generated files are current" .ci/drift
	@$(MAKE) -j2 --output-sync=target test-lint test-native test-node test-race test-size
	@$(STEP) "Tests, in browsers" $(MAKE) e2e

.PHONY: test-lint test-native test-race test-node test-size
test-lint:
	@$(STEP) "Lint" .ci/lint
	@$(STEP) "No product is fused with a sum" .ci/fused
test-native:
	@$(STEP) "Tests, native" $(GOTEST) -short -timeout 40m ./...
test-race:
	@$(if $(RACE),$(STEP) "Tests with the race detector" $(GOTEST) -short -timeout 40m -race -run '$(MEET)' ./sim/engine ./sim/engine/workers ./sim/dataset ./sim/partition ./wasm/... ./ui/...)
	@$(if $(RACE),$(STEP) "Tests of sweeps with the race detector" $(GOTEST) -short -timeout 40m -race -run '$(MEETFLOCK)' ./sim/cmd/flock ./sim/lab/cluster)
test-node:
	@$(STEP) "Tests, compiled for the browser, under node" $(MAKE) node
test-size:
	@$(STEP) "Sizes are within the budget" $(SIZES)

.PHONY: long-steps
long-steps: test-steps
	@$(STEP) "Slurm is installed" .ci/slurm
	@$(STEP) "Long tests, native" $(GOTEST) -timeout 120m ./...
	@$(STEP) "Methods agree with their references" .ci/references
	@$(STEP) "Fuzz tests, a minute each, ten for tables" .ci/fuzz
	@$(STEP) "Tests, compiled for other processors" $(MAKE) processors
	@$(STEP) "All tests in all browsers" $(MAKE) e2e SHORT=

.PHONY: fuzz
fuzz: ## Run every fuzz target for TIME=60s.
	@.ci/fuzz $(or $(TIME),60s)

.PHONY: node
node: ## Run the tests of clusterer and sim compiled for the browser.
	@GOOS=js GOARCH=wasm $(GOTEST) -short -timeout 40m -exec="$(CURDIR)/wasm/node/run_test.sh" $(PORTABLE)
	@GOOS=js GOARCH=wasm $(GOTEST) -short -timeout 40m -exec="$(CURDIR)/wasm/node/run_test.sh" -run '$(BITS)' ./sim/engine
	@FLOCKSCOPE_SIMD=0 GOOS=js GOARCH=wasm $(GOTEST) -short -exec="$(CURDIR)/wasm/node/run_test.sh" ./sim/kernel

# Compilers for these processors fuse products and sums (.ci/fused). A program for
# AMD64 v3, with the instructions that most processors have had since 2013, runs where
# these are; one for arm64 runs emulated, some hundred times as long.
V3 := avx2 bmi1 bmi2 f16c fma movbe

.PHONY: processors
processors: ## Run the tests of clusterer and sim compiled for arm64 and for AMD64 v3.
	@.ci/emulator
	@GOARCH=arm64 $(GOTEST) -short -timeout 60m -exec=qemu-aarch64-static $(filter-out %/wasm/engine %/sim/model,$(PORTABLE))
	@GOARCH=arm64 $(GOTEST) -short -timeout 60m -exec=qemu-aarch64-static -run '$(BITS)|TestBits' ./sim/engine ./sim/model
	@for f in $(V3); do grep -qw $$f /proc/cpuinfo || { echo "No test for AMD64 v3: this processor has no $$f."; exit 0; }; done; \
		GOAMD64=v3 $(GOTEST) -short -timeout 60m ./clusterer/... ./sim/...

.PHONY: e2e
e2e: edge ## Run the tests in browsers, on both servers; SHORT= runs all of them in all browsers.
	@.ci/wrangler
	@cd e2e && FLOCKSCOPE_SITE=$(CURDIR)/$(SITE) $(GOTEST) $(SHORT) -count=1 -timeout 60m ./...

# Vugu turns each ui/shell/NAME.vugu into NAME_gen.go beside it, which wants gofmt.
.PHONY: components
components:
	@if compgen -G 'ui/shell/*.vugu' >/dev/null; then \
		go tool vugugen -skip-main -skip-go-mod ./ui/shell && go run ./wasm/components ui/shell; fi

# Components come last, because a go:generate line that runs vugugen leaves them as it
# writes them.
.PHONY: generate
generate: ## Regenerate every generated file.
	@go generate $(if $(SKIP),-skip='$(SKIP)') ./...
	@$(MAKE) components

.PHONY: method
method: ## Write the skeleton of a new method, NAME=mymethod, and say what is next.
	@go run ./sim/cmd/method '$(NAME)'

# What comes out is committed, so that only who changes the C files needs a compiler.
.PHONY: kernel
kernel: ## Rebuild sim/kernel/kernel.wasm; needs clang and lld.
	@sim/kernel/build.sh

.PHONY: pictures
pictures: build ## Take the pictures of the documentation, or PART=sheet: every screen, workload and method, into .build/sheet.
ifeq ($(PART),sheet)
	@rm -rf .build/sheet && mkdir -p .build/sheet
	@cd e2e && FLOCKSCOPE_SHEET=$(CURDIR)/.build/sheet FLOCKSCOPE_SITE=$(CURDIR)/$(SITE) go test -count=1 -timeout=60m -run='^TestContactSheet$$' .
	@echo "The contact sheet is .build/sheet/index.html."
else
	@cd e2e && FLOCKSCOPE_PICTURES=$(CURDIR)/e2e/screens FLOCKSCOPE_SITE=$(CURDIR)/$(SITE) go test -count=1 -timeout=60m -run='^TestReadmePictures$$' .
endif

.PHONY: looks
looks: build ## Take the looks of the page anew, which TestLooks compares.
	@mkdir -p e2e/testdata
	@cd e2e && FLOCKSCOPE_LOOKS=1 FLOCKSCOPE_SITE=$(CURDIR)/$(SITE) go test -short -count=1 -run='^TestLooks$$' .

.PHONY: lint
lint: ## Check format, go vet, staticcheck and govulncheck, native and for the browser.
	@.ci/lint

.PHONY: bench
bench: build ## Measure everything beside its peers, or PART=step,networks,layers,kernel,rounds,growth,page,sweep,toy.
	@.ci/browsers
	@cd e2e && FLOCKSCOPE_BENCH=$(or $(PART),all) FLOCKSCOPE_SITE=$(CURDIR)/$(SITE) go test -count=1 -timeout=30m -run='^TestBench$$' -v .

.PHONY: bench-edge
bench-edge: edge ## Measure both servers: pages, links, previews, files.
	@.ci/wrangler
	@cd e2e && FLOCKSCOPE_BENCH=1 FLOCKSCOPE_SITE=$(CURDIR)/$(SITE) go test -count=1 -run='^TestBenchServers$$' -v .

# The scripts need the Python packages that they name; tests read the results.
.PHONY: golden
golden: ## Recompute the reference values with scikit-learn, SciPy and PyTorch.
	@git ls-files --cached --others --exclude-standard '*golden.py' | while read -r script; do \
		echo "$$script"; python3 "$$script"; done

# Where goroutines meet, the race detector is a judge, too.
.PHONY: mutate
mutate: ## Change operators one by one and list what no short test notices; PKG=./clusterer FOR=30m.
	@.ci/mutate $(or $(PKG),./clusterer) $(or $(FOR),30m) $(if $(filter %/serve,$(PKG)),$(RACE))

.PHONY: clean
clean: ## Remove everything that was built.
	rm -rf .build
