import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import type { TypeModule } from "../../runtime/contract/type-table.ts";
import { createConverter } from "../../runtime/kinds/conversion/converter.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import { root } from "./fixture.ts";

const run = promisify(execFile);
/** The project of the generator: first a whole copy, then a small one. */
let copy = "";

/** Runs the generator on the copy. A failure is also a result. */
async function generator(...args: string[]): Promise<{ status: number; output: string }> {
  const command = ["--disable-warning=ExperimentalWarning", join(root, "generator/main.ts"), ...args, "--root", copy];
  return run(join(root, "node_modules/.bin/node"), command).then(
    ({ stdout, stderr }) => ({ status: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      status: error.code,
      output: error.stdout + error.stderr,
    }),
  );
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(join(copy, path), change(await readFile(join(copy, path), "utf8")));
}

const modified = async (path: string): Promise<number> => (await stat(join(copy, path))).mtimeMs;

async function copyOf(...parts: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "typeplane-"));
  for (const part of parts) await cp(join(root, part), join(folder, part), { recursive: true });
  return folder;
}

describe("adding a kind", () => {
  beforeAll(async () => {
    copy = await copyOf(
      "api-definitions",
      "generated",
      "runtime",
      "tsconfig.json",
      "package.json",
      "typeplane.config.ts",
    );
    await symlink(join(root, "node_modules"), join(copy, "node_modules"));
    // The cache of definition files also applies to the copy.
    const read = ".cache/definitions.bin";
    if (existsSync(join(root, read))) await cp(join(root, read), join(copy, read));
  });
  afterAll(() => rm(copy, { recursive: true, force: true }));

  it("starts from a scaffold", async () => {
    const { status, output } = await generator("scaffold", "bookstore.example.com/v1", "Book");
    expect(output).toContain("wrote api-definitions/bookstore/v1/book.ts");
    expect(status).toBe(0);
    expect((await generator("scaffold", "bookstore.example.com/v1/Book")).output).toContain("already exists");
  });

  it("refuses to scaffold into the folder of another group", async () => {
    const { status, output } = await generator("scaffold", "bookstore/v1/Shelf");
    expect(output).toContain("api-definitions/bookstore contains another group; use the full name of the group");
    expect(status).toBe(1);
  });

  it("is noticed by --check until it is generated", async () => {
    const before = await generator("--check");
    expect(before.status).toBe(1);
    expect(before.output).toContain("run `make generate`");
    const generated = await generator();
    expect(generated.output).toMatch(/generated\/: \d+ files, \d+ written, 0 removed/);
    expect((await generator("--check")).status).toBe(0);
  });

  it("changes at most a dozen generated files and 60 KB, so that the difference can be reviewed", async () => {
    const folders = [join(root, "generated"), join(copy, "generated")];
    const { stdout } = await run("git", ["diff", "--no-index", ...folders]).catch((different) => different);
    const files = stdout.match(/^diff --git/gm) ?? [];
    expect(files.length).toBeGreaterThan(3);
    expect(files.length).toBeLessThanOrEqual(12);
    expect(Buffer.byteLength(stdout)).toBeLessThan(60_000);
  });

  it("leaves definitions and generated code that compile", async () => {
    const tsc = join(root, "node_modules/typescript-native/bin/tsc");
    const config = join(copy, "tsconfig.bookstore.json");
    const include = ["api-definitions/bookstore", "generated/registry.ts", "generated/resources/bookstore.v1.ts"];
    await writeFile(config, JSON.stringify({ extends: "./tsconfig.json", include }));
    const { stdout } = await run(join(root, "node_modules/.bin/node"), [tsc, "--noEmit", "-p", config]);
    expect(stdout).toBe("");
  });

  it("describes the map list, the set, the default and the rule to clients", async () => {
    await generator("--publish-openapi", "dist", "--groups", "bookstore.example.com");
    const document = JSON.parse(await readFile(join(copy, "dist/v3/apis/bookstore.example.com/v1.json"), "utf8"));
    const { Book, BookSpec } = {
      Book: document.components.schemas["com.example.bookstore.v1.Book"],
      BookSpec: document.components.schemas["com.example.bookstore.v1.BookSpec"],
    };
    expect(BookSpec.properties.parts).toMatchObject({
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    });
    expect(BookSpec.properties.labels).toMatchObject({ "x-kubernetes-list-type": "set" });
    expect(BookSpec.properties.size).toMatchObject({ default: 10, minimum: 0 });
    expect(Book.properties.spec["x-kubernetes-validations"][0]).toMatchObject({ message: "more parts than fit" });
    expect(Object.keys(document.paths)).toContain(
      "/apis/bookstore.example.com/v1/namespaces/{namespace}/books/{name}/status",
    );
  });

  it("adds a second version with a renamed field, and its conversion", async () => {
    await generator("scaffold", "bookstore.example.com/v1beta1", "Book");
    await edit("api-definitions/bookstore/v1beta1/book.ts", (text) =>
      text.replace("  title:", "  name:").replaceAll("spec.title", "spec.name"),
    );
    const without = await generator();
    expect(without.output).toContain("bookstore.example.com/v1beta1 Book differs from the storage version v1");
    const conversions = `import { conversion } from "../conversion-vocabulary.ts";
import type { Book } from "./v1/book.ts";
import type { Book as BookV1beta1 } from "./v1beta1/book.ts";

export const bookV1beta1 = conversion<BookV1beta1, Book>({ rename: { "spec.name": "spec.title" } });
`;
    await writeFile(join(copy, "api-definitions/bookstore/conversions.ts"), conversions);
    expect((await generator()).output).not.toContain(
      "bookstore.example.com/v1beta1 Book differs from the storage version v1",
    );
    const rows = JSON.parse(await readFile(join(copy, "generated/conversions.json"), "utf8")) as { from: string }[];
    expect(rows.find((row) => row.from === "bookstore/v1beta1.Book")).toEqual({
      from: "bookstore/v1beta1.Book",
      hub: "bookstore/v1.Book",
      how: "declared",
      rename: { "spec.name": "spec.title" },
      exact: true,
    });
  });

  it("converts objects of that version, both ways", async () => {
    const read = async (name: string) =>
      JSON.parse(await readFile(join(copy, `generated/types/${name}.json`), "utf8")) as TypeModule;
    const modules = new Map([
      ["bookstore/v1", await read("bookstore.v1")],
      ["bookstore/v1beta1", await read("bookstore.v1beta1")],
      ["meta/v1", await read("meta.v1")],
    ]);
    const schemas = createSchemas({ module: (name) => modules.get(name)! });
    const side = (version: string) => ({
      apiVersion: `bookstore.example.com/${version}`,
      kind: "Book",
      schema: schemas.of<ApiObject>(`bookstore/${version}.Book`),
    });
    const converter = createConverter(
      side("v1beta1"),
      side("v1"),
      { rename: { "spec.name": "spec.title" }, exact: true },
      { domain: "k8s.io" },
    );
    const old = side("v1beta1").schema.decode({
      apiVersion: "bookstore.example.com/v1beta1",
      kind: "Book",
      metadata: { name: "dune" },
      spec: { name: "Dune", size: 3, parts: [{ name: "one" }] },
    });
    const stored = converter.toHub(old);
    expect(stored).toMatchObject({
      apiVersion: "bookstore.example.com/v1",
      spec: { title: "Dune", size: 3, parts: [{ name: "one" }] },
    });
    expect(stored.spec).not.toHaveProperty("name");
    expect(converter.fromHub(stored)).toEqual(old);
  });
});

describe("the writer", () => {
  beforeAll(async () => {
    const meta = ["group.ts", "v1", "v1beta1"].map((name) => `api-definitions/meta/${name}`);
    copy = await copyOf(...meta, "api-definitions/release.ts", "api-definitions/vocabulary.ts");
    await generator("scaffold", "library.example.com/v1", "Book");
    await generator();
  });
  afterAll(() => rm(copy, { recursive: true, force: true }));

  it("does nothing when nothing changed", async () => {
    expect((await generator()).output).toContain("is up to date");
  });

  it("writes only the files that differ and removes stale ones", async () => {
    const before = await modified("generated/types/meta.v1.json");
    await writeFile(join(copy, "generated/types/stale.v1.json"), "{}");
    await edit("api-definitions/library/v1/book.ts", (text) => text.replace("Minimum<0>", "Minimum<1>"));
    const { output } = await generator();
    expect(output).toContain("1 removed");
    expect(await modified("generated/types/meta.v1.json")).toBe(before);
    expect(await readFile(join(copy, "generated/types/library.v1.json"), "utf8")).toContain('"minimum":1');
  });

  it("repairs a generated file that was edited by hand", async () => {
    await edit("generated/types/library.v1.json", (text) => text.replace('"minimum":1', '"minimum":2'));
    expect((await generator("--check")).status).toBe(1);
    expect((await generator()).output).toContain("1 written");
  });

  it("touches nothing when there is an error, and shows where it is", async () => {
    const before = await modified("generated/types/library.v1.json");
    await edit("api-definitions/library/v1/book.ts", (text) =>
      text.replace("Int32 & Default<10>", "Int23 & Default<10>"),
    );
    const { status, output } = await generator();
    expect(status).toBe(1);
    expect(output).toMatch(/api-definitions\/library\/v1\/book\.ts:\d+:\d+ error unknown-type/);
    expect(output).toContain("did you mean Int32?");
    expect(output).toContain("generated/ was not touched");
    expect(await modified("generated/types/library.v1.json")).toBe(before);
  });

  it("prints its help", async () => {
    expect(await generator("--help")).toMatchObject({ status: 0 });
    expect((await generator("nonsense")).status).toBe(2);
  });
});
