import { describe, expect, it } from "vitest";
import { parseJson } from "../../runtime/encoding/json/parse-json.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import { librarySource } from "../fixtures/library-tables.ts";

const own = createSchemas(librarySource, { tellsByField: () => true }).of("library/v1.Book");
const decode = (text: string) => own.decode(parseJson(text, { floatLiterals: true }).value);

function messageOf(text: string): string {
  try {
    decode(text);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

describe("a value of an own kind that does not fit its type", () => {
  it.each([
    ['{"spec":{"pages":"x"}}', "spec.pages: expected an integer, got a string"],
    ['{"spec":{"pages":3.5}}', "spec.pages: expected an integer of 32 bits, got 3.5"],
    ['{"spec":{"pages":4294967296}}', "spec.pages: expected an integer of 32 bits, got 4294967296"],
    ['{"spec":{"copies":9223372036854775808}}', "spec.copies: expected an integer of 64 bits, got 9223372036854775808"],
    ['{"spec":{"title":7}}', "spec.title: expected a string, got 7"],
    ['{"spec":{"lent":"yes"}}', "spec.lent: expected true or false, got a string"],
    ['{"spec":[]}', "spec: expected an object, got a list"],
    ['{"spec":{"authors":{}}}', "spec.authors: expected a list, got an object"],
    ['{"spec":{"authors":[{"name":"a"},{"born":true}]}}', "spec.authors[1].born: expected an integer, got true"],
    ['{"metadata":{"labels":{"a":7}}}', "metadata.labels[a]: expected a string, got 7"],
    ['{"spec":{"weight":"heavy"}}', 'spec.weight: expected a quantity such as 500m or 2Gi, got "heavy"'],
    ['{"spec":{"loan":"soon"}}', 'spec.loan: expected a duration such as 1h30m, got "soon"'],
    ['{"spec":{"at":"yesterday"}}', 'spec.at: expected a time such as 2006-01-02T15:04:05.000000Z, got "yesterday"'],
    ['{"spec":{"image":"?"}}', 'spec.image: expected a string in base64, got "?"'],
    ['{"spec":{"shelf":true}}', "spec.shelf: expected an integer or a string, got true"],
    ["[]", "expected an object, got a list"],
    [
      '{"spec":{"title":7,"pages":"x"}}',
      "spec.title: expected a string, got 7; spec.pages: expected an integer, got a string",
    ],
  ])("is named by its field and the expected type: %s", (text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  it("does not make a message that grows with the document", () => {
    const many = JSON.stringify({ spec: { tags: Array.from({ length: 1000 }, () => 1), weight: "x".repeat(10_000) } });
    expect(() => decode(many)).toThrow(/^(spec\.tags\[\d\]: expected a string, got 1(; )?){10}$/);
    const long = JSON.stringify({ spec: { weight: "x".repeat(10_000) } });
    expect(() => decode(long)).toThrow(/got "x{63}…$/);
  });
});

describe("a value of a kind of Kubernetes that does not fit its type", () => {
  it("is described as kube-apiserver does", () => {
    const schemas = createSchemas(librarySource, { tellsByField: () => false });
    expect(() => schemas.of("library/v1.Book").decode({ spec: { pages: "x" } })).toThrow(
      "json: cannot unmarshal string into Go struct field BookSpec.spec.pages of type int32",
    );
  });
});
