import type { Artifact } from "../../artifact.ts";
import type { Field, Markers, TypeDefinition } from "../../model/contract.ts";
import type { FieldModel, Model, ModuleModel, TypeModel } from "../../model/model.ts";
import { isRef, structOf, unalias } from "../../model/type-walk.ts";

/** `generated/types/<group>.<version>.json`: one table per module, one field per line. */
export function emitTypes(model: Model): Artifact[] {
  return model.ownModules
    .filter((module) => module.types.size > 0)
    .map((module) => ({ path: typesPath(module.name), text: printModule(model, module) }));
}

function typesPath(module: string): string {
  return `generated/types/${module.replace("/", ".")}.json`;
}

function printModule(model: Model, module: ModuleModel): string {
  const { name, group, version, protoPackage, openapiPrefix } = module;
  const header = { module: name, ...(group && { group: group.name }), version, protoPackage, openapiPrefix };
  const types = [...module.types.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const lines = Object.entries(header).flatMap(([key, value]) =>
    value === undefined ? [] : [`"${key}": ${JSON.stringify(value)}`],
  );
  const print = (type: TypeModel): string => model.memory.of("type table", type, () => printType(model, type));
  return `{\n${lines.join(",\n")},\n"types": {\n${types.map(print).join(",\n")}\n}\n}\n`;
}

function printType(model: Model, type: TypeModel): string {
  const table = typeTable(model, type);
  if (!("fields" in table)) return `${JSON.stringify(type.name)}: ${JSON.stringify(table)}`;
  const { fields, ...markers } = table;
  const before = Object.entries(markers).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}, `);
  if (fields.length === 0) return `${JSON.stringify(type.name)}: {${before.join("")}"fields": []}`;
  const lines = fields.map((field) => `  ${JSON.stringify(field)}`);
  return `${JSON.stringify(type.name)}: {${before.join("")}"fields": [\n${lines.join(",\n")}]}`;
}

/** Returns the type as the runtime reads it. */
export function typeTable(model: Model, type: TypeModel): TypeDefinition {
  if (type.form === "struct") return { ...type.markers, fields: type.fields.map((field) => fieldTable(model, field)) };
  return { is: type.is, ...(type.message && { message: true }), ...withImpliedListType(model, type.is, type.markers) };
}

function fieldTable(model: Model, field: FieldModel): Field {
  const { name, type, number, protoName } = field;
  return {
    name,
    type,
    ...(!field.optional && name !== "" && { required: true }),
    ...presence(model, field),
    ...(number !== undefined && { number }),
    ...(protoName !== undefined && { protoName }),
    ...withImpliedListType(model, type, field.markers),
  };
}

/**
 * Determines how an absent value is distinguished from an empty one. Optional scalars and structs are tracked (a pointer in Go) unless their
 * zero value means unset; lists, maps and bytes never are. A required value is always written. Outside of Kubernetes it is tracked as well,
 * because the server rejects objects without it.
 */
export function presence(model: Model, field: FieldModel): { tracked?: true; always?: true } {
  if (field.name === "") return { always: true };
  const real = unalias(model, field.type);
  const empty = typeof real === "object" || real === "bytes";
  switch (field.presence) {
    case "always":
      return { always: true };
    case "nullable":
      return { ...(!empty && { tracked: true }), always: true };
    case "omitZero":
      return isRef(real) ? { tracked: true } : {};
    case undefined:
      if (!field.optional) return isOwn(model, field) && !empty ? { tracked: true } : { always: true };
      return empty ? {} : { tracked: true };
  }
}

const NULL_WHEN_UNSET: ReadonlySet<FieldModel["type"]> = new Set<FieldModel["type"]>([
  "bytes",
  "time",
  "microTime",
  "json",
  "rawObject",
  "fieldsV1",
]);

/** Whether the server shows an unset field as null. */
export function showsNull(model: Model, field: FieldModel): boolean {
  const { always, tracked } = presence(model, field);
  if (!always) return false;
  const real = unalias(model, field.type);
  return tracked === true || typeof real === "object" || NULL_WHEN_UNSET.has(real);
}

/** Adds the list type that the strategic merge markers imply, if none is declared. */
export function withImpliedListType(model: Model, type: FieldModel["type"], markers: Markers): Markers {
  if (markers.listType !== undefined || !markers.patchStrategy?.includes("merge")) return markers;
  const list = unalias(model, type);
  if (typeof list !== "object" || !("list" in list)) return markers;
  const { patchMergeKey } = markers;
  if (patchMergeKey !== undefined) return { ...markers, listType: "map", listMapKeys: [patchMergeKey] };
  return structOf(model, list.list) === undefined ? { ...markers, listType: "set" } : markers;
}

/** Whether the struct that declares the field belongs to a group that is not part of Kubernetes. */
function isOwn({ modules }: Model, field: FieldModel): boolean {
  const { group } = modules.get(field.at.file.split("/").slice(1, -1).join("/")) ?? {};
  return group !== undefined && !group.kubernetes && !group.configuration && group.folder !== "meta";
}
