import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, it } from "vitest";

/**
 * Imports point in one direction. Each folder or layer lists what it may import; nothing else is allowed. `open` ones may be imported by all
 * layers above them.
 */
const root = new URL("..", import.meta.url).pathname;

/**
 * Modules that all higher layers may import. Each of these imports only those before it. Field errors print Go's notation, which prints
 * quantities, so quantities are a separate layer within `values`.
 */
const open = [
  "runtime/contract",
  "runtime/lib",
  "runtime/outbound",
  "runtime/values/quantity.ts",
  "runtime/go",
  "runtime/values",
  "runtime/x509",
];
/** Imports by file, or by the longest folder that contains it. A folder may always import itself. */
const allowed: Record<string, readonly string[]> = {
  "api-definitions": ["generated/values", "runtime/encoding", "runtime/cel", ...open],
  // Lists of the values that the definitions declare: hooks check by them.
  "generated/values": [],
  // Rules and defaults are checked by the code that will run them.
  generator: ["api-definitions", "runtime/registry", "runtime/cel", "runtime/schema", "runtime/openapi", ...open],
  generated: ["api-definitions", "runtime/registry", ...open],
  ...Object.fromEntries(open.map((layer, index) => [layer, open.slice(0, index)])),
  "runtime/registry": open,
  "runtime/cel": open,
  "runtime/encoding": open,
  "runtime/openapi": open,
  "runtime/schema": ["runtime/encoding", "runtime/cel", ...open],
  "runtime/apply": open,
  "runtime/patch": open,
  "runtime/release": open,
  "runtime/nodes": open,
  "runtime/metrics": ["runtime/release", ...open],
  "runtime/egress": ["runtime/metrics", "runtime/schema", ...open],
  "runtime/tracing": ["runtime/watch", "runtime/store", "runtime/schema", "runtime/release", ...open],
  "runtime/fairness": ["runtime/metrics", ...open],
  "runtime/store": ["runtime/schema", ...open],
  "runtime/watch": ["runtime/store", ...open],
  "runtime/kinds": [
    "runtime/metrics",
    "runtime/watch",
    "runtime/store",
    "runtime/schema",
    "runtime/encoding",
    "runtime/cel",
    "runtime/release",
    ...open,
  ],
  "runtime/manifests": [
    "runtime/client",
    "runtime/kinds",
    "runtime/release",
    "runtime/schema",
    "runtime/encoding",
    ...open,
  ],
  "runtime/auth": [
    "runtime/auth/webhook",
    "runtime/metrics",
    "runtime/release",
    "runtime/schema",
    "runtime/encoding",
    "runtime/cel",
    ...open,
  ],
  "runtime/auth/webhook": ["runtime/schema", "runtime/encoding", ...open],
  "runtime/audit": ["runtime/auth/webhook", "runtime/metrics", "runtime/schema", "runtime/encoding", ...open],
  "runtime/admission": [
    "runtime/auth/webhook",
    "runtime/kinds",
    "runtime/apply",
    "runtime/patch",
    "runtime/release",
    "runtime/schema",
    "runtime/encoding",
    "runtime/cel",
    ...open,
  ],
  "runtime/aggregation": [
    "runtime/kinds",
    "runtime/openapi",
    "runtime/metrics",
    "runtime/release",
    "runtime/encoding",
    ...open,
  ],
  "runtime/controllers": ["runtime/store", "runtime/schema", "runtime/encoding", ...open],
  "runtime/resource": [
    "runtime/kinds",
    "runtime/apply",
    "runtime/patch",
    "runtime/watch",
    "runtime/store",
    "runtime/schema",
    "runtime/encoding",
    "runtime/release",
    ...open,
  ],
  "runtime/resource/access": ["runtime/resource", "runtime/kinds", "runtime/watch", "runtime/store", ...open],
  "runtime/handlers": [
    "runtime/nodes",
    "runtime/resource",
    "runtime/kinds",
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
    "runtime/tracing",
    "runtime/nodes",
    "runtime/fairness",
    "runtime/openapi",
    "runtime/aggregation",
    "runtime/audit",
    "runtime/handlers",
    "runtime/auth",
    "runtime/resource",
    "runtime/kinds",
    "runtime/metrics",
    "runtime/watch",
    "runtime/schema",
    "runtime/encoding",
    "runtime/release",
    ...open,
  ],
  // Modules that programs import: no part of the server is loaded with them.
  "runtime/client": ["runtime/encoding", ...open],
  "runtime/client.ts": ["runtime/client", ...open],
  "runtime/controller": ["runtime/client", "runtime/metrics", ...open],
  "runtime/controller.ts": ["runtime/controller"],
  "runtime/disturb": ["runtime/http", "runtime/handlers", "runtime/kinds", "runtime/watch", "runtime/store", ...open],
  // Composition root: the only module that may import any other.
  "runtime/server": [],
  "runtime/webhook": ["runtime/kinds", "runtime/schema", "runtime/encoding", ...open],
  "runtime/cli": [
    "runtime/webhook",
    "runtime/client",
    "runtime/cli/flags",
    "generated",
    "runtime/registry",
    "runtime/server",
    "runtime/manifests",
    "runtime/kinds",
    "runtime/auth",
    "runtime/store",
    "runtime/release",
    "runtime/schema",
    "runtime/encoding",
    ...open,
  ],
  // Flags are read by the rules of what they configure.
  "runtime/cli/flags": [
    "runtime/cli",
    "runtime/server",
    "runtime/audit",
    "runtime/auth",
    "runtime/controllers",
    "runtime/disturb",
    "runtime/http",
    "runtime/release",
    "runtime/schema",
    "runtime/store",
    ...open,
  ],
  "runtime/plane": ["runtime/server", "runtime/resource", ...open],
  "runtime/plane.ts": [
    "runtime/plane",
    "generated",
    "runtime/registry",
    "runtime/controllers",
    "runtime/kinds",
    "runtime/cli",
    "runtime/server",
    "runtime/http",
    "runtime/auth",
    "runtime/store",
    ...open,
  ],
  // The commands: the only place that knows both the generator and the runtime.
  cli: [
    "generator",
    "runtime/cli",
    "runtime/server",
    "runtime/check-definitions.ts",
    "runtime/controller",
    "runtime/encoding",
    "runtime/manifests",
    ...open,
  ],
  "runtime/check-definitions.ts": ["runtime/plane.ts"],
};

/** Modules that may use `generated/`: those that create a server, and commands. */
const isCompositionRoot = (file: string) => /^runtime\/([^/]+\.ts|server\/|cli\/)/.test(file);

const importPattern = /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+"([^"]+)"|import\(\s*"([^"]+)"\s*\)/g;

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function layerOf(file: string): string | undefined {
  for (let folder = file; folder !== "."; folder = dirname(folder)) if (folder in allowed) return folder;
  return undefined;
}

const houses = readdirSync(root).filter((name) =>
  ["api-definitions", "cli", "generator", "generated", "runtime"].includes(name),
);
const files = houses.flatMap(sources);

/** Files that import each other although only a part of their shared code requires it, with the reason for the recursion. */
const recursive: Readonly<Record<string, string>> = {
  "runtime/cel/checker":
    "an expression has expressions: each kind of them is checked in its own file, which calls the checker back",
  "runtime/cel/compiler":
    "an expression has expressions: each kind of them is compiled in its own file, which calls the compiler back",
  "runtime/kinds/custom/validation":
    "a schema has schemas: anyOf, oneOf, allOf and not are compiled apart from the rest",
};

/** Returns what a file imports from these folders, including types. */
function importsOf(file: string): string[] {
  const targets = [...readFileSync(join(root, file), "utf8").matchAll(importPattern)].map(([, a, b]) => a ?? b ?? "");
  return targets.filter((target) => target.startsWith(".")).map((target) => normalize(join(dirname(file), target)));
}

/** Returns groups of files with circular imports: strongly connected components (Tarjan). */
function findCircles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const onPath = new Set<string>();
  const visit = (file: string): void => {
    if (order.has(file)) return;
    const own = order.size;
    order.set(file, own);
    path.push(file);
    onPath.add(file);
    let low = own;
    for (const imported of graph.get(file) ?? []) {
      visit(imported);
      if (onPath.has(imported)) low = Math.min(low, lowest.get(imported) ?? (order.get(imported) as number));
    }
    lowest.set(file, low);
    if (low === own) {
      const circle = path.splice(path.indexOf(file));
      for (const member of circle) onPath.delete(member);
      if (circle.length > 1) circles.push(circle.sort());
    }
  };
  for (const file of graph.keys()) visit(file);
  return circles;
}

describe("layers", () => {
  it("finds the sources it is meant to watch", () => {
    expect(files.length).toBeGreaterThan(5);
  });

  it("lets imports point one way only", () => {
    const wrong: string[] = [];
    for (const file of files) {
      const layer = layerOf(file);
      if (layer === undefined) wrong.push(`${file} is in no layer`);
      if (layer === undefined || layer === "runtime/server") continue;
      for (const [statement, fromStatic, fromDynamic] of readFileSync(join(root, file), "utf8").matchAll(
        importPattern,
      )) {
        const target = fromStatic ?? fromDynamic;
        if (target === undefined || !target.startsWith(".")) continue;
        const imported = normalize(join(dirname(file), target));
        const importedLayer = layerOf(imported);
        if (importedLayer === layer) continue;
        // Types of kinds that the runtime itself uses, such as Services. No code is loaded for them.
        if (importedLayer === "api-definitions" && /^\s*import type /.test(statement)) continue;
        if (importedLayer === undefined || !allowed[layer]!.includes(importedLayer))
          wrong.push(`${file} imports ${imported}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("has no files that import each other in a circle, types included, but where the code itself is recursive", () => {
    const circles = findCircles(new Map(files.map((file) => [file, importsOf(file)])));
    const folders = circles.map((circle) => [...new Set(circle.map((file) => dirname(file)))].join(" and "));
    expect(circles.filter((_, index) => !((folders[index] as string) in recursive))).toEqual([]);
    expect(new Set(folders), "recursion that is not there any more").toEqual(new Set(Object.keys(recursive)));
    expect(folders.length).toBe(Object.keys(recursive).length);
  });

  it("finds circles", () => {
    const graph = { a: ["b", "d"], b: ["c"], c: ["a"], d: ["e"], e: [], f: ["g", "a"], g: ["f"] };
    expect(findCircles(new Map(Object.entries(graph)))).toEqual([
      ["a", "b", "c"],
      ["f", "g"],
    ]);
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

  it("exports only functions and constants of the runtime that something other than a test uses", () => {
    const imports =
      /(?:import|export)\s+(?:type\s+)?(\{[^}]*\}|\*\s+as\s+\w+)\s+from\s+"(\.[^"]+)"|import\(\s*"(\.[^"]+)"/g;
    const used = new Set<string>();
    const others = ["test", "bench", "package"].flatMap(sources);
    for (const file of [...files, ...others]) {
      for (const [, names, target, dynamic] of readFileSync(join(root, file), "utf8").matchAll(imports)) {
        const imported = normalize(join(dirname(file), target ?? dynamic ?? ""));
        for (const [name] of (names ?? "*").matchAll(/\w+(?=\s+as\b)|\w+(?=\s*[,}])|\*/g)) {
          used.add(`${imported} ${name}`);
          if (!file.startsWith("test/")) used.add(`${imported} ${name} served`);
        }
      }
    }
    const unused = files
      .filter((file) => file.startsWith("runtime/") && file !== "runtime/plane.ts")
      .flatMap((file) => {
        const text = readFileSync(join(root, file), "utf8");
        const isUsed = (name: string) => {
          const inside = [...text.matchAll(new RegExp(`\\b${name}\\b`, "g"))].length > 1;
          return ["*", name].some((it) => used.has(`${file} ${it}${inside ? "" : " served"}`));
        };
        return [...text.matchAll(/^export (?:async )?(?:function\*?|const) (\w+)/gm)]
          .filter(([, name]) => !isUsed(name as string))
          .map(([, name]) => `${file}: ${name}`);
      });
    expect(unused).toEqual([]);
  });

  it("puts a server together in functions of less than 60 lines", () => {
    const long: string[] = [];
    for (const file of files.filter((name) => name.startsWith("runtime/server/"))) {
      const text = readFileSync(join(root, file), "utf8");
      for (const [whole, name] of text.matchAll(/^(?:export )?(?:async )?function (\w+)[\s\S]*?\n}$/gm)) {
        const lines = whole.split("\n").length;
        if (lines >= 60) long.push(`${file}: ${name} has ${lines} lines`);
      }
    }
    expect(long).toEqual([]);
  });

  /** Tests of users replace the global ones, and a plane in the same process would stop. */
  it("takes timers from node:timers", () => {
    const timers = /(?<![.\w])(?:set|clear)(?:Timeout|Interval|Immediate)\(/;
    const wrong = files.filter((file) => {
      const text = readFileSync(join(root, file), "utf8");
      return (
        file.startsWith("runtime/") &&
        timers.test(text) &&
        !/^import .* from "node:timers(?:\/promises)?";$/m.test(text)
      );
    });
    expect(wrong).toEqual([]);
  });

  /** A second reading of a request can differ from the first: that was how authorization was bypassed. */
  it("reads the line of a request in one place", () => {
    const readers = new Set([
      "runtime/http/pipeline/app.ts",
      "runtime/http/pipeline/request-line.ts",
      "runtime/http/pipeline/query.ts",
    ]);
    // Below the app: one is a client of the server it is in, one knows the rule of Node, the others give the app its requests.
    const below = ["create-http-server", "in-memory-transport", "listen", "unknown-methods"].map(
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
