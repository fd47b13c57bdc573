import { kebabCase } from "../../model/names.ts";
import { compareVersions, isVersionName } from "../../model/versions.ts";
import { canonicalSchema } from "../canonical.ts";
import type { VersionParts } from "../custom-definition.ts";
import type { JsonSchema } from "../json-schema.ts";
import { ImportedFile } from "./imported-file.ts";
import { TypeWriter } from "./type-text.ts";

/** A CustomResourceDefinition that is imported, with only the fields that are needed. */
export interface ForeignDefinition {
  readonly metadata?: { readonly name?: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: {
      readonly kind: string;
      readonly plural: string;
      readonly singular?: string;
      readonly listKind?: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly conversion?: { readonly strategy?: string };
    readonly versions: readonly ForeignVersion[];
  };
}

export interface ForeignVersion extends VersionParts {
  readonly name: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
}

export interface ImportOptions {
  /** The folder of a group below api-definitions. */
  readonly folderOf: (group: string) => string;
  /** Current release of the project. Deprecated versions are declared as deprecated in it. */
  readonly release: string;
  /** Whether the project imports the vocabulary from the package. False only in the package's own repository. */
  readonly fromPackage?: boolean;
}

export interface Imported {
  /** Content of the files, by path in the project. */
  readonly files: ReadonlyMap<string, string>;
  /** What remains to be done by hand, one line each. */
  readonly notes: readonly string[];
}

/** Returns TypeScript definitions from which `typeplane crds` writes equivalent CustomResourceDefinitions. */
export function importDefinitions(definitions: readonly ForeignDefinition[], options: ImportOptions): Imported {
  const files = new Map<string, string>();
  const notes: string[] = [];
  const whole = definitions.filter(({ metadata, spec }) => {
    const isWhole = Boolean(spec?.group && spec.names?.kind && spec.names.plural && Array.isArray(spec.versions));
    if (!isWhole)
      notes.push(`${metadata?.name ?? "a definition"}: left out, because it has no group, names or versions`);
    return isWhole;
  });
  const byGroup = Map.groupBy(whole, ({ spec }) => spec.group);
  for (const [group, members] of byGroup) {
    const folder = `api-definitions/${options.folderOf(group)}`;
    const versions = [...new Set(members.flatMap(({ spec }) => spec.versions.map(({ name }) => name)))];
    const odd = versions.filter((name) => !isVersionName(name));
    if (odd.length > 0) notes.push(`${group}: versions are named v1, v1beta1 or v1alpha1; left out: ${odd.join(", ")}`);
    const named = versions.filter(isVersionName).sort(compareVersions);
    files.set(`${folder}/group.ts`, groupText(group, named, camelCase(options.folderOf(group))));
    for (const version of named) {
      const kinds = members.map(({ spec }) => spec.names.kind);
      const taken = new Set([...kinds, ...kinds.map((kind) => `${kind}List`)]);
      for (const definition of members) {
        const found = definition.spec.versions.find(({ name }) => name === version);
        if (found === undefined) continue;
        const path = `${folder}/${version}/${kebabCase(definition.spec.names.kind)}.ts`;
        files.set(path, kindText(definition, found, taken, options));
      }
    }
    const conversions = members.flatMap((definition) => conversionsOf(definition, notes));
    if (conversions.length > 0) files.set(`${folder}/conversions.ts`, conversionsText(conversions));
    for (const { spec } of members) notes.push(...notesOf(spec));
  }
  if (options.fromPackage) for (const [path, text] of files) files.set(path, importFromPackage(text));
  return { files, notes };
}

function importFromPackage(text: string): string {
  return text
    .replaceAll(/ from "(?:\.\.\/)+(?:conversion-)?vocabulary\.ts";/g, ' from "typeplane/vocabulary";')
    .replaceAll(/ from "\.\.\/\.\.\/meta\/v1\/[a-z-]+\.ts";/g, ' from "typeplane/meta/v1";');
}

function groupText(name: string, versions: readonly string[], constant: string): string {
  const list = versions.map((version) => JSON.stringify(version)).join(", ");
  return `import { group } from "../vocabulary.ts";

export const ${constant} = group({
  name: ${JSON.stringify(name)},
  versions: [${list}],
  imported: true,
});
`;
}

function kindText(
  { spec }: ForeignDefinition,
  version: ForeignVersion,
  taken: Set<string>,
  options: ImportOptions,
): string {
  const { kind } = spec.names;
  const file = new ImportedFile(kind, taken);
  const base = spec.scope === "Namespaced" ? "Namespaced" : "ClusterScoped";
  new TypeWriter(file).root(kind, base, version.schema?.openAPIV3Schema ?? { type: "object" });
  const members = Object.entries(declarationOf(spec, version, options)).filter(([, value]) => value !== undefined);
  const lines = members.map(([key, value]) => `  ${key}: ${valueText(value)},`);
  return file.text(`export const ${constantOf(kind)} = kind<${kind}>({\n${lines.join("\n")}\n});`);
}

/** Returns a value as an expression. Literal types separate members with semicolons, object literals with commas. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{ ${members.map(([key, member]) => `${key}: ${valueText(member)}`).join(", ")} }`;
}

function declarationOf(
  { names, versions }: ForeignDefinition["spec"],
  version: ForeignVersion,
  { release }: ImportOptions,
): object {
  const { subresources, additionalPrinterColumns: columns = [], selectableFields = [] } = version;
  const isOf = (list: readonly string[] | undefined): readonly string[] | undefined =>
    list?.length ? list : undefined;
  const { status, scale } = subresources ?? {};
  return {
    plural: names.plural,
    singular: (names.singular ?? "") === "" || names.singular === names.kind.toLowerCase() ? undefined : names.singular,
    shortNames: isOf(names.shortNames),
    categories: isOf(names.categories),
    ...(version.deprecated && { deprecated: release, deprecationWarning: version.deprecationWarning ?? "" }),
    storage: version.storage && versions.length > 1 ? true : undefined,
    offByDefault: version.served === true ? undefined : true,
    subresources:
      status === undefined && scale === undefined
        ? undefined
        : { status: status === undefined ? undefined : true, scale },
    selectableFields: isOf(selectableFields.map(({ jsonPath }) => jsonPath.replace(/^\./, ""))),
    columns: columns.length === 0 ? undefined : [NAME_COLUMN, ...columns.map(columnOf)],
  };
}

/** The column with which every table of custom resources begins. */
const NAME_COLUMN = { name: "Name", type: "string", format: "name", path: ".metadata.name" };

function columnOf({ jsonPath, ...column }: NonNullable<ForeignVersion["additionalPrinterColumns"]>[number]): object {
  return { ...column, path: jsonPath };
}

interface Conversion {
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  readonly relabels: boolean;
}

/** Returns the conversions of versions that differ from the stored one. Without a webhook only `apiVersion` changes. */
function conversionsOf({ spec }: ForeignDefinition, notes: string[]): Conversion[] {
  const { kind } = spec.names;
  const stored = spec.versions.find(({ storage }) => storage);
  if (stored === undefined) return [];
  const isWebhook = spec.conversion?.strategy === "Webhook";
  const shapeOf = ({ schema }: ForeignVersion): string =>
    JSON.stringify(canonicalSchema(withoutTexts(schema?.openAPIV3Schema ?? {})));
  const others = spec.versions.filter((one) => one !== stored && isVersionName(one.name));
  if (isWebhook && others.length > 0)
    notes.push(
      `${spec.group} ${kind}: a webhook converts ${others.map(({ name }) => name).join(", ")} to ${stored.name}; write that in conversions.ts`,
    );
  return others
    .filter((one) => isWebhook || shapeOf(one) !== shapeOf(stored))
    .map(({ name }) => ({ kind, from: name, to: stored.name, relabels: !isWebhook }));
}

/** Returns the schema without descriptions, which have no effect on conversions. */
function withoutTexts(schema: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === "description" && typeof value === "string"
        ? undefined
        : typeof value === "bigint"
          ? Number(value)
          : value,
    ),
  ) as JsonSchema;
}

function conversionsText(conversions: readonly Conversion[]): string {
  const imports = new Set<string>();
  const local = (kind: string, version: string): string =>
    `${kind}${version.charAt(0).toUpperCase()}${version.slice(1)}`;
  for (const { kind, from, to } of conversions)
    for (const version of [from, to])
      imports.add(`import type { ${kind} as ${local(kind, version)} } from "./${version}/${kebabCase(kind)}.ts";`);
  const calls = conversions.map(({ kind, from, to, relabels }) => {
    const name = local(camelCase(kind), from);
    const note = relabels
      ? ""
      : "/** Converted by a webhook so far: declare renamed fields, or write `toHub` and `fromHub`. */\n";
    const types = `${local(kind, from)}, ${local(kind, to)}`;
    return `${note}export const ${name} = conversion<${types}>({${relabels ? " relabels: true " : ""}});`;
  });
  return `import { conversion } from "../conversion-vocabulary.ts";\n${[...imports].sort().join("\n")}\n\n${calls.join("\n\n")}\n`;
}

function notesOf({ group, names }: ForeignDefinition["spec"]): string[] {
  const listKind = names.listKind ?? `${names.kind}List`;
  return listKind === `${names.kind}List`
    ? []
    : [`${group} ${names.kind}: lists are of kind ${names.kind}List, not ${listKind}`];
}

function camelCase(name: string): string {
  const joined = name.replace(/[-.](\w)/g, (_, letter: string) => letter.toUpperCase());
  return joined.charAt(0).toLowerCase() + joined.slice(1);
}

/** Returns the name of the constant of a kind. Reserved words of TypeScript cannot be used. */
function constantOf(kind: string): string {
  const name = camelCase(kind);
  return KEYWORDS.has(name) ? `${name}Kind` : name;
}

const KEYWORDS = new Set(
  "kind package function class import export default enum new delete in case const continue debugger do else extends for if interface let null private protected public return static super switch this throw try typeof var void while with yield await implements".split(
    " ",
  ),
);
