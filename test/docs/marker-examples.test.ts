import { describe, expect, it } from "vitest";
import { MARKER_EXAMPLES } from "../../generator/docs/marker-examples.ts";
import { generateExamples, markerPages } from "../../generator/docs/marker-pages.ts";
import { loadSourceTree } from "../../generator/load-source-tree.ts";
import { CONTAINERS, MARKERS } from "../../generator/model/vocabulary.ts";
import { fieldErrorText } from "../../runtime/contract/field-error.ts";
import type { JsonValue, TypeModule } from "../../runtime/contract/type-table.ts";
import { createSchemaCompiler } from "../../runtime/kinds/custom/validation/schema-keywords.ts";
import { createRuleCompiler } from "../../runtime/schema/cel-rules.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import { root } from "../generator/fixture.ts";

const tree = await loadSourceTree(root);
const generation = generateExamples(tree);
const { pages } = markerPages(tree, generation);

const moduleOf = (name: string): TypeModule =>
  JSON.parse(
    generation.artifacts.find(({ path }) => path === `generated/types/${name.replace("/", ".")}.json`)?.text ?? "{}",
  );
const schemas = createSchemas(
  { module: moduleOf },
  { compileRules: createRuleCompiler(), compileSchema: createSchemaCompiler("kubernetes") },
);

const rejected = Object.entries(MARKER_EXAMPLES).flatMap(([word, example]) =>
  example.rejected === undefined ? [] : [[word, example.rejected] as const],
);

describe("pages of markers", () => {
  it.each([...Object.keys(MARKERS), ...CONTAINERS, "AtomicStruct", "With"])("there is one for %s", (word) => {
    const page = pages.find(({ path }) => path === `markers/${word.toLowerCase()}`);
    expect(page?.text).toMatch(/^# `\w+`\n\n\w.+\n\n## Definition\n/);
    expect(page?.text).toContain('"properties": {');
  });

  it.each(rejected)(
    "a server rejects the invalid value that the page of %s shows, with that message",
    (word, example) => {
      const schema = schemas.of(`markers-${word.toLowerCase()}/v1.Book`);
      const decode = (spec: JsonValue) =>
        schema.decode({ apiVersion: `${word.toLowerCase()}.markers.example.com/v1`, kind: "Book", spec });
      const old = example.old === undefined ? undefined : decode(example.old);
      const object = decode(example.value);
      const errors = old === undefined ? schema.validate(object) : schema.validateUpdate(object, old);
      expect(errors.map(fieldErrorText)).toEqual([example.message]);
    },
  );
});
