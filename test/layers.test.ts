import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, it } from "vitest";

/**
 * Imports point one way. Each house or layer names what it may import; nothing else is allowed. `contract`, `lib` and
 * `schema`-free pure modules are open to everybody above them.
 */
const root = new URL("..", import.meta.url).pathname;

const open = ["runtime/contract", "runtime/lib"];
const allowed: Record<string, readonly string[]> = {
  "api-definitions": ["api-definitions", "runtime/encoding", "runtime/cel", ...open],
  generator: ["generator", "api-definitions", "runtime/cel", ...open],
  generated: ["generated", "api-definitions", ...open],
  "runtime/contract": ["runtime/contract", "runtime/lib"],
  "runtime/lib": ["runtime/lib", "runtime/contract"],
  "runtime/cel": ["runtime/cel", ...open],
  "runtime/encoding": ["runtime/encoding", ...open],
  "runtime/schema": ["runtime/schema", "runtime/encoding", "runtime/cel", ...open],
  "runtime/apply": ["runtime/apply", ...open],
  "runtime/patch": ["runtime/patch", ...open],
  "runtime/store": ["runtime/store", ...open],
  "runtime/watch": ["runtime/watch", "runtime/store", ...open],
  "runtime/conversion": ["runtime/conversion", "runtime/schema", "runtime/encoding", ...open],
  "runtime/manifests": [
    "runtime/manifests",
    "runtime/conversion",
    "runtime/release",
    "runtime/schema",
    "runtime/encoding",
    ...open,
  ],
  "runtime/release": ["runtime/release", ...open],
  "runtime/aggregation": ["runtime/aggregation", ...open],
  "runtime/audit": ["runtime/audit", "runtime/encoding", ...open],
  "runtime/auth": ["runtime/auth", "runtime/schema", "runtime/encoding", "runtime/cel", ...open],
  "runtime/admission": ["runtime/admission", "runtime/cel", ...open],
  "runtime/controllers": ["runtime/controllers", ...open],
  "runtime/resource": [
    "runtime/resource",
    "runtime/apply",
    "runtime/patch",
    "runtime/watch",
    "runtime/store",
    "runtime/schema",
    "runtime/encoding",
    "runtime/release",
    ...open,
  ],
  "runtime/custom": ["runtime/custom", "runtime/resource", "runtime/schema", "runtime/cel", "runtime/release", ...open],
  "runtime/handlers": [
    "runtime/handlers",
    "runtime/resource",
    "runtime/watch",
    "runtime/schema",
    "runtime/encoding",
    "runtime/release",
    "runtime/patch",
    "runtime/apply",
    "runtime/store",
    ...open,
  ],
  "runtime/http": [
    "runtime/http",
    "runtime/aggregation",
    "runtime/audit",
    "runtime/handlers",
    "runtime/auth",
    "runtime/resource",
    "runtime/watch",
    "runtime/schema",
    "runtime/encoding",
    "runtime/release",
    ...open,
  ],
};

/** Where everything is put together; only these know what is generated. */
const isCompositionRoot = (file: string) => /^runtime\/([^/]+\.ts|compose\/|cli\/)/.test(file);

const importPattern = /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+"([^"]+)"|import\(\s*"([^"]+)"\s*\)/g;

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function layerOf(file: string): string | undefined {
  const parts = file.split("/");
  const two = parts.slice(0, 2).join("/");
  if (two in allowed) return two;
  return parts[0] !== undefined && parts[0] in allowed ? parts[0] : undefined;
}

const houses = readdirSync(root).filter((name) =>
  ["api-definitions", "generator", "generated", "runtime"].includes(name),
);
const files = houses.flatMap(sources);

describe("layers", () => {
  it("finds the sources it is meant to watch", () => {
    expect(files.length).toBeGreaterThan(5);
  });

  it("lets imports point one way only", () => {
    const wrong: string[] = [];
    for (const file of files) {
      const layer = isCompositionRoot(file) ? undefined : layerOf(file);
      if (layer === undefined) continue; // a composition root: see below
      for (const [, fromStatic, fromDynamic] of readFileSync(join(root, file), "utf8").matchAll(importPattern)) {
        const target = fromStatic ?? fromDynamic;
        if (target === undefined || !target.startsWith(".")) continue;
        const imported = normalize(join(dirname(file), target));
        const importedLayer = layerOf(imported);
        if (importedLayer === undefined || !allowed[layer]!.includes(importedLayer))
          wrong.push(`${file} imports ${imported}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("keeps generated/ to composition roots", () => {
    const wrong = files.filter(
      (file) =>
        file.startsWith("runtime/") &&
        !isCompositionRoot(file) &&
        /from "(\.\.\/)+generated\//.test(readFileSync(join(root, file), "utf8")),
    );
    expect(wrong).toEqual([]);
  });

  /** A second reading of a request can differ from the first: that was how authorization was bypassed. */
  it("reads the line of a request in one place", () => {
    const readers = new Set([
      "runtime/http/pipeline/app.ts",
      "runtime/http/pipeline/request-line.ts",
      "runtime/http/pipeline/query.ts",
    ]);
    // Below the app: one is a client of the server it is in, the others give the app its requests.
    const below = ["in-memory-transport", "listen", "unknown-methods"].map(
      (name) => `runtime/http/transport/${name}.ts`,
    );
    const raw = /\b(?:ctx|koa)\.(?:url|path|query|querystring|originalUrl|href|URL|search|method|request)\b/;
    const message = /\b(?:req|request|incoming)\.(?:url|method)\b|URLSearchParams|decodeURI/;
    const wrong = files.filter((file) => {
      if (!/^runtime\/(http|aggregation|handlers)\//.test(file) || readers.has(file) || below.includes(file))
        return false;
      const text = readFileSync(join(root, file), "utf8");
      return raw.test(text) || message.test(text);
    });
    expect(wrong).toEqual([]);
  });
});
