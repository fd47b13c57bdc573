import { expect, it } from "vitest";
import { artifact, BOOK, definition, generateFrom } from "./fixture.ts";

const source = (fields: string, unions: string) =>
  definition(`export interface Book extends Namespaced { ${fields} }
${unions}
export const book = kind<Book>({ plural: "books" });`);

it("lists the values of named unions in the order of the definition", () => {
  const unions = `
export type Binding = /** Bound in boards. */ "Hardcover" | /** Bound in paper. */ "Paperback";
export type Language = Open<"en" | "de">;
export type Title = string;`;
  const result = generateFrom({ [BOOK]: source("binding: Binding; language: Language; title: Title", unions) });
  const text = artifact(result, "generated/values/library.v1.ts");
  expect(text.split("\n").filter((line) => line !== "" && !line.startsWith("//"))).toEqual([
    "/** All values of library/v1.Binding. */",
    'export const Binding: readonly string[] = ["Hardcover", "Paperback"];',
    "/** The well-known values of library/v1.Language. */",
    'export const Language: readonly string[] = ["en", "de"];',
  ]);
});

it("writes no file for a version without unions", () => {
  const { artifacts } = generateFrom({ [BOOK]: source("title: string", "") });
  expect(artifacts.map(({ path }) => path).filter((path) => path.startsWith("generated/values/library"))).toEqual([]);
});
