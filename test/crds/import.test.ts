import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { canonicalSpec, differencesOf } from "../../generator/crds/canonical.ts";
import { compareWithWritten } from "../../generator/crds/import/check-import.ts";
import { type ForeignDefinition, importDefinitions } from "../../generator/crds/import/import-definitions.ts";
import { renderDiagnostic } from "../../generator/diagnostics.ts";
import { generate } from "../../generator/generate.ts";
import type { TypeModule } from "../../runtime/contract/type-table.ts";
import { createSchemaCompiler } from "../../runtime/kinds/custom/validation/schema-keywords.ts";
import { createRuleCompiler } from "../../runtime/schema/cel-rules.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import { realTree } from "../generator/fixture.ts";
import { FOREIGN } from "./foreign-definitions.ts";

const definitions = parseAllDocuments(FOREIGN).map((document) => document.toJS() as ForeignDefinition);
const imported = importDefinitions(definitions, { folderOf: (group) => group.split(".")[0]!, release: "1.33" });

/** Files that definitions import: the vocabulary, metadata, and the kind of scale subresources. */
async function baseFiles(): Promise<[string, string][]> {
  const { files } = await realTree();
  const needed = /^(?!api-definitions\/)|^api-definitions\/([^/]+\.ts$|meta\/|autoscaling\/v1\/scale\.ts)/;
  const group = `import { group } from "../vocabulary.ts";
export const autoscaling = group({ name: "autoscaling", versions: ["v1"], kubernetes: true });`;
  return [...[...files].filter(([path]) => needed.test(path)), ["api-definitions/autoscaling/group.ts", group]];
}

const generation = generate({ files: new Map([...(await baseFiles()), ...imported.files]) });

describe("definitions that are imported from CustomResourceDefinitions", () => {
  it("are ones that the generator accepts", () => {
    expect(generation.diagnostics.sorted().map(renderDiagnostic)).toEqual([]);
  });

  it("give equal CustomResourceDefinitions", () => {
    expect(compareWithWritten(generation.model, definitions)).toEqual([]);
  });

  it("import the vocabulary from the package in a project of its own", () => {
    const folderOf = (group: string): string => group;
    const { files } = importDefinitions(definitions, { folderOf, release: "1.33", fromPackage: true });
    const imports = [...files.values()].flatMap((text) =>
      [...text.matchAll(/ from "([^"]+)"/g)].map(([, from]) => from),
    );
    expect(new Set(imports.filter((from) => !from?.startsWith("./")))).toEqual(
      new Set(["typeplane/vocabulary", "typeplane/meta/v1"]),
    );
  });

  it("say what has to be done by hand", () => {
    expect(imported.notes).toEqual([
      "mill.example.com Package: a webhook converts v1beta1 to v1; write that in conversions.ts",
    ]);
  });

  it("read like definitions that a person wrote", () => {
    const text = imported.files.get("api-definitions/mill/v1/rule.ts") ?? "";
    expect(text).toContain("/**\n * Rule tells the mill\n * what to grind.\n *\n * It has two paragraphs.\n */");
    expect(text).toContain("/** A name */");
    expect(text).toContain('  mode: ("Fast" | "Slow" | "") & Default<"Fast">;');
    expect(text).toContain("  names: ListSet<RuleSpecName> & MinItems<0>;");
    expect(text).toContain('  tags: ListMap<RuleSpecTag, "key"> & MinItems<1>;');
    expect(text).toContain("  fine?: Int32 & Minimum<1> & Maximum<9>;");
    expect(text).toContain("  size?: Quantity;");
    expect(text).toContain("  when?: Time;");
    expect(text).toContain('  since?: MicroTime & Default<"2030-01-01T00:00:00.500000Z">;');
    expect(text).toContain('  "foo-bar"?: string;');
    expect(text).toContain('  immutable?: string & RuleMarker<"self == oldSelf", "it stays">;');
    expect(imported.files.get("api-definitions/mill/v1/package.ts")).toContain(
      "export const packageKind = kind<Package>",
    );
    expect(imported.files.get("api-definitions/mill/conversions.ts")).toContain("relabels: true");
  });

  it("are validated by the server as the CustomResourceDefinition is", () => {
    const moduleOf = (name: string): TypeModule =>
      JSON.parse(
        generation.artifacts.find(({ path }) => path === `generated/types/${name.replace("/", ".")}.json`)?.text ??
          "{}",
      );
    const rule = createSchemas(
      { module: moduleOf },
      { compileRules: createRuleCompiler(), compileSchema: createSchemaCompiler("kubernetes") },
    ).of("mill/v1.Rule");
    const good = { mode: "Fast", names: ["a"], limits: { a: 1 }, tags: [{ key: "k" }], fine: 2 };
    const errors = (spec: object, name = "one") => {
      const object = rule.decode({ apiVersion: "mill.example.com/v1", kind: "Rule", metadata: { name }, spec });
      rule.applyDefaults(object);
      return rule.validate(object).map(({ field, message }) => `${field}: ${message}`);
    };
    expect(errors(good)).toEqual([]);
    expect(errors({ ...good, coarse: 1 })[0]).toContain("spec: Invalid value");
    expect(errors({ ...good, fine: undefined, coarse: 4 })).toEqual([
      'spec.coarse: Unsupported value: 4: supported values: "1", "2", "3"',
    ]);
    expect(errors({ ...good, low: -0.25 })).toEqual(["spec.low: Invalid value: -0.25: should be greater than 0"]);
    expect(errors({ ...good, low: 0.3 })).toEqual(["spec.low: Invalid value: 0.3: should be a multiple of 0.25"]);
    expect(errors({ ...good, uri: "no uri" })[0]).toContain("spec.uri: Invalid value");
    expect(errors({ ...good, things: [{}] })[0]).toContain("spec.things[0]: Invalid value");
    expect(errors({ ...good, maps: { a: { b: 1 } } })[0]).toContain("spec.maps.a.b: Invalid value");
    expect(errors({ ...good, names: ["abcdef"] })).toEqual([
      "spec.names[0]: Too long: may not be more than 5 characters",
    ]);
    expect(errors(good, "a-name-that-is-too-long-for-it")[0]).toContain("metadata.name: Too long");
    expect(errors(good, "none")).toHaveLength(1);
  });
});

describe("the comparison of CustomResourceDefinitions", () => {
  const spec = definitions[0]!.spec;

  it("ignores order, white space, what a server fills in, and keywords that are off", () => {
    const { singular: _singular, listKind: _listKind, ...names } = spec.names;
    const other = { ...spec, names, versions: [...spec.versions].reverse(), conversion: undefined };
    expect(differencesOf(canonicalSpec({ ...spec }), canonicalSpec({ ...other }))).toEqual([]);
  });

  it("finds a changed limit, and shows where it is", () => {
    const text = JSON.stringify(spec).replace('"maxLength":5', '"maxLength":6');
    expect(differencesOf(canonicalSpec({ ...spec }), canonicalSpec(JSON.parse(text)))).toEqual([
      ".versions.0.schema.properties.spec.properties.names.items.maxLength: 5 became 6",
    ]);
  });
});
