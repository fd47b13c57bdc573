# The whole interface of the project. `make` lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

NODE   := node_modules/.bin/node
TS     := $(NODE) --disable-warning=ExperimentalWarning
VITEST := $(NODE) node_modules/vitest/vitest.mjs
TSC    := $(NODE) node_modules/typescript-native/bin/tsc
GROUPS ?=
BIOME  := node_modules/.bin/biome
READY  := node_modules/.package-lock.json

# glibc keeps what was freed, for each thread apart and between what is still held; with these the server gives it back.
# The last is because the system limits how many pieces of memory a process may have.
MALLOC_ARENA_MAX       ?= 2
MALLOC_TRIM_THRESHOLD_ ?= 131072
MALLOC_MMAP_THRESHOLD_ ?= 16384
MALLOC_MMAP_MAX_       ?= 16384
SERVER_ENV := $(foreach name,ARENA_MAX TRIM_THRESHOLD_ MMAP_THRESHOLD_ MMAP_MAX_,MALLOC_$(name)=$(MALLOC_$(name)))

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

# Two commands that are started in a fresh clone at once install once: who comes second waits and finds everything there.
LOCKED := $(if $(shell command -v flock),flock package-lock.json)

$(READY): package-lock.json
	@$(LOCKED) $(SHELL) -euc '[ $@ -nt package-lock.json ] || { echo "installing the pinned dependencies"; npm ci --no-audit --no-fund --loglevel=error; touch $@; }'

.PHONY: setup
setup: $(READY) ## install the pinned dependencies, Node 24 among them

.PHONY: generate
generate: $(READY) ## turn api-definitions/ into generated/
	$(TS) generator/main.ts

.PHONY: api-diff
api-diff: $(READY) ## say how the API changed since a git revision: make api-diff BASE=main
	$(TS) generator/main.ts api-diff $(BASE)

.PHONY: release-snapshot
release-snapshot: generate ## keep the API as released: from now on, breaking it is an error
	$(TS) generator/main.ts --release-snapshot

.PHONY: scaffold
scaffold: $(READY) ## start a definition: make scaffold KIND=library.example.com/v1/Book
	$(TS) generator/main.ts scaffold $(KIND)

.PHONY: serve
serve: $(READY) ## start a server on loopback (ARGS="--flag …" is passed on)
	env $(SERVER_ENV) $(TS) bin/typeplane.js serve $(ARGS)

.PHONY: migrate-storage
migrate-storage: $(READY) ## rewrite stored objects in the version this release stores (ARGS="--data-dir …")
	$(TS) runtime/main.ts migrate-storage $(ARGS)

.PHONY: scrub-storage
scrub-storage: $(READY) ## remove deleted objects and old plaintext from the data file (ARGS="--data-dir …")
	$(TS) runtime/main.ts scrub-storage $(ARGS)

.PHONY: openapi
openapi: $(READY) ## publish the OpenAPI documents to dist/openapi/
	$(TS) generator/main.ts --publish-openapi dist/openapi

.PHONY: types
types: $(READY)
	$(TSC) --noEmit -p tsconfig.json

.PHONY: lint
lint: $(READY)
	$(BIOME) check --error-on-warnings .

.PHONY: format
format: $(READY) ## rewrite sources in the house format
	$(BIOME) check --write .

.PHONY: check
check: types lint ## types, lint, stale generated files, layers, patterns that take more than linear time
	$(TS) generator/main.ts --check
	$(VITEST) run test/layers.test.ts test/hostile/linear-patterns.test.ts

.PHONY: tools
tools: ## fetch kubectl and etcd for the tests that talk to them, if they can be had
	@[ -n "$${TYPEPLANE_TOOLS:-}" ] || test/tools/fetch-tools.sh .cache/tools

.PHONY: crash
crash: $(READY) tools ## kill servers, stores and etcd under load ROUNDS times and check that nothing was lost
	$(TS) test/crash/main.ts $(or $(ROUNDS),20)

.PHONY: soak
soak: $(READY) ## mixed load for MINUTES, with an eye on memory
	env $(SERVER_ENV) $(TS) test/soak/main.ts $(or $(MINUTES),60)

.PHONY: hostile
hostile: $(READY) ## attack a server with generated inputs for MINUTES (SEED, ONLY=http1,bodies; AT=<number> repeats one)
	env $(SERVER_ENV) $(TS) test/hostile/main.ts MINUTES=$(or $(MINUTES),30) SEED=$(SEED) ONLY=$(ONLY) AT=$(AT)

.PHONY: test
test: check tools ## everything that says the product works
	$(VITEST) run

.PHONY: bench
bench: $(READY) ## measure, side by side with baselines (ONLY=server,store …; PEER=<kubeconfig> adds another server)
	SERVER_ENV='$(SERVER_ENV)' $(TS) --expose-gc bench/main.ts $(if $(ONLY),--only $(ONLY)) $(if $(PEER),--peer $(PEER))

.PHONY: replay
replay: $(READY) ## replay recorded answers of a real server, where ../shared has them (GROUPS=crud,rv: only these)
	$(TS) test/conformance/replay.ts '$(GROUPS)'

.PHONY: four-uses
four-uses: $(READY) tools ## add a kind, serve it, publish it, rehearse its removal, in a copy of the project
	PATH="$(or $(TYPEPLANE_TOOLS),$(CURDIR)/.cache/tools):$$PATH" test/conformance/four-uses.sh

.PHONY: clean
clean: ## remove what was built or fetched (keeps node_modules)
	rm -rf dist .cache coverage
