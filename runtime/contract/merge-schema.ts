/**
 * How values of a type merge. Apply and strategic merge patch need nothing else about a kind.
 *
 * Types are recursive (a JSON schema contains JSON schemas), so merge types must be resolvable lazily: any property of these interfaces may be
 * a getter, as long as it returns the same object each time. `lazyMapType` and `lazyListType` create such types from functions. Merge types
 * are immutable and are compared by identity.
 */
export type MergeType = ScalarType | ListType | MapType | UntypedType;

export type ScalarKind = "string" | "number" | "boolean" | "any";

export interface ScalarType {
  readonly kind: "scalar";
  /** `any` accepts every scalar: quantities, int-or-string, times. */
  readonly of: ScalarKind;
}

/** A list, owned as a whole (atomic), by value (set), or by entry, identified by key fields (map). */
export interface ListType {
  readonly kind: "list";
  readonly topology: "atomic" | "set" | "map";
  /** Key fields of a list map, in declared order. Empty for other lists. Their defaults are those of the element's fields. */
  readonly keys: readonly string[];
  readonly element: MergeType;
}

/** A struct or a map: owned as a whole (atomic) or field by field (granular). */
export interface MapType {
  readonly kind: "map";
  readonly topology: "atomic" | "granular";
  /** Name of the type as error messages show it, such as `PodSpec`. */
  readonly name?: string;
  /** The declared fields; empty for a plain map. */
  readonly fields: ReadonlyMap<string, MergeField>;
  /** Type of all other keys. Absent if other keys are not allowed. */
  readonly element?: MergeType;
}

/** A value without a schema. `deduced`: maps are granular and lists atomic, at all levels. `atomic`: the value is owned as a whole. */
export interface UntypedType {
  readonly kind: "untyped";
  readonly topology: "deduced" | "atomic";
}

export type PatchStrategy = "merge" | "replace" | "retainKeys";

export interface MergeField {
  readonly type: MergeType;
  /**
   * Value that an absent key field of a list map counts as, such as `TCP` for the protocol of a container port. Required key fields of built-in
   * kinds default to their zero value (`""`, `0`).
   */
  readonly default?: string | number | bigint | boolean;
  /**
   * Whether every stored object has this field, even if only with its zero value: the field is not optional in the encoded form, or is a struct
   * held by value (`spec`, `status`, `template` of built-in kinds; times, which print null). Creating an object then adds no owner of the
   * field itself, only of the fields in it.
   */
  readonly alwaysPresent?: boolean;
  /** Own kinds only: every valid object has this field. */
  readonly required?: boolean;
  /** Strategic merge only. */
  readonly patchStrategies?: readonly PatchStrategy[];
  /** Used by strategic merge only: the field that identifies the entries of this list. */
  readonly patchMergeKey?: string;
}

export const DEDUCED: UntypedType = { kind: "untyped", topology: "deduced" };
export const UNTYPED_ATOMIC: UntypedType = { kind: "untyped", topology: "atomic" };

type MapParts = Omit<MapType, "kind" | "topology">;

/** Creates a struct or map whose parts are computed on first use. */
export function lazyMapType(parts: () => MapParts, topology: MapType["topology"] = "granular"): MapType {
  return new LazyMapType(parts, topology);
}

/** Creates a list whose element type is computed on first use. */
export function lazyListType(
  element: () => MergeType,
  topology: ListType["topology"] = "atomic",
  keys: readonly string[] = [],
): ListType {
  return new LazyListType(element, topology, keys);
}

/** Creates a field whose type is computed on first use. */
export function lazyField(type: () => MergeType, rest: Omit<MergeField, "type"> = {}): MergeField {
  return new LazyField(type, rest);
}

// Classes, because every write traverses these types: getters in object literals would give each object its own hidden class in the engine.

class LazyMapType implements MapType {
  readonly kind = "map";
  readonly topology: MapType["topology"];
  readonly #make: () => MapParts;
  #parts: MapParts | undefined = undefined;

  constructor(make: () => MapParts, topology: MapType["topology"]) {
    this.#make = make;
    this.topology = topology;
  }

  // The declared types of these two exclude undefined; a missing value reads as undefined anyway.
  get name(): string {
    return this.#resolve().name as string;
  }

  get fields(): MapType["fields"] {
    return this.#resolve().fields;
  }

  get element(): MergeType {
    return this.#resolve().element as MergeType;
  }

  #resolve(): MapParts {
    this.#parts ??= this.#make();
    return this.#parts;
  }
}

class LazyListType implements ListType {
  readonly kind = "list";
  readonly topology: ListType["topology"];
  readonly keys: readonly string[];
  readonly #make: () => MergeType;
  #element: MergeType | undefined = undefined;

  constructor(make: () => MergeType, topology: ListType["topology"], keys: readonly string[]) {
    this.#make = make;
    this.topology = topology;
    this.keys = keys;
  }

  get element(): MergeType {
    this.#element ??= this.#make();
    return this.#element;
  }
}

class LazyField implements MergeField {
  readonly default?: string | number | bigint | boolean;
  readonly alwaysPresent?: boolean;
  readonly required?: boolean;
  readonly patchStrategies?: readonly PatchStrategy[];
  readonly patchMergeKey?: string;
  readonly #make: () => MergeType;
  #type: MergeType | undefined = undefined;

  constructor(make: () => MergeType, rest: Omit<MergeField, "type">) {
    this.#make = make;
    Object.assign(this, rest);
  }

  get type(): MergeType {
    this.#type ??= this.#make();
    return this.#type;
  }
}
