import {
  DEDUCED,
  lazyField,
  lazyListType,
  lazyMapType,
  type MergeField,
  type MergeType,
  type ScalarKind,
  type ScalarType,
  UNTYPED_ATOMIC,
} from "../contract/merge-schema.ts";
import type { Markers, ScalarName } from "../contract/type-table.ts";
import { zeroValue } from "./absent-value.ts";
import { type FieldShape, type ListShape, lazy, type Shape, type StructShape } from "./shape.ts";

const SCALAR_KINDS: Readonly<Partial<Record<ScalarName, ScalarKind>>> = {
  string: "string",
  bytes: "string",
  boolean: "boolean",
  int32: "number",
  int64: "number",
  double: "number",
  time: "any",
  microTime: "any",
  duration: "any",
  quantity: "any",
};

/** Derives the merge types of shapes. Each named struct has one merge type, so merge types can be compared by identity. */
export class MergeTypes {
  readonly #structs = new Map<StructShape, MergeType>();
  readonly #isOwn: (module: string) => boolean;
  readonly #embedded: () => MergeType;

  /**
   * `isOwn` returns whether a module belongs to the project's own kinds, which merge like those of CustomResourceDefinitions. `metadata` is the shape
   * of the metadata of embedded objects.
   */
  constructor(isOwn: (module: string) => boolean, metadata: () => Shape) {
    this.#isOwn = isOwn;
    this.#embedded = lazy(() => this.#embeddedObject(metadata()));
  }

  of(shape: Shape, markers: Markers = shape.markers): MergeType {
    switch (shape.kind) {
      case "scalar":
        if (shape.scalar !== "rawObject" || !this.#isOwn(shape.module)) return scalarType(shape.scalar);
        return markers.embeddedObject ? this.#embedded() : DEDUCED;
      case "list":
        return this.#list(shape, markers);
      case "map": {
        const element = lazy(() => this.of(shape.element));
        return lazyMapType(() => ({ fields: NO_FIELDS, element: element() }), markers.mapType);
      }
      case "struct":
        return this.#struct(shape, markers);
    }
  }

  /** An object of any kind, of which only type and metadata are known. */
  #embeddedObject(metadata: Shape): MergeType {
    const fields = new Map<string, MergeField>([
      ["apiVersion", { type: SCALAR_TYPES.string }],
      ["kind", { type: SCALAR_TYPES.string }],
      ["metadata", { type: asWritten(this.of(metadata)) }],
    ]);
    return lazyMapType(() => ({ fields, element: DEDUCED }));
  }

  #struct(shape: StructShape, markers: Markers): MergeType {
    const describe = () =>
      lazyMapType(() => this.#parts(shape), markers.mapType ?? shape.markers.mapType ?? "granular");
    if (markers.mapType !== shape.markers.mapType) return describe();
    let known = this.#structs.get(shape);
    if (known === undefined) this.#structs.set(shape, (known = describe()));
    return known;
  }

  #parts(shape: StructShape) {
    const fields = new Map(
      shape.flatFields.map((field) => [field.name, this.#field(field, this.#isOwn(shape.module))]),
    );
    const { name } = shape;
    return shape.markers.preserveUnknown ? { name, fields, element: DEDUCED } : { name, fields };
  }

  #field(field: FieldShape, isOwn: boolean): MergeField {
    const { markers } = field;
    const value = keyDefault(field);
    return lazyField(() => this.of(field.type, markers), {
      ...(value === undefined ? {} : { default: value }),
      ...(field.always ? { alwaysPresent: true } : {}),
      ...(field.required && isOwn ? { required: true } : {}),
      ...(markers.patchStrategy ? { patchStrategies: markers.patchStrategy } : {}),
      ...(markers.patchMergeKey ? { patchMergeKey: markers.patchMergeKey } : {}),
    });
  }

  #list(shape: ListShape, markers: Markers): MergeType {
    const element = () => this.of(shape.element);
    const { topology, keys } = listTopology(markers);
    return lazyListType(element, topology, keys);
  }
}

const NO_FIELDS: ReadonlyMap<string, MergeField> = new Map();

const SCALAR_TYPES: Readonly<Record<ScalarKind, ScalarType>> = {
  string: { kind: "scalar", of: "string" },
  number: { kind: "scalar", of: "number" },
  boolean: { kind: "scalar", of: "boolean" },
  any: { kind: "scalar", of: "any" },
};

function scalarType(scalar: ScalarName): MergeType {
  // Values of these types are not checked before they are decoded.
  if (scalar === "rawObject" || scalar === "intOrString") return UNTYPED_ATOMIC;
  const kind = SCALAR_KINDS[scalar];
  return kind === undefined ? DEDUCED : SCALAR_TYPES[kind];
}

/** Returns the topology of a list. If no list type is declared, the markers of strategic merge decide. */
export function listTopology(markers: Markers): { topology: "atomic" | "set" | "map"; keys: readonly string[] } {
  const { listType, listMapKeys, patchStrategy, patchMergeKey } = markers;
  if (listType !== undefined) return { topology: listType, keys: listType === "map" ? (listMapKeys ?? []) : [] };
  if (!patchStrategy?.includes("merge")) return { topology: "atomic", keys: [] };
  return patchMergeKey === undefined ? { topology: "set", keys: [] } : { topology: "map", keys: [patchMergeKey] };
}

/** Returns the value that an absent key counts as: its declared default, or Go's zero value. */
function keyDefault(field: FieldShape): string | number | bigint | boolean | undefined {
  const declared = field.markers.default;
  if (typeof declared === "object" && declared !== null) return undefined;
  if (declared !== undefined && declared !== null) return declared;
  if (!field.always || field.tracked || field.type.kind !== "scalar") return undefined;
  const zero = zeroValue(field.type);
  return typeof zero === "string" || typeof zero === "number" || typeof zero === "boolean" ? zero : undefined;
}

/** Objects without a Go type have no fields that are always present. */
export function asWritten(type: MergeType): MergeType {
  if (type.kind !== "map") return type;
  return lazyMapType(() => {
    // The type of a field may be a getter, so it is read explicitly.
    const fields = [...type.fields].map(([name, field]) => {
      const { alwaysPresent: _filled, ...rest } = field;
      return [name, { ...rest, type: field.type }] as const;
    });
    return { ...(type.name !== undefined && { name: type.name }), fields: new Map<string, MergeField>(fields) };
  }, type.topology);
}
