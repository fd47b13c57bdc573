import type { Field, TypeDefinition, TypeExpr } from "../model/contract.ts";
import { describeType } from "../model/type-walk.ts";
import type { ApiChange } from "./api-change.ts";
import type { Report } from "./compare-markers.ts";
import { compareMarkers } from "./compare-markers.ts";

type Types = { readonly [name: string]: TypeDefinition };

/** Returns the changes between two states of one module's types. `name` is the module's name for clients. */
export function compareTypes(
  { module, name: version }: { readonly module: string; readonly name: string },
  before: Types,
  after: Types,
): ApiChange[] {
  const changes: ApiChange[] = [];
  const report: Report = (code, where, text) => void changes.push({ code, where: `${version} ${where}`, text, module });
  for (const [name, old] of Object.entries(before)) {
    const now = after[name];
    // A removed type is reported for the fields that used it, a new one for the fields that use it.
    if (now === undefined) continue;
    if ("fields" in old && "fields" in now) compareFields(name, old.fields, now.fields, report);
    else if (JSON.stringify(shapeOf(old)) !== JSON.stringify(shapeOf(now)))
      report("field-retyped", name, `changed from ${shapeText(old)} to ${shapeText(now)}`);
    compareMarkers(name, old, now, report);
  }
  return changes;
}

function shapeOf(type: TypeDefinition): unknown {
  return "fields" in type ? "struct" : type.is;
}

function shapeText(type: TypeDefinition): string {
  return "fields" in type ? "a struct" : describeType(type.is);
}

function compareFields(type: string, before: readonly Field[], after: readonly Field[], report: Report): void {
  const now = new Map(after.map((field) => [keyOf(field), field]));
  const old = new Map(before.map((field) => [keyOf(field), field]));
  for (const [name, field] of old) {
    const where = `${type}.${name}`;
    const next = now.get(name);
    if (next === undefined) report("field-removed", where, "was removed");
    else compareField(where, field, next, report);
  }
  for (const [name, field] of now) {
    if (old.has(name)) continue;
    if (field.required === true) report("field-required", `${type}.${name}`, "is new and required");
    else report("field-added", `${type}.${name}`, `is new: ${describeNew(field)}`);
  }
}

function compareField(where: string, old: Field, now: Field, report: Report): void {
  if (!sameType(old.type, now.type))
    report("field-retyped", where, `changed from ${describeType(old.type)} to ${describeType(now.type)}`);
  if (old.required !== true && now.required === true) report("field-required", where, "became required");
  if (old.required === true && now.required !== true) report("field-optional", where, "became optional");
  if (old.number !== undefined && now.number !== undefined && old.number !== now.number)
    report("field-renumbered", where, `changed its protobuf number from ${old.number} to ${now.number}`);
  // Not reported if `required` changes, because required fields are always written.
  if (old.required === now.required && old.always !== now.always)
    report("field-noted", where, `is now ${now.always === true ? "written even if" : "omitted if"} it is empty`);
  compareMarkers(where, old, now, report);
}

function describeNew({ type, default: value, gate }: Field): string {
  const notes = [
    describeType(type),
    ...(value === undefined ? [] : [`default ${JSON.stringify(value)}`]),
    ...(gate === undefined ? [] : [`behind the gate ${gate}`]),
  ];
  return notes.join(", ");
}

function keyOf({ name, type }: Field): string {
  return name === "" ? `(${describeType(type)})` : name;
}

function sameType(a: TypeExpr, b: TypeExpr): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
