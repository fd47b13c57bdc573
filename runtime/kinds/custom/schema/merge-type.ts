import {
  DEDUCED,
  lazyListType,
  lazyMapType,
  type MergeField,
  type MergeType,
  type ScalarType,
  UNTYPED_ATOMIC,
} from "../../../contract/merge-schema.ts";
import { asWritten } from "../../../schema/merge-type.ts";
import { type CustomSchema, extensionsOf } from "./structural-schema.ts";

const SCALARS: Readonly<Record<string, ScalarType>> = {
  string: { kind: "scalar", of: "string" },
  integer: { kind: "scalar", of: "number" },
  number: { kind: "scalar", of: "number" },
  boolean: { kind: "scalar", of: "boolean" },
};

/** A string with a format may be any scalar, except `byte`, which is always a string. */
const FORMATTED: ScalarType = { kind: "scalar", of: "any" };

/**
 * Builds the merge type of a custom kind. Type and metadata are the same for every kind: `metadata` is the merge type of object metadata. A
 * schema that preserves unknown fields preserves them at any depth.
 */
export function mergeTypeOf(
  root: CustomSchema,
  vendor: string,
  metadata: MergeType,
  preservesUnknown = false,
): MergeType {
  return new MergeTypes(vendor, metadata).resource(root, preservesUnknown);
}

class MergeTypes {
  readonly #vendor: string;
  readonly #metadata: MergeType;

  constructor(vendor: string, metadata: MergeType) {
    this.#vendor = vendor;
    this.#metadata = asWritten(metadata);
  }

  resource(schema: CustomSchema, preservesUnknown: boolean): MergeType {
    return this.#object(schema, preservesUnknown, true);
  }

  #of(schema: CustomSchema, isInsideFree: boolean): MergeType {
    const { isIntOrString, isEmbedded, listType, listMapKeys, preservesUnknown } = extensionsOf(schema, this.#vendor);
    const isFree = isInsideFree || preservesUnknown;
    if (isIntOrString) return UNTYPED_ATOMIC;
    switch (schema.type) {
      case "object":
        return this.#object(schema, isFree, isEmbedded);
      case "array": {
        const { items } = schema;
        const keys = listType === "map" ? listMapKeys : [];
        return lazyListType(() => (items === undefined ? DEDUCED : this.#of(items, isFree)), listType, keys);
      }
      case "string":
        return ["", "byte"].includes(schema.format ?? "") ? (SCALARS.string as MergeType) : FORMATTED;
      default:
        return SCALARS[schema.type ?? ""] ?? DEDUCED;
    }
  }

  #object(schema: CustomSchema, isInsideFree: boolean, isResource: boolean): MergeType {
    const { mapType, preservesUnknown } = extensionsOf(schema, this.#vendor);
    const { properties = {}, additionalProperties } = schema;
    const isFree = isInsideFree || preservesUnknown;
    return lazyMapType(() => {
      const fields = new Map(
        Object.entries(properties).map(([name, property]) => [name, this.#field(property, isFree)]),
      );
      if (isResource) {
        fields.set("apiVersion", { type: SCALARS.string as MergeType });
        fields.set("kind", { type: SCALARS.string as MergeType });
        fields.set("metadata", { type: this.#metadata });
      }
      if (typeof additionalProperties === "object") return { fields, element: this.#of(additionalProperties, isFree) };
      // An object without declared properties may have any fields.
      const saysNothing = additionalProperties === undefined && fields.size === 0;
      return isFree || saysNothing || additionalProperties === true ? { fields, element: DEDUCED } : { fields };
    }, mapType);
  }

  #field(schema: CustomSchema, isInsideFree: boolean): MergeField {
    const type = this.#of(schema, isInsideFree);
    const value = schema.default;
    const isScalar = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    return isScalar ? { type, default: value } : { type };
  }
}
