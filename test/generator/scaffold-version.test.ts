import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { renderDiagnostic } from "../../generator/diagnostics.ts";
import { generate } from "../../generator/generate.ts";
import { loadSourceTree } from "../../generator/load-source-tree.ts";
import { scaffold } from "../../generator/scaffold/scaffold.ts";
import { definition, treeOf } from "./fixture.ts";

const TRUCK = definition(`import type { Axle } from "./axle.ts";
export interface Truck extends Namespaced { spec: TruckSpec }
export interface TruckSpec {
  /** Seats of the cabin. */
  seats?: Int32 & Default<2>;
  axles?: ListAtomic<Axle>;
}
export const truck = kind<Truck>({
  plural: "trucks",
  shortNames: ["tr"],
  introduced: "1.20",
});`);
const GROUP = "api-definitions/fleet/group.ts";

describe("scaffolding another version of a kind", () => {
  const root = mkdtempSync(join(tmpdir(), "typeplane-scaffold-"));
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  let output = "";

  beforeAll(async () => {
    const files = new Map([
      ...treeOf({}).files,
      ["api-definitions/vocabulary.ts", ""],
      [
        GROUP,
        `import { group } from "../vocabulary.ts";\nexport const fleet = group({ name: "fleet.example.com", versions: ["v1"] });\n`,
      ],
      ["api-definitions/fleet/v1/truck.ts", TRUCK],
      ["api-definitions/fleet/v1/axle.ts", definition("export interface Axle { wheels: Int32 }")],
      ["api-definitions/fleet/v1/truck.hooks.ts", "export const hooks = {};\n"],
      ["generated/resources.json", JSON.stringify({ release: "1.33" })],
    ]);
    files.delete("api-definitions/library/group.ts");
    for (const [path, text] of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const stdout = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      output += String(text);
      return true;
    });
    expect(await scaffold(root, "fleet.example.com/v2", "Truck")).toBe(0);
    expect(await scaffold(root, "fleet.example.com/v2beta1/Truck", undefined)).toBe(0);
    stdout.mockRestore();
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it("starts from the version that exists, introduced with the current release", () => {
    const text = read("api-definitions/fleet/v2/truck.ts");
    expect(text).toContain("seats?: Int32 & Default<2>;");
    expect(text).toContain('plural: "trucks",\n  introduced: "1.33",\n  shortNames: ["tr"],');
    expect(text).not.toContain("1.20");
    expect(text).toContain('from "../v1/axle.ts"');
  });

  it("lists the version by its stability", () => {
    expect(read(GROUP)).toContain('versions: ["v2", "v1", "v2beta1"]');
  });

  it("keeps the stored version, and with it the hooks, where they were", () => {
    expect(read("api-definitions/fleet/v1/truck.ts")).toContain('plural: "trucks",\n  storage: true,');
    expect(read("api-definitions/fleet/v2/truck.ts")).not.toContain("storage: true");
    expect(read("api-definitions/fleet/v2beta1/truck.ts")).not.toContain("storage: true");
    expect(output).toContain("objects stay stored as v1 (`storage: true`); move that to v2 in the next release");
    expect(output).toContain("hooks stay in api-definitions/fleet/v1/truck.hooks.ts");
  });

  it("generates without another edit", async () => {
    const { diagnostics, model } = generate(await loadSourceTree(root), { checksDescriptions: false });
    expect(diagnostics.sorted().map(renderDiagnostic)).toEqual([]);
    expect([...model.modules.keys()]).toEqual(expect.arrayContaining(["fleet/v1", "fleet/v2", "fleet/v2beta1"]));
  });
});
