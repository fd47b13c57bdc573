import { describe, expect, it } from "vitest";
import { artifact, BOOK, definition, generateFrom, openApiOf } from "./fixture.ts";

const RULE = `Rule<"!oldSelf.hasValue() || self.pages >= oldSelf.value().pages", "it lost pages", {
    messageExpression: "'from ' + string(self.pages)"; reason: "FieldValueForbidden"; fieldPath: ".pages"; optionalOldSelf: true }>`;

describe("further properties of a rule", () => {
  const generation = generateFrom({
    [BOOK]: definition(`
/** A work that can be lent. */
export interface Book extends Namespaced {
  /** What is known of it. */
  spec: BookSpec & ${RULE};
}
export interface BookSpec { pages: Int32 }
export const book = kind<Book>({ plural: "books" });`),
  });
  const wanted = {
    rule: "!oldSelf.hasValue() || self.pages >= oldSelf.value().pages",
    message: "it lost pages",
    messageExpression: "'from ' + string(self.pages)",
    reason: "FieldValueForbidden",
    fieldPath: ".pages",
    optionalOldSelf: true,
  };

  it("are accepted and are part of the generated types", () => {
    expect(generation.diagnostics.sorted().map((diagnostic) => `${diagnostic.code} ${diagnostic.message}`)).toEqual([]);
    const { types } = JSON.parse(artifact(generation, "generated/types/library.v1.json"));
    const spec = types.Book.fields.find((field: { name: string }) => field.name === "spec");
    expect(spec.rules).toEqual([wanted]);
  });

  it("are published in OpenAPI", () => {
    const document = openApiOf(generation, "v3/apis/library.example.com/v1");
    expect(JSON.stringify(document.components?.schemas)).toContain(JSON.stringify([wanted]).slice(1, -1));
  });
});
