import { describe, expect, it } from "vitest";
import { artifact, BOOK, definition, diagnose, generateFrom } from "./fixture.ts";

const KIND = `export interface Book extends Namespaced { spec: Spec }
export const book = kind<Book>({ plural: "books" });`;
const LIMITS = "api-definitions/library/v1/limits.ts";

function tableOf(text: string, files: Readonly<Record<string, string>> = {}) {
  const generation = generateFrom({ [BOOK]: definition(`${KIND}\n${text}`), ...files });
  expect(generation.diagnostics.sorted().map(({ message }) => message)).toEqual([]);
  return JSON.parse(artifact(generation, "generated/types/library.v1.json")).types;
}

function fieldOf(text: string, files: Readonly<Record<string, string>> = {}): object {
  return tableOf(text, files).Spec.fields[0];
}

describe("a name for markers", () => {
  it("has the effect of the markers", () => {
    const written = fieldOf("export interface Spec { name: string & MinLength<1> & MaxLength<5> }");
    expect(written).toMatchObject({ minLength: 1, maxLength: 5 });
    for (const text of [
      "export interface Spec { name: string & Short } export type Short = MinLength<1> & MaxLength<5>;",
      "export interface Spec { name: string & MinLength<1> & Short } type Short = MaxLength<5>;",
      "export interface Spec { name: string & Both } type Short = MaxLength<5>; type Both = Short & MinLength<1>;",
    ])
      expect(fieldOf(text)).toEqual(written);
    const types = tableOf(
      "export interface Spec { names: Name[] } type Short = MaxLength<5>; type Name = string & Short;",
    );
    expect(types.Name).toMatchObject({ is: "string", maxLength: 5 });
    expect(Object.keys(types)).not.toContain("Short");
  });

  it("may come from another file", () => {
    const files = { [LIMITS]: definition("export type Short = MaxLength<5>;") };
    const imported = `import type { Short as Brief } from "./limits.ts"; export interface Spec { name: string & Brief }`;
    expect(fieldOf(imported, files)).toMatchObject({ name: "name", type: "string", maxLength: 5 });
    const space = `import type * as limits from "./limits.ts"; export interface Spec { name: string & limits.Short }`;
    expect(fieldOf(space, files)).toMatchObject({ name: "name", type: "string", maxLength: 5 });
  });

  it.each([
    ["string & Short & MaxLength<7>", "MaxLength is given twice"],
    ["Int32 & Short", "MaxLength cannot be applied to int32"],
    ["Short", "found no type"],
    ["string & Short<5>", "expected: Short"],
    ["string & Limit<5>", "expected: MaxLength<N> with its arguments, or a name without parameters for it"],
    ["string & First", "First is defined by itself"],
  ])("is checked like the markers: %s", (type, says) => {
    const names = "type Short = MaxLength<5>; type Limit<N extends number> = MaxLength<N>;";
    const cyclic = type.endsWith("First")
      ? "type First = Second & MinLength<1>; type Second = First & MaxLength<5>;"
      : "";
    expect(diagnose(`${KIND} export interface Spec { name: ${type} }\n${names}\n${cyclic}`).join("\n")).toContain(says);
  });

  it("with parameters is reported once where it is used", () => {
    const text = `${KIND} export interface Spec { name: string & Limit<5> } type Limit<N extends number> = MaxLength<N>;`;
    expect(diagnose(text)).toHaveLength(1);
  });
});
