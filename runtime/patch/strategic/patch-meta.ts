import type { ListType, MergeField, MergeType, PatchStrategy } from "../../contract/merge-schema.ts";
import { goQuote } from "../../go/quote.ts";
import { PatchError } from "../patch-error.ts";

/** How a field is treated in a strategic merge. */
export interface FieldMeta {
  /** Type of the field's value or, for a list, of its entries. */
  readonly type: MergeType;
  readonly strategy: Exclude<PatchStrategy, "retainKeys"> | undefined;
  /** Empty if entries are not identified by a key. */
  readonly mergeKey: string;
}

/** Returns how to merge a field that contains a map. Throws PatchError if the type has no such field. */
export function mapMeta(type: MergeType, key: string): FieldMeta {
  return metaOf(fieldOf(type, key));
}

/** Like `mapMeta`, for a field that contains a list. */
export function listMeta(type: MergeType, key: string): FieldMeta {
  const field = fieldOf(type, key);
  if (field.type.kind !== "list") throw new PatchError("PatchFailed", "expected slice or array type, but got: struct");
  const element = (field.type as ListType).element;
  if (element.kind === "list") throw new PatchError("PatchFailed", "unexpected slice of slice");
  return { ...metaOf(field), type: element };
}

function metaOf(field: MergeField): FieldMeta {
  const strategy = field.patchStrategies?.find((one) => one !== "retainKeys");
  return { type: field.type, strategy: strategy as FieldMeta["strategy"], mergeKey: field.patchMergeKey ?? "" };
}

function fieldOf(type: MergeType, key: string): MergeField {
  if (type.kind === "map" && type.fields.size === 0) {
    throw new PatchError("PatchFailed", "merging an object in json but data type is not struct, instead is: map");
  }
  const field = type.kind === "map" ? type.fields.get(key) : undefined;
  if (field !== undefined) return field;
  const name = type.kind === "map" ? (type.name ?? "") : "RawExtension";
  throw new PatchError("PatchFailed", `unable to find api field in struct ${name} for the json field ${goQuote(key)}`);
}
