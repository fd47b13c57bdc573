import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { kindsByDefinition, writeDefinition } from "../../../../generator/crds/custom-definition.ts";
import { renderDiagnostic } from "../../../../generator/diagnostics.ts";
import { generate } from "../../../../generator/generate.ts";
import { loadSourceTree } from "../../../../generator/load-source-tree.ts";
import { openDefinitionCache } from "../../../../generator/reader/definition-cache.ts";
import type { ApiRegistry } from "../../../../runtime/contract/api-registry.ts";
import { createRegistry } from "../../../../runtime/registry/create-registry.ts";
import type { Parsed } from "../../../fixtures/plane-client.ts";
import { Random } from "../../../hostile/random.ts";
import { interfaceText, type MadeField, type MadeTypes, makeFields } from "./fields.ts";

export const GROUP = "own.example.com";
export const VERSIONS = ["v1", "v1beta1"];
const KINDS = 4;
const IMPORTS = `import type { ClusterScoped, Namespaced } from "typeplane/meta/v1";
import {
  type Bytes, type Default, type Deprecated, type Double, type Duration, type Format, type Immutable, type Int32, type Int64,
  type Integer, type IntOrString, type Json, kind, type ListAtomic, type ListMap, type ListSet, type MapAtomic, type MapGranular,
  type Maximum, type MaxItems, type MaxLength, type MaxProperties, type Minimum, type MinItems, type MinLength, type MinProperties,
  type Numeric, type Open, type Pattern, type PreserveUnknown, type RawObject, type Rule, type Schema, type StructAtomic, type Time,
  type With,
} from "typeplane/vocabulary";
`;
const STATUS = `/** A condition. */
export interface Condition {
  /** Type of it. */
  type: string;
  /** Whether it holds. */
  status: "True" | "False";
}
/** The status. */
export interface Status {
  /** Replicas that exist. */
  replicas?: Int32 & Minimum<0>;
  /** Selector of them. */
  selector?: string;
  /** Conditions. */
  conditions?: ListMap<Condition, "type">;
}
`;

/** A kind with random fields, in two versions that differ in columns and lifecycle only. */
export interface MadeKind {
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
  readonly hasScale: boolean;
  readonly fields: readonly MadeField[];
  readonly selectable: readonly MadeField[];
}

export interface MadeKinds {
  readonly kinds: readonly MadeKind[];
  /** Registry for this server. */
  readonly registry: ApiRegistry;
  /** Definitions for the real server, as `typeplane crds` writes them. */
  readonly definitions: readonly Parsed[];
}

/** Returns the kinds of a seed: written as TypeScript definitions, generated, and written as CustomResourceDefinitions. */
export async function makeKinds(seed: number): Promise<MadeKinds> {
  const folder = mkdtempSync(join(tmpdir(), "own-kinds-"));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write("typeplane.config.ts", CONFIG);
  write("api-definitions/own/group.ts", GROUP_TEXT);
  const kinds = Array.from({ length: KINDS }, (_, number) => {
    const { kind, texts } = makeKind(Random.ofInput(seed, "ownKinds", number), number);
    for (const [index, text] of texts.entries())
      write(`api-definitions/own/${VERSIONS[index]}/${kind.kind.toLowerCase()}.ts`, text);
    return kind;
  });
  const tree = await loadSourceTree(folder);
  const cache = await openDefinitionCache(".cache/definitions.bin", { empty: false });
  const { model, artifacts, diagnostics } = generate(tree, { cache, checksDescriptions: false });
  if (diagnostics.hasErrors) throw new Error(`${folder}: ${diagnostics.sorted().map(renderDiagnostic).join("\n")}`);
  for (const { path, text } of artifacts) write(path, text);
  const modules = Object.fromEntries(VERSIONS.map((version) => [`own/${version}`, `com.example.own.${version}`]));
  const parts = { modules, hooks: {}, hookReads: {}, conversions: {} };
  const registry = createRegistry(pathToFileURL(`${folder}/generated/`), parts);
  const definitions = kindsByDefinition(model, []).map((versions) => writeDefinition(model, versions).definition);
  return { kinds, registry, definitions };
}

const CONFIG = `import { defineConfig } from "typeplane/vocabulary";
export default defineConfig({ name: "own", domain: "example.com" });
`;
const GROUP_TEXT = `import { group } from "typeplane/vocabulary";
export const own = group({ name: "${GROUP}", versions: ${JSON.stringify(VERSIONS)} });
`;

function makeKind(random: Random, number: number): { readonly kind: MadeKind; readonly texts: readonly string[] } {
  const kind = `Thing${number}`;
  const plural = `thing${number}s`;
  const types: MadeTypes = { texts: [], interfaces: new Map([["Spec", []]]) };
  const isNamespaced = number % 2 === 0;
  const hasScale = random.chance(0.6);
  const replicas: MadeField = {
    name: "replicas",
    isOptional: true,
    isAlwaysSet: true,
    type: "Int32 & Default<1> & Minimum<0>",
    good: (from) => from.int(5),
    bad: () => -1,
    column: "integer",
  };
  const fields = [...makeFields(random, types, 0), ...(hasScale ? [replicas] : [])];
  const rule = `With<Rule<"self.metadata.name != 'forbidden'", "is reserved">>`;
  const renamed = (text: string) =>
    text.replaceAll(/\b(Part\d+|Spec|Status|Condition|Code)\b(?=[^a-z'"])/g, `${kind}$1`);
  const selectable = fields.filter(({ canBeSelected, isAlwaysSet }) => canBeSelected && isAlwaysSet).slice(0, 3);
  const columns = fields.filter(({ column, isAlwaysSet }) => column !== undefined && isAlwaysSet);
  const texts = VERSIONS.map((version) => {
    const shown = version === "v1" ? columns.slice(0, 3) : columns.slice(1, 2);
    const declaration = [
      `plural: "${plural}"`,
      ...(random.chance(0.5) ? [`shortNames: ["t${number}"]`, `categories: ["all", "things"]`] : []),
      ...(version === "v1beta1" ? ['deprecated: "1.30"', 'deprecationWarning: "use v1"'] : []),
      "conditionalUpdate: true",
      `subresources: { status: true${hasScale ? `, scale: ${JSON.stringify(SCALE)}` : ""} }`,
      `selectableFields: ${JSON.stringify(selectable.map(({ name }) => `spec.${name}`))}`,
      `columns: ${JSON.stringify([NAME_COLUMN, ...shown.map(columnOf), AGE_COLUMN])}`,
    ];
    const text = [
      ...["/** Some code. */", "export type Code = string & MinLength<2> & MaxLength<4>;", ...types.texts],
      interfaceText("Spec", fields),
      STATUS,
    ];
    return `${IMPORTS}${renamed(text.join("\n"))}
/** A made kind. */
export interface ${kind} extends ${isNamespaced ? "Namespaced" : "ClusterScoped"}, ${rule} {
  /** Desired state. */
  spec: ${kind}Spec;
  /** Observed state. */
  status?: ${kind}Status;
}
export const ${kind.toLowerCase()} = kind<${kind}>({ ${declaration.join(", ")} });
`;
  });
  return { kind: { kind, plural, isNamespaced, hasScale, fields, selectable }, texts };
}

const SCALE = {
  specReplicasPath: ".spec.replicas",
  statusReplicasPath: ".status.replicas",
  labelSelectorPath: ".status.selector",
};
const NAME_COLUMN = { name: "Name", type: "string", format: "name", path: ".metadata.name" };
const AGE_COLUMN = { name: "Age", type: "date" };
const columnOf = ({ name, column }: MadeField): object => ({
  name: name.toUpperCase(),
  type: column,
  path: `.spec.${name}`,
  description: `The ${name}.`,
});
