import type { Markers, TypeExpr, TypeRef } from "../model/contract.ts";
import { describeField } from "../model/describe.ts";
import type { FieldModel, Model, StructModel } from "../model/model.ts";
import { describeType, findType, isRef, jsonFields } from "../model/type-walk.ts";
import { type Addresses, anchorOf } from "./addresses.ts";
import { blocks, code, escapeText, link } from "./page.ts";
import { structIn } from "./place-types.ts";

/** Writes the section of a struct: description, rules, and a heading for each field. */
export function typeSection(model: Model, struct: StructModel, page: TypeRef, addresses: Addresses): string {
  const isPage = struct.ref === page;
  return blocks(
    isPage ? "## Fields {#fields}" : `## ${struct.name} {#${anchorOf(struct.ref)}}`,
    isPage ? undefined : escapeText(struct.description),
    rulesOf(struct.markers),
    ...fieldsOf(model, struct).map((field) => fieldEntry(model, struct, field, page, addresses)),
  );
}

/** Returns the fields as in JSON, without `apiVersion` and `kind` of objects, which every example shows. */
function fieldsOf(model: Model, struct: StructModel): FieldModel[] {
  return jsonFields(model, struct).filter(({ offWire }) => !offWire);
}

function fieldEntry(model: Model, struct: StructModel, field: FieldModel, page: TypeRef, addresses: Addresses): string {
  const facts = [
    typeOf(model, field.type, page, addresses),
    field.optional ? "optional" : "**required**",
    ...(field.markers.immutable ? ["cannot be changed"] : []),
    ...(field.markers.deprecated === undefined ? [] : ["**deprecated**"]),
    ...sinceOf(model, field.markers),
    ...mergeOf(field.markers),
  ];
  return blocks(
    `### ${code(field.name)} {#${anchorOf(struct.ref, field.name)}}`,
    facts.join(" · "),
    escapeText(describeField(model, field)),
    rulesOf(field.markers),
  ).trimEnd();
}

/** Returns the type of a field in words, with a link to its struct. */
function typeOf(model: Model, type: TypeExpr, page: TypeRef, addresses: Addresses): string {
  if (typeof type === "object") {
    const [word, of] = "list" in type ? ["list", type.list] : ["map", type.map];
    return `${word} of ${typeOf(model, of, page, addresses)}`;
  }
  if (!isRef(type)) return code(type);
  const struct = structIn(model, type);
  if (struct !== undefined && addresses.has(struct.ref))
    return link(describeType(type), addresses.linkTo(struct.ref, page));
  const alias = findType(model, type);
  return alias?.form === "alias" ? typeOf(model, alias.is, page, addresses) : describeType(type);
}

/** Returns the releases in which the feature gate of a field reached each stage. */
function sinceOf(model: Model, { gate }: Markers): string[] {
  return (gate?.split(",") ?? []).flatMap((name) => {
    const steps = model.gates.find((known) => known.name === name)?.steps ?? [];
    if (steps.length === 0) return [];
    return [`since ${steps.map(({ stage, since }) => `${since} (${stage})`).join(", ")}, gate ${code(name)}`];
  });
}

function mergeOf({ listType, mapType }: Markers): string[] {
  if (listType === "atomic" || mapType === "atomic") return ["replaced as a whole"];
  return listType === "map" ? ["merged by key"] : [];
}

function rulesOf({ rules = [] }: Markers): string | undefined {
  if (rules.length === 0) return undefined;
  const lines = rules.map(
    ({ rule, message }) => `- ${code(rule)}${message === undefined ? "" : `: ${escapeText(message)}`}`,
  );
  return ["Validation rules (CEL):", "", ...lines].join("\n");
}
