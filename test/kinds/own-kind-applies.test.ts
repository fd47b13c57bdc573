import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { bookRegistry } from "../fixtures/book-registry.ts";
import { servePlaneInTest } from "../fixtures/serve-plane.ts";

const BOOK = `import type { Namespaced } from "typeplane/meta/v1";
import { type Int32, type IntOrString, kind, type Quantity } from "typeplane/vocabulary";
export interface Book extends Namespaced { spec: BookSpec }
export interface BookSpec { shelf?: IntOrString; shelves?: IntOrString[]; pages?: Int32; weight?: Quantity }
export const book = kind<Book>({ plural: "books" });`;
const BOOKS = "/apis/library.example.com/v1/namespaces/default/books";
const folder = mkdtempSync(join(tmpdir(), "own-kind-applies-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("an apply with values that do not fit their fields is answered with 422 and names the fields", async () => {
  const { call } = await servePlaneInTest({ kinds: bookRegistry(BOOK, { folder }) });
  const apply = (spec: object) =>
    call("PATCH", `${BOOKS}/one?fieldManager=a`, {
      type: "application/apply-patch+yaml",
      body: { apiVersion: "library.example.com/v1", kind: "Book", metadata: { name: "one" }, spec },
    });
  const wrong: readonly [spec: object, field: string, problem: string][] = [
    [{ shelf: true }, "spec.shelf", "expected an integer or a string, got true"],
    [{ shelf: { row: 1 } }, "spec.shelf", "expected an integer or a string, got an object"],
    [{ shelf: 1.5 }, "spec.shelf", "expected an integer or a string, got 1.5"],
    [{ shelves: ["a", [1]] }, "spec.shelves[1]", "expected an integer or a string, got a list"],
    [{ pages: 1.5 }, "spec.pages", "expected an integer of 32 bits, got 1.5"],
    [{ pages: 5_000_000_000 }, "spec.pages", "expected an integer of 32 bits, got 5000000000"],
    [{ weight: "heavy" }, "spec.weight", 'expected a quantity such as 500m or 2Gi, got "heavy"'],
  ];
  const refuseAll = async () => {
    for (const [spec, field, message] of wrong) {
      const { status, body } = await apply(spec);
      expect(body).toMatchObject({
        reason: "Invalid",
        message: `Book.library.example.com "one" is invalid: ${field}: ${message}`,
        details: { name: "one", causes: [{ reason: "FieldValueTypeInvalid", field, message }] },
      });
      expect(status).toBe(422);
    }
  };
  await refuseAll();
  expect((await apply({ shelf: "top" })).status).toBe(201);
  await refuseAll();
});
