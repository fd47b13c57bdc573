import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { renderDiagnostic } from "../../generator/diagnostics.ts";
import { type Generation, generate } from "../../generator/generate.ts";
import { loadSourceTree } from "../../generator/load-source-tree.ts";
import { kindsNotServed } from "../../generator/model/not-served.ts";
import { artifact, treeOf } from "./fixture.ts";

const BOOK = `import type { Status } from "typeplane/kubernetes/meta/v1";
import type { Namespaced } from "typeplane/meta/v1";
import { type Default, type Int32, kind } from "typeplane/vocabulary";
export interface Book extends Namespaced { spec: BookSpec }
export interface BookSpec { pages?: Int32 & Default<1>; last?: Status }
export const book = kind<Book>({ plural: "books" });`;

/** Definitions of library.example.com in a project that uses the metadata types of the package. */
function generateOwn(
  files: { readonly [path: string]: string },
  more: { readonly uses?: readonly string[] } = {},
): Generation {
  const foreign = new Map([
    ["meta", { packageName: "typeplane" }],
    ["fleet", { packageName: "fleet-api", domain: "fleet.test" }],
  ]);
  return generate({ ...treeOf(files), foreign, uses: [], ...more }, { checksDescriptions: false });
}

describe("a project that imports from the package", () => {
  const generation = generateOwn({ "api-definitions/library/v1/book.ts": BOOK });

  it("generates what is its own, and nothing of the package", () => {
    expect(generation.diagnostics.sorted().map(renderDiagnostic)).toEqual([]);
    expect(generation.artifacts.map(({ path }) => path.slice("generated/".length)).sort()).toEqual([
      "config-kinds.json",
      "conversions.json",
      "feature-gates.json",
      "metrics.json",
      "openapi/modules.json",
      "openapi/schemas/com.example.library.v1.json",
      "protobuf/library.v1.proto",
      "registry.ts",
      "resources.json",
      "resources/library.v1.ts",
      "sources.json",
      "types/library.v1.json",
    ]);
    expect(generation.fieldNumbers.map(({ path }) => path)).toEqual(["api-definitions/library/v1/field-numbers.json"]);
    expect(Object.keys(generation.snapshot?.modules ?? {})).toEqual(["library/v1"]);
    expect(artifact(generation, "generated/sources.json")).not.toContain("meta");
  });

  it("says what it does not serve of its own kinds only", () => {
    const truck = BOOK.replaceAll("Book", "Truck").replace('"books"', '"trucks", offByDefault: true');
    const { model } = generateOwn({
      "api-definitions/library/v1/book.ts": BOOK.replace('"books"', '"books", offByDefault: true'),
      "api-definitions/fleet/group.ts": `import { group } from "../vocabulary.ts";
export const fleet = group({ name: "fleet.test", versions: ["v1"] });`,
      "api-definitions/fleet/v1/truck.ts": truck,
    });
    expect(kindsNotServed(model)).toEqual([
      "library.example.com/v1 Book is off by default; --runtime-config=library.example.com/v1=true turns it on",
    ]);
  });

  it("refers to types of the package by their names", () => {
    const { types } = JSON.parse(artifact(generation, "generated/types/library.v1.json"));
    expect(types.BookSpec.fields).toContainEqual({ name: "last", type: "meta/v1.Status", tracked: true, number: 2 });
    expect(types.Book.fields).toContainEqual({ name: "metadata", type: "meta/v1.ObjectMeta", always: true, number: 1 });
    expect(artifact(generation, "generated/openapi/schemas/com.example.library.v1.json")).toContain(
      "apimachinery.pkg.apis.meta.v1.Status",
    );
  });

  it("imports the package in what it generates", () => {
    const registry = artifact(generation, "generated/registry.ts");
    expect(registry).toContain('} from "typeplane/registry";');
    expect(registry).not.toContain("../runtime/");
    expect(artifact(generation, "generated/resources/library.v1.ts")).toContain('from "typeplane/registry"');
  });

  it("says so when a module of the package has no such type, or does not exist", () => {
    const say = (text: string) =>
      generateOwn({ "api-definitions/library/v1/book.ts": text }).diagnostics.sorted().map(renderDiagnostic).join("\n");
    expect(say(BOOK.replaceAll("Status", "Statuz"))).toContain("unknown type Statuz");
    expect(say(BOOK.replace("kubernetes/meta/v1", "kubernetes/meta/v7"))).toContain(
      "typeplane/kubernetes/meta/v7 is not a definition file",
    );
  });

  it("uses types of another team's package, and joins its registry", () => {
    const files = {
      "api-definitions/fleet/group.ts": `import { group } from "typeplane/vocabulary";
export const fleet = group({ name: "fleet.<domain>", versions: ["v1"] });`,
      "api-definitions/fleet/v1/truck.ts": `import type { Namespaced } from "typeplane/meta/v1";
import { kind } from "typeplane/vocabulary";
export interface Truck extends Namespaced { load?: Load }
export interface Load { tons: string }
export const truck = kind<Truck>({ plural: "trucks" });`,
      "api-definitions/library/v1/book.ts": `import type { Load } from "fleet-api/api-definitions/fleet/v1/truck.ts";
${BOOK.replace("last?: Status", "last?: Status; load?: Load")}`,
    };
    const second = generateOwn(files, { uses: ["fleet-api"] });
    expect(second.diagnostics.sorted().map(renderDiagnostic)).toEqual([]);
    expect(artifact(second, "generated/types/library.v1.json")).toContain('"type":"fleet/v1.Load"');
    expect(artifact(second, "generated/openapi/schemas/com.example.library.v1.json")).toContain(
      "#/components/schemas/test.fleet.fleet.v1.Load",
    );
    const registry = artifact(second, "generated/registry.ts");
    expect(registry).toContain('import { registry as used1 } from "fleet-api/generated/registry.ts";');
    expect(registry).toContain("uses: [used1],");
  });
});

describe("the definitions of a project on disk", () => {
  const root = mkdtempSync(join(tmpdir(), "typeplane-own-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };

  it("come with those of Kubernetes and of packages that they import, and of packages which those import", async () => {
    write(
      "api-definitions/library/v1/book.ts",
      'import type { Truck } from "fleet-api/api-definitions/fleet/v1/truck.ts";',
    );
    write(
      "node_modules/fleet-api/api-definitions/fleet/v1/truck.ts",
      'from "@team/road/api-definitions/road/v1/road.ts"',
    );
    write("node_modules/fleet-api/generated/resources.json", '{"project":{"domain":"fleet.test"}}');
    write("node_modules/@team/road/api-definitions/road/v1/road.ts", "");
    const { files, foreign, uses } = await loadSourceTree(root);
    expect(uses).toEqual(["fleet-api"]);
    expect(foreign?.get("core")).toEqual({ packageName: "typeplane" });
    expect(foreign?.get("fleet")).toEqual({ packageName: "fleet-api", domain: "fleet.test" });
    expect(foreign?.get("road")).toEqual({ packageName: "@team/road" });
    expect(foreign?.has("library")).toBe(false);
    expect(files.has("api-definitions/core/v1/pod.ts")).toBe(true);
    expect([...files.keys()].filter((path) => /\.hooks\.ts$|released-api|feature-gates/.test(path))).toEqual([]);
  });

  it("may not be in a folder that another package has", async () => {
    write("api-definitions/storage/v1/disk.ts", "");
    await expect(loadSourceTree(root)).rejects.toThrow(
      "api-definitions/storage: both typeplane and this project have it; give it another name, such as storage-api",
    );
  });
});
