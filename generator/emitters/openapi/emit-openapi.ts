import type { OpenApiModule } from "../../../runtime/contract/api-registry.ts";
import type { Json } from "../../../runtime/openapi/json.ts";
import type { Artifact } from "../../artifact.ts";
import type { TypeRef } from "../../model/contract.ts";
import type { Model } from "../../model/model.ts";
import { findType } from "../../model/type-walk.ts";
import { servedKinds } from "../resources/emit-resources.ts";
import { Definitions } from "./definitions.ts";

/** Types that operations of every kind refer to, and those of discovery documents. */
const COMMON = [
  "Status",
  "WatchEvent",
  "DeleteOptions",
  "Patch",
  "APIVersions",
  "APIGroupList",
  "APIGroup",
  "APIResourceList",
];
/** Groups whose documents describe the API and not objects: they can be neither deleted nor watched. */
const APART = new Set(["meta", "apidiscovery"]);

/**
 * `generated/openapi/schemas/<package>.json`: every schema of the published documents, once; and `generated/openapi/modules.json`: the
 * package of each module. Paths and documents are derived from them and from `resources.json` (see `runtime/openapi`).
 */
export function emitOpenApi(model: Model): Artifact[] {
  const definitions = new Definitions(model);
  for (const type of published(model)) definitions.refTo(type);
  const ownPackages = new Set(model.ownModules.map(({ openapiPrefix }) => openapiPrefix));
  const packages = new Map<string, Map<string, Json>>();
  for (const [name, schema] of [...definitions.written()].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const dot = name.lastIndexOf(".");
    if (model.uses !== undefined && !ownPackages.has(name.slice(0, dot))) continue;
    const members = packages.get(name.slice(0, dot)) ?? new Map<string, Json>();
    packages.set(name.slice(0, dot), members.set(name.slice(dot + 1), schema));
  }
  const print = (schema: Json): string => model.memory.of("schema text", schema, () => JSON.stringify(schema));
  return [
    { path: "generated/openapi/modules.json", text: `[\n${rows(modules(model, packages))}\n]\n` },
    ...[...packages].map(([name, schemas]) => ({
      path: `generated/openapi/schemas/${name}.json`,
      text: `{\n${[...schemas].map(([key, schema]) => `${JSON.stringify(key)}: ${print(schema)}`).join(",\n")}\n}\n`,
    })),
  ];
}

/** Returns the types that operations refer to. */
function published(model: Model): TypeRef[] {
  const common =
    model.uses === undefined
      ? COMMON.map((name): TypeRef => `meta/v1.${name}`).filter((type) => findType(model, type) !== undefined)
      : [];
  const own = servedKinds(model).flatMap(({ type, listType, subresources }) => [
    type,
    ...(listType ? [listType] : []),
    ...subresources.map((one) => one.connect?.optionsType ?? one.type),
    ...subresources.flatMap(({ optionsType }) => optionsType ?? []),
  ]);
  return [...common, ...own];
}

function modules(model: Model, packages: ReadonlyMap<string, unknown>): OpenApiModule[] {
  return model.ownModules.flatMap(({ name, group, version = "", kinds, openapiPrefix }) => {
    const hasKinds = group !== undefined && kinds.length > 0 && !APART.has(group.folder);
    if (!hasKinds && !packages.has(openapiPrefix)) return [];
    const row = { module: name, package: openapiPrefix };
    const isListed = hasKinds && !group.formerVersions.includes(version);
    return [isListed ? { ...row, kinds: { group: group.name, version } } : row];
  });
}

function rows(values: readonly unknown[]): string {
  return values.map((value) => `  ${JSON.stringify(value)}`).join(",\n");
}
