# The whole interface of the project. `make` lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

NODE   := node_modules/.bin/node
TS     := $(NODE) --disable-warning=ExperimentalWarning
TYPEPLANE := $(TS) bin/typeplane.js
# Builds the server. Servers that the same recipe line starts then run this build without comparing it with the sources; if the build fails, they run the sources.
BUILD  := { $(TS) package/build-server.ts && export TYPEPLANE_BUILD=latest; } || echo "not built: the server runs from its sources"
VITEST := $(NODE) node_modules/vitest/vitest.mjs
TSC    := $(NODE) node_modules/typescript-native/bin/tsc
GROUPS ?=
BIOME  := node_modules/.bin/biome
READY  := node_modules/.package-lock.json

# With these settings glibc returns freed memory to the system instead of keeping it per thread and between live allocations.
# MMAP_MAX_ stays below the system's limit of memory mappings per process. MMAP_THRESHOLD_ is above the buffers of 16 KiB that each TLS write
# allocates and frees: mapped one by one, their page faults made events of 5 KB to 500 watchers cost a third more processor time.
MALLOC_ARENA_MAX       ?= 2
MALLOC_TRIM_THRESHOLD_ ?= 4194304
MALLOC_MMAP_THRESHOLD_ ?= 32768
MALLOC_MMAP_MAX_       ?= 16384
SERVER_ENV := $(foreach name,ARENA_MAX TRIM_THRESHOLD_ MMAP_THRESHOLD_ MMAP_MAX_,MALLOC_$(name)=$(MALLOC_$(name)))

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

# Two commands started in a fresh clone at the same time install once: the second one waits for the first.
LOCKED := $(if $(shell command -v flock),flock package-lock.json)

$(READY): package-lock.json
	@$(LOCKED) $(SHELL) -euc '[ $@ -nt package-lock.json ] || { echo "installing the pinned dependencies into node_modules (Node 24 among them; about a minute)"; npm ci --no-audit --no-fund --loglevel=error; touch $@; echo "installed"; }'

.PHONY: setup
setup: $(READY) ## install the pinned dependencies, including Node 24

.PHONY: generate
generate: $(READY) ## generate generated/ from api-definitions/
	$(TYPEPLANE) generate

.PHONY: api-diff
api-diff: $(READY) ## describe how the API changed since a git revision: make api-diff BASE=main
	$(TYPEPLANE) api-diff $(BASE)

.PHONY: release-snapshot
release-snapshot: $(READY) ## record the API as released: later incompatible changes are errors (REPLACE=1 corrects a mistake)
	$(TYPEPLANE) release-snapshot $(if $(REPLACE),--replace)

.PHONY: scaffold
scaffold: $(READY) ## create the definition of a new kind: make scaffold KIND=library.example.com/v1/Book
	$(TYPEPLANE) scaffold $(KIND)

.PHONY: build
build: $(READY) ## build the server that `typeplane serve` runs in this clone (make serve does it, too)
	@$(BUILD)

.PHONY: serve
serve: $(READY) ## start a server on loopback (ARGS="--flag …" passes flags)
	@$(BUILD); env $(SERVER_ENV) $(TYPEPLANE) serve $(ARGS)

.PHONY: migrate-storage
migrate-storage: $(READY) ## rewrite stored objects in their storage version and with the current key (ARGS="--data-dir …")
	$(TYPEPLANE) migrate-storage $(ARGS)

.PHONY: scrub-storage
scrub-storage: $(READY) ## remove deleted objects and old plaintext from the data file (ARGS="--data-dir …")
	$(TYPEPLANE) scrub-storage $(ARGS)

.PHONY: openapi
openapi: $(READY) ## write the OpenAPI documents to dist/openapi/ (GROUPS=library.example.com,apps/v1 writes only those)
	$(TYPEPLANE) openapi --groups '$(GROUPS)'

.PHONY: docs
docs: $(READY) ## build the documentation site in dist/docs/
	$(TYPEPLANE) docs --everything

.PHONY: package
package: $(READY) ## build the package in dist/package/ and pack it as dist/typeplane-<version>.tgz
	$(TS) package/build-package.ts

.PHONY: types
types: $(READY)
	GOGC=400 $(TSC) --noEmit -p tsconfig.json

.PHONY: lint
lint: $(READY)
	$(BIOME) check --error-on-warnings .

.PHONY: format
format: $(READY) ## format the sources and apply safe lint fixes
	$(BIOME) check --write .

.PHONY: up-to-date
up-to-date: $(READY)
	$(TYPEPLANE) check

# Two at a time: the compiler waits for its slowest part, and the others do not need it.
.PHONY: static-checks
static-checks: $(READY)
	@$(MAKE) --no-print-directory -j2 types lint up-to-date

.PHONY: check
check: static-checks ## check types, style, generated files, import rules, conversions and that patterns take linear time
	$(VITEST) run test/layers.test.ts test/hostile/linear-patterns.test.ts test/kinds/conversions/round-trips.test.ts

.PHONY: tools
tools: ## download kubectl, etcd and Chromium for the tests that use them, if possible
	@[ -n "$${TYPEPLANE_TOOLS:-}" ] || test/tools/fetch-tools.sh .cache/tools
	@[ -n "$${TYPEPLANE_TOOLS:-}" ] || test/tools/fetch-chromium.sh .cache/tools

.PHONY: crash
crash: $(READY) tools ## kill servers, workers, stores and etcd under load ROUNDS times each and check that nothing was lost (ONLY=server,workers; PACKAGE=dist/package after make package, for many rounds)
	ONLY=$(ONLY) PACKAGE=$(PACKAGE) $(TS) test/crash/main.ts $(or $(ROUNDS),20)

.PHONY: linearizable
linearizable: $(READY) tools ## kill, stop and cut off servers under load ROUNDS times (SEED) and check linearizability and the guarantees of watches; WORKERS=2 with several processes; PACKAGE as in make crash
	PACKAGE=$(PACKAGE) $(TS) test/linearizable/main.ts $(or $(ROUNDS),20) $(or $(SEED),1)

.PHONY: simulate
simulate: $(READY) ## run servers in a simulated world for SEEDS seeds (FROM, JOBS) and check every promise; SEED or PLAN repeats one run
	$(TS) test/simulation/main.ts SEEDS=$(or $(SEEDS),1000) FROM=$(or $(FROM),1) $(if $(JOBS),JOBS=$(JOBS)) $(if $(SEED),SEED=$(SEED)) $(if $(PLAN),'PLAN=$(PLAN)')

.PHONY: leader-loss
leader-loss: $(READY) tools ## kill or freeze the leader of three etcd members under load ROUNDS times (SEED) and check linearizability and watches
	$(TS) test/linearizable/leader-loss-main.ts $(or $(ROUNDS),20) $(or $(SEED),1)

.PHONY: torn-writes
torn-writes: $(READY) ## open data files as power failures in the middle of COMMITS commits (SEED) may leave them, and check their state
	$(TS) test/crash/torn-writes-main.ts $(or $(COMMITS),200) $(or $(SEED),1)

.PHONY: rolling
rolling: $(READY) tools ## replace servers over one etcd in turn under load ROUNDS times (SEED) and check that no client notices
	$(TS) test/rolling/main.ts $(or $(ROUNDS),10) $(or $(SEED),1)

.PHONY: informer-chaos
informer-chaos: $(READY) ## disturb a server under an informer ROUNDS times (OBJECTS, SEED) and check that it lost and repeated nothing
	$(TS) test/client/chaos/main.ts $(or $(ROUNDS),200) $(or $(OBJECTS),10000) $(or $(SEED),1)

.PHONY: leader-chaos
leader-chaos: $(READY) ## kill -9 the leader of two controllers ROUNDS times and check that there are never two leaders
	$(TS) test/controller/leaders/main.ts $(or $(ROUNDS),50)

.PHONY: soak
soak: $(READY) ## run a mixed load for MINUTES and check memory (RATE=<operations a second>; 150 by default. SPEED=5 makes clocks five times as fast)
	env $(SERVER_ENV) SPEED=$(SPEED) $(TS) --import ./test/soak/fast-clock.ts test/soak/main.ts $(or $(MINUTES),60) $(RATE)

.PHONY: hostile
hostile: $(READY) ## attack a server with generated inputs for MINUTES (SEED, ONLY=http1,bodies; AT=<number> repeats one; WORKERS=2 with several processes)
	env $(SERVER_ENV) $(TS) test/hostile/main.ts MINUTES=$(or $(MINUTES),30) SEED=$(SEED) ONLY=$(ONLY) AT=$(AT) WORKERS=$(WORKERS)

.PHONY: test
test: static-checks tools ## run all checks of make check and all tests
	$(VITEST) run

# What depends on Node itself: transport and limits, processes, TLS, timers, and projects that install the package.
NODE_TESTS := test/http test/cli test/client test/controller test/plane test/outbound test/egress test/package test/store/etcd-client-certificate.test.ts \
  $(addprefix test/hostile/,bodies-that-never-come client-certificate-expiry handshakes http2- large-heads per-user-budgets process-errors slow- tiny-pieces unread-watches upgrades websocket-frames)

.PHONY: node-versions
node-versions: $(READY) tools ## run the tests of what depends on Node with other versions of it: make node-versions NODES="<path of a node> <path of another>"
	@[ -n "$(NODES)" ] || { echo 'usage: make node-versions NODES="<path of a node> <path of another>"'; exit 2; }
	@for node in $(NODES); do echo "Node $$("$$node" --version)"; PROJECT_NODE="$$node" "$$node" node_modules/vitest/vitest.mjs run $(NODE_TESTS); done

.PHONY: cluster
cluster: $(READY) ## measure a server under the load of a cluster of NODES nodes with 30 pods each (DATA=<directory> is kept and used again; CONTROLLER_MANAGER=<kube-controller-manager> runs beside it)
	@$(BUILD); CONTROLLER_MANAGER='$(CONTROLLER_MANAGER)' SERVER_ENV='$(SERVER_ENV)' $(TS) bench/cluster/main.ts $(or $(NODES),500) $(DATA)

.PHONY: large-file
large-file: $(READY) ## measure a server over GIB gigabytes of objects with CACHE_MIB of them in memory (DATA=<directory> is kept and used again; PAGES=<most to list>)
	@$(BUILD); PAGES='$(PAGES)' SERVER_ENV='$(SERVER_ENV)' $(TS) bench/large-file/main.ts $(or $(GIB),4) $(or $(CACHE_MIB),512) $(DATA)

.PHONY: bench
bench: $(READY) ## measure performance beside baselines (ONLY=server,store …, with ADD=1 into the last run; PEER=<kubeconfig> PEER_PIDS=<ids> adds another server)
	@$(BUILD); SERVER_ENV='$(SERVER_ENV)' $(TS) --expose-gc bench/main.ts $(if $(ONLY),--only $(ONLY)) $(if $(ADD),--add) $(if $(PEER),--peer $(PEER)) $(if $(PEER_PIDS),--peer-pids $(PEER_PIDS))

.PHONY: replay
replay: $(READY) ## compare with recorded responses of a real server, if ../shared has them (GROUPS=crud,rv selects groups)
	$(TS) test/conformance/replay.ts '$(GROUPS)'

.PHONY: four-uses
four-uses: $(READY) tools ## in a copy of the project: add a kind, serve it, publish its OpenAPI, test its removal
	PATH="$(or $(TYPEPLANE_TOOLS),$(CURDIR)/.cache/tools):$$PATH" test/conformance/four-uses.sh

.PHONY: every-field
every-field: $(READY) ## try long strings, lists and maps in every field of every kind (SEED), and all inputs of parsers; takes minutes
	HOSTILE_FIELDS=all HOSTILE_SEED=$(or $(SEED),1) $(VITEST) run test/hostile/every-string-field.test.ts test/hostile/every-list-field.test.ts test/hostile/parsers.test.ts

.PHONY: disturb
disturb: $(READY) ## run controllers on servers that refuse and delay requests by SEEDS seeds
	SEEDS=$(or $(SEEDS),50) $(VITEST) run test/disturb/controllers.test.ts

.PHONY: kubectl-over-etcd
kubectl-over-etcd: $(READY) tools ## run everything that kubectl is tested with against a server over etcd
	THEMES=all $(VITEST) run test/conformance/kubectl-over-etcd.test.ts

.PHONY: beside-kube-apiserver
beside-kube-apiserver: $(READY) tools ## compare with a real kube-apiserver v1.33 over the same etcd, and let it take definitions and webhooks of a project (KUBE_APISERVER=<directory that has it>)
	TYPEPLANE_TOOLS='$(KUBE_APISERVER)' $(VITEST) run test/store/beside-kube-apiserver.test.ts test/store/defaults-over-etcd.test.ts test/store/completed-on-reading.test.ts test/hooks/core/pod-level-resources.test.ts
	TYPEPLANE_TOOLS='$(KUBE_APISERVER)' CLUSTER=kube-apiserver $(VITEST) run test/crds/same-verdicts.test.ts test/crds/webhook.test.ts

.PHONY: compare
compare: $(READY) tools ## compare answers with those of a real kube-apiserver v1.33 for SECONDS (SEED, IDEAS=reads,watches selects requests, APIS=all serves all versions with all features, GATES=AllBeta=false sets feature gates, AUDITED=1 compares audit events, KUBE_APISERVER=<directory that has it>)
	APIS='$(APIS)' GATES='$(GATES)' AUDITED='$(AUDITED)' TYPEPLANE_TOOLS='$(KUBE_APISERVER)' $(TS) test/conformance/comparing/main.ts $(or $(SEED),1) $(or $(SECONDS),60) $(IDEAS)

.PHONY: client-generators
client-generators: $(READY) ## install three generators of API clients, test clients of an own kind that they generate, and make types of all OpenAPI documents
	test/tools/fetch-client-generators.sh .cache/client-generators
	DOCUMENTS=all $(VITEST) run test/conformance/client-generators.test.ts test/generator/openapi-validity.test.ts

.PHONY: clean
clean: ## remove built and downloaded files (keeps node_modules)
	rm -rf dist .cache coverage
