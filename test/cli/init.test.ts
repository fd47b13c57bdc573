import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { init } from "../../cli/init/init.ts";
import { registry } from "../../generated/registry.ts";

const home = mkdtempSync(join(tmpdir(), "typeplane-init-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

it.each([
  ["fleet/v1/Truck", "fleet/v1/truck.ts", "truck"],
  ["fleet/v1/HTTPRoute", "fleet/v1/http-route.ts", "hTTPRoute"],
  // The package has definitions in a folder `batch`.
  ["batch/v1/Report", "batch-example-com/v1/report.ts", "report"],
])("makes a controller that imports the definition of its kind: %s", async (kind, definition, constant) => {
  const root = join(home, `project-${constant.toLowerCase()}`);
  const stdout = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const streams = { stdin: () => "", out: () => undefined, err: () => undefined };
  const context = { streams, project: undefined, registry: async () => registry };
  expect(await init.run([root, "--controllers", `--kind=${kind}`], context)).toBe(0);
  stdout.mockRestore();
  const file = `controllers/${definition.slice(definition.lastIndexOf("/") + 1)}`;
  const controller = readFileSync(join(root, file), "utf8");
  expect(controller).toContain(`import { ${constant} } from "../api-definitions/${definition}";`);
  expect(controller).toContain(`import "../generated/resources/${dirname(definition).replace("/", ".")}.ts";`);
  expect(readFileSync(join(root, "api-definitions", definition), "utf8")).toContain(`export const ${constant} = kind<`);
  expect(readFileSync(join(root, "controllers/main.ts"), "utf8")).toContain(`from "./${file.slice(12)}";`);
});

it.each(["Book", "library/Book", "library/v1/book", "library/one/Book"])(
  "names the form of --kind: %s",
  async (kind) => {
    const streams = { stdin: () => "", out: () => undefined, err: () => undefined };
    const context = { streams, project: undefined, registry: async () => registry };
    await expect(init.run([join(home, "wrong"), `--kind=${kind}`], context)).rejects.toThrow(
      `--kind=${kind}: write GROUP/VERSION/KIND, such as library/v1/Book`,
    );
  },
);
