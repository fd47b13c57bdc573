import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Generation, generate } from "../../generator/generate.ts";
import { GenerationMemory } from "../../generator/model/generation-memory.ts";
import { openDefinitionCache } from "../../generator/reader/definition-cache.ts";
import type { SourceTree } from "../../generator/source-tree.ts";
import { BOOK, definition, realTree, treeOf } from "./fixture.ts";

const tree = await realTree();
const folder = await mkdtemp(join(tmpdir(), "typeplane-"));
const file = join(folder, "definitions.bin");
afterAll(() => rm(folder, { recursive: true, force: true }));

const edited = (before: SourceTree, path: string, change: (text: string) => string): SourceTree => ({
  files: new Map([...before.files].map(([name, text]) => [name, name === path ? change(text) : text])),
});

const bytes = ({ artifacts }: Generation): Map<string, string> =>
  new Map(artifacts.map(({ path, text }) => [path, text]));

describe("generating the whole API", async () => {
  const cache = await openDefinitionCache(file);
  const memory = new GenerationMemory();
  const first = generate(tree, { cache, memory });
  await cache.store(file);

  it("has no errors", () => {
    expect(first.diagnostics.sorted().filter(({ severity }) => severity === "error")).toEqual([]);
    expect(first.artifacts.length).toBeGreaterThan(200);
  });

  it("has given every field its number already", () => {
    expect(first.fieldNumbers.map(({ path }) => path)).toEqual([]);
  });

  it("writes the same bytes from cached definitions as from all of them, whatever their order, after a type that all groups use changed", async () => {
    const meta = "api-definitions/meta/v1/object-meta.ts";
    const changed = edited(tree, meta, (text) => text.replace("/**", "/** Edited."));
    const full = bytes(generate({ files: new Map([...changed.files].reverse()) }));
    const again = await openDefinitionCache(file);
    const cached = bytes(generate(changed, { cache: again }));
    expect(again.missed).toBe(1);
    expect([...cached.keys()].sort()).toEqual([...full.keys()].sort());
    for (const [path, text] of full) expect(cached.get(path) === text, path).toBe(true);
    expect([...full].filter(([path, text]) => bytes(first).get(path) !== text)).not.toEqual([]);
  });

  it("builds and writes only what an edit concerns with the memory of an earlier run, and writes the same bytes", () => {
    const head = "ConfigMap extends Namespaced {";
    const changed = edited(tree, "api-definitions/core/v1/config-map.ts", (text) =>
      text.replace(head, `${head}\n  /** Text for a trial of this test. */\n  trial?: string;`),
    );
    const again = generate(changed, { cache: cache.afterRun(), memory });
    const full = generate(changed, { cache: cache.afterRun() });
    expect(again.diagnostics.sorted()).toEqual(full.diagnostics.sorted());
    const [written, expected] = [bytes(again), bytes(full)];
    expect([...expected].filter(([path, text]) => written.get(path) !== text).map(([path]) => path)).toEqual([]);
    expect(written.size).toBe(expected.size);
    const rebuilt = [...again.model.modules].flatMap(([name, { types }]) =>
      [...types].filter(([type, now]) => first.model.modules.get(name)?.types.get(type) !== now).map(([type]) => type),
    );
    expect(rebuilt.sort()).toEqual(["ConfigMap", "ConfigMapList"]);
  });
});

describe("the cache of definitions", () => {
  const SHELF = "api-definitions/library/v1/shelf.ts";
  const before = treeOf({
    [BOOK]: definition(`import type { Shelf } from "./shelf.ts";
import "./shelf.ts";
export interface Book extends Namespaced { shelf?: Shelf }
export const book = kind<Book>({ plural: "books" });`),
    [SHELF]: definition("export interface Shelf { width: Int32 }"),
  });
  const run = async (source: SourceTree, options = {}) => {
    const cache = await openDefinitionCache(join(folder, "small.bin"), options);
    const generation = generate(source, { checksDescriptions: false, cache });
    await cache.store(join(folder, "small.bin"));
    return { diagnostics: generation.diagnostics.sorted(), files: [...bytes(generation)] };
  };

  it.each<[string, SourceTree]>([
    ["unchanged files", before],
    ["an added field", edited(before, SHELF, (text) => text.replace("width", "depth: Int32; width"))],
    ["a renamed type", edited(before, SHELF, (text) => text.replace("Shelf", "Board"))],
    ["a removed file", { files: new Map([...before.files].filter(([path]) => path !== SHELF)) }],
    ["a syntax error", edited(before, SHELF, (text) => text.replace("Int32 }", "Int32 "))],
    ["a misplaced function", edited(before, BOOK, (text) => `${text}\nexport function misplaced() {}`)],
  ])("leads to the same files and diagnostics as a full run for %s", async (_, after) => {
    await run(before, { empty: true });
    const [cached, again] = [await run(after), await run(after)];
    const full = await run(after, { empty: true });
    expect(cached).toEqual(full);
    expect(again).toEqual(full);
  });

  it("is ignored when it is damaged", async () => {
    const full = await run(before, { empty: true });
    await writeFile(join(folder, "small.bin"), "damaged");
    expect(await run(before)).toEqual(full);
  });
});
