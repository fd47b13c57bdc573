import { defineConfig } from "vitest/config";

/** A busy machine takes many times as long as an idle one: only what never happens may time out. */
const limits = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 30_000 } } };

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
  "go",
  "handlers",
  "hooks",
  "http",
  "kinds",
  "lib",
  "patch",
  "release",
  "resource",
  "schema",
  "values",
  "watch",
  "x509",
].map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { name: "shared modules", include: SHARED, isolate: false, ...limits } },
      { test: { name: "own process", include: ["test/**/*.test.ts"], exclude: SHARED, ...limits } },
    ],
  },
});
