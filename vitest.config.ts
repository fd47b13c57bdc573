import { join } from "node:path";
import { defineConfig } from "vitest/config";

/**
 * A busy machine takes many times as long as an idle one: only what never happens may time out. Real servers and clients race with its
 * clock: what fails twice is a failure.
 */
const limits = { retry: 1, testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };

/** Folders whose tests need no process of their own: their files share the loaded modules, which saves most of the time. */
const SHARED = [
  "admission",
  "aggregation",
  "apply",
  "audit",
  "auth",
  "cel",
  "controllers",
  "definitions",
  "encoding",
  "fairness",
  "generator",
  "go",
  "handlers",
  "hooks",
  "http",
  "kinds",
  "lib",
  "manifests",
  "nodes",
  "operations",
  "outbound",
  "patch",
  "registry",
  "release",
  "resource",
  "schema",
  "values",
  "watch",
  "x509",
].map((folder) => `test/${folder}/**/*.test.ts`);

/** Tests that replace modules, which only Vite's module runner can. */
const MOCKED = ["test/conversion-counts.test.ts"];

/** Tests that install the package, which is packed once for all of them. */
const INSTALLED = ["test/package/installed/**/*.test.ts"];

/**
 * Node loads the modules itself, and all processes share what it stripped of types and compiled, those of servers that tests start
 * included. That saves half of what a test file costs. A run that watches files needs Vite's module runner, which knows who imports whom.
 */
const native = process.argv.includes("run") && {
  setupFiles: ["test/tools/native-modules.js"],
  experimental: { viteModuleRunner: false, nodeLoader: false },
};
// Servers that tests start run from the sources, also after `make serve` has built one.
process.env.TYPEPLANE_FROM_SOURCE ??= "1";
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, ".cache/compile");

export default defineConfig({
  test: {
    // One more than the cores of a small machine: tests of timeouts and of real processes mostly wait.
    maxWorkers: 3,
    projects: [
      { test: { name: "shared modules", include: SHARED, isolate: false, ...limits, ...native } },
      {
        test: {
          name: "own process",
          include: ["test/**/*.test.ts"],
          exclude: [...SHARED, ...MOCKED, ...INSTALLED],
          ...limits,
          ...native,
        },
      },
      {
        test: {
          name: "installed package",
          include: INSTALLED,
          globalSetup: ["test/package/installed/pack-once.ts"],
          ...limits,
          ...native,
        },
      },
      { test: { name: "mocked modules", include: MOCKED, ...limits } },
    ],
  },
});
