import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { definitionsRoot, describeStale, staleDefinitions } from "../../runtime/cli/stale-definitions.ts";
import { hashDefinitions } from "../../runtime/registry/definition-hashes.ts";

const BOOK = "api-definitions/library/v1/book.ts";
const FILES = {
  "api-definitions/release.ts": "release",
  [BOOK]: "book",
  "api-definitions/library/v1/book.hooks.ts": "hooks",
};
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A project whose definitions changed after the last generation. */
function project(changed: { readonly [path: string]: string }, below = ""): string {
  const folder = mkdtempSync(join(tmpdir(), "typeplane-"));
  folders.push(folder);
  const root = join(folder, below);
  mkdirSync(join(root, "generated"), { recursive: true });
  writeFileSync(join(root, "generated/sources.json"), JSON.stringify(hashDefinitions(Object.entries(FILES))));
  for (const [path, text] of Object.entries({ ...FILES, ...changed })) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

describe("a server whose generated files are out of date", () => {
  it("names the folders whose definitions changed since make generate", async () => {
    expect(await staleDefinitions(project({}))).toEqual([]);
    expect(await staleDefinitions(project({ [BOOK]: "edited" }))).toEqual(["api-definitions/library/v1"]);
    const added = project({ "api-definitions/fleet/v1/car.ts": "new", "typeplane.config.ts": "new" });
    expect(await staleDefinitions(added)).toEqual([".", "api-definitions/fleet/v1"]);
    const removed = project({});
    rmSync(join(removed, "api-definitions/library"), { recursive: true });
    expect(await staleDefinitions(removed)).toEqual(["api-definitions/library/v1"]);
  });

  it("ignores edits of hooks, unless they declare the kinds that they read or compute defaults, but not new files of hooks", async () => {
    expect(await staleDefinitions(project({ "api-definitions/library/v1/book.hooks.ts": "edited" }))).toEqual([]);
    const reading = project({ "api-definitions/library/v1/book.hooks.ts": "reads: [shelf]" });
    expect(await staleDefinitions(reading)).toEqual(["api-definitions/library/v1"]);
    const computing = project({ "api-definitions/library/v1/book.hooks.ts": "default: setShelf" });
    expect(await staleDefinitions(computing)).toEqual(["api-definitions/library/v1"]);
    const added = project({ "api-definitions/library/v1/shelf.hooks.ts": "new" });
    expect(await staleDefinitions(added)).toEqual(["api-definitions/library/v1"]);
  });

  it("compares nothing in an installed package, or where nothing was recorded", async () => {
    expect(await staleDefinitions(project({ [BOOK]: "edited" }, "node_modules/typeplane"))).toEqual([]);
    const unrecorded = project({ [BOOK]: "edited" });
    cpSync(join(unrecorded, "api-definitions"), join(unrecorded, "other/api-definitions"), { recursive: true });
    expect(await staleDefinitions(join(unrecorded, "other"))).toEqual([]);
  });

  it("compares nothing in a built package that is not below node_modules", async () => {
    const built = project({});
    const empty = project({});
    expect(definitionsRoot(empty, built)).toBeUndefined();
    expect(await staleDefinitions(definitionsRoot(empty, built))).toEqual([]);
    const clone = project({ "api-definitions/vocabulary.ts": "vocabulary" });
    expect(definitionsRoot(empty, clone)).toBe(clone);
    const own = project({ "typeplane.config.ts": "config" });
    expect(definitionsRoot(join(own, "generated"), built)).toBe(own);
    expect(definitionsRoot(clone, clone)).toBe(clone);
  });

  it("says what to do", () => {
    expect(describeStale([".", "api-definitions/library/v1"])).toBe(
      "generated/ is out of date: typeplane.config.ts, api-definitions/library/v1 changed; run `typeplane generate` and restart",
    );
  });

  it("are not in this repository", async () => {
    expect(await staleDefinitions()).toEqual([]);
  });
});
