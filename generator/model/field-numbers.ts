import type { BuiltModule } from "./generation-memory.ts";
import type { FieldModel, FieldNumbers, StructModel, TypeModel, TypeNumbers } from "./model.ts";

/**
 * Gives every field a protobuf number. An existing number never changes; a new field gets the next free number; number and name of a removed
 * field are reserved.
 */
export function numberFields(types: Iterable<TypeModel>, known: FieldNumbers, last?: BuiltModule): FieldNumbers {
  const result: { [type: string]: TypeNumbers } = { ...known };
  for (const type of types) {
    const { name } = type;
    if (type.form !== "struct" || type.implied) continue;
    const before = last?.module.numbers[name];
    const isSame = before !== undefined && last?.declared.get(name) === type && last.known[name] === known[name];
    result[name] = isSame ? before : sameOr(before, numberStruct(type, known[name]));
  }
  return last === undefined ? result : withSameEntries(last.module.numbers, result);
}

/** Returns `next` with the objects of `last` reused: every equal entry, and the whole if all entries are equal. */
export function withSameEntries(last: FieldNumbers, next: FieldNumbers): FieldNumbers {
  const entries = Object.entries(next).map(([name, numbers]) => [name, sameOr(last[name], numbers)] as const);
  const isLast = entries.length === Object.keys(last).length && entries.every(([name, one]) => last[name] === one);
  return isLast ? last : Object.fromEntries(entries);
}

function sameOr(last: TypeNumbers | undefined, next: TypeNumbers): TypeNumbers {
  return last !== undefined && (last === next || JSON.stringify(last) === JSON.stringify(next)) ? last : next;
}

function numberStruct(type: StructModel, known: TypeNumbers | undefined): TypeNumbers {
  if (known?.offWire) return known;
  const { fields: before = {}, inlined = {}, protoNames, reserved = [] } = known ?? {};
  const present = type.fields.filter((field) => !field.offWire && field.name !== "").map((field) => field.name);
  const gone = Object.keys(before).filter((name) => !present.includes(name));
  const retired = [...reserved, ...gone.map((name) => ({ number: before[name]!, name }))];
  const taken = [...Object.values(before), ...Object.values(inlined), ...retired.map(({ number = 0 }) => number)];
  let next = Math.max(0, ...taken) + 1;
  const fields = present.map((name): [string, number] => [name, Object.hasOwn(before, name) ? before[name]! : next++]);
  return {
    fields: Object.fromEntries(fields.sort(([, a], [, b]) => a - b)),
    ...(Object.keys(inlined).length > 0 && { inlined }),
    ...(protoNames && { protoNames }),
    ...(retired.length > 0 && { reserved: retired }),
  };
}

/** Numbers of every list type that the generator adds. */
const IMPLIED_LIST: TypeNumbers = { fields: { metadata: 1, items: 2 } };

/** Returns the type with protobuf numbers and names, and its fields in the order in which JSON is written. */
export function withNumbers(type: TypeModel, numbers: FieldNumbers): TypeModel {
  if (type.form !== "struct") return type;
  const own = type.implied ? IMPLIED_LIST : numbers[type.name];
  return own === undefined ? type : { ...type, fields: placed(type.fields.map((field) => numbered(field, own))) };
}

function numbered(field: FieldModel, { fields, inlined, protoNames }: TypeNumbers): FieldModel {
  if (field.offWire) return field;
  const embedded = field.name === "" && typeof field.type === "string";
  const key = embedded ? shortName(field.type as string) : field.name;
  const number = embedded ? inlined?.[key] : fields[key];
  const protoName = protoNames?.[key] ?? (embedded ? key.charAt(0).toLowerCase() + key.slice(1) : undefined);
  return number === undefined ? field : { ...field, number, ...(protoName !== undefined && { protoName }) };
}

function shortName(ref: string): string {
  return ref.slice(ref.lastIndexOf(".") + 1);
}

/**
 * Places embedded structs among the fields by their number, because their position is not declared: each precedes the first field with a
 * higher number, so that JSON is written in the order of Kubernetes. Fields keep the order of their declaration.
 */
function placed(fields: readonly FieldModel[]): FieldModel[] {
  const result = fields.filter(({ name }) => name !== "");
  for (const embedded of fields.filter(({ name }) => name === "")) {
    const index = result.findIndex(({ number = 0 }) => number > (embedded.number ?? 0));
    result.splice(index === -1 ? result.length : index, 0, embedded);
  }
  return result;
}
