import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { GenerationSession } from "../../generator/generation-session.ts";
import { BOOK, definition, treeOf } from "./fixture.ts";

const HOOKS = "api-definitions/library/v1/book.hooks.ts";
const root = mkdtempSync(join(tmpdir(), "typeplane-session-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const book = definition(`export interface Book extends Namespaced { title?: string }
export const book = kind<Book>({ plural: "books" });`);
const hooks = "export const hooks = kindHooks<Book>({});\n";

function save(path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return path;
}

it("tells all files that changed since the last run without errors, as they were then", async () => {
  // Descriptions of imported groups are not checked.
  for (const [path, text] of treeOf({ [BOOK]: book, [HOOKS]: hooks, "api-definitions/vocabulary.ts": "" }).files)
    save(path, text.replace("versions: [", "imported: true, versions: ["));
  const session = await GenerationSession.open(root);
  const first = await session.start();
  expect([first.diagnostics, first.sources.size]).toEqual([[], 0]);

  const changedHooks = `${hooks}// Changed.\n`;
  const broken = await session.update([save(HOOKS, changedHooks), save(BOOK, book.replace("string", "strng"))]);
  expect(broken?.errors).toBe(1);
  expect(broken?.artifacts.size).toBe(0);

  const next = book.replace("title?", "author?: string; title?");
  const mended = await session.update([save(BOOK, next)]);
  expect(mended?.errors).toBe(0);
  expect(mended?.sources).toEqual(
    new Map([
      [HOOKS, { before: hooks, after: changedHooks }],
      [BOOK, { before: book, after: next }],
    ]),
  );
  expect([...(mended?.artifacts.keys() ?? [])]).toContain("generated/types/library.v1.json");

  const last = await session.update([save(BOOK, book.replace("title?", "editor?: string; title?"))]);
  expect([...(last?.sources.keys() ?? [])]).toEqual([BOOK]);
  expect(await session.update([BOOK])).toBeUndefined();
});
