import type {
  Field,
  Markers,
  NamedType,
  ScalarName,
  StructType,
  TypeExpr,
  TypeRef,
  TypeSource,
} from "../contract/type-table.ts";
import { GO_CONTAINERS, GO_KEYS, GO_TEXTS, GO_VERSIONED_TEXTS } from "./go-names.ts";
import { UnknownTypeError } from "./schema-errors.ts";

/**
 * A type with all names resolved: the input of the compilers in this folder. Types are recursive, so fields and elements are resolved on first
 * use. The same declaration always yields the same object.
 */
export type Shape = ScalarShape | ListShape | MapShape | StructShape;

interface CommonShape {
  /** Name of the Go type that error messages contain, such as `v1.PodSpec` or `[]string`. */
  readonly goType: string;
  /** Markers of the named types that were followed to reach this shape. Outer markers take precedence. */
  readonly markers: Markers;
}

export interface ScalarShape extends CommonShape {
  readonly kind: "scalar";
  readonly scalar: ScalarName;
  /** Module of the declaration that uses the scalar. */
  readonly module: string;
  /** JSONSchemaProps of the declaring module, for the three types that hold a schema or another value. */
  readonly schema: () => StructShape;
}

export interface ListShape extends CommonShape {
  readonly kind: "list";
  readonly element: Shape;
  /** Whether the list is encoded in protobuf as a message with field `items = 1`. */
  readonly message: boolean;
}

export interface MapShape extends CommonShape {
  readonly kind: "map";
  readonly element: Shape;
}

export interface StructShape extends CommonShape {
  readonly kind: "struct";
  readonly ref: TypeRef;
  readonly module: string;
  /** Short name, such as `PodSpec`. */
  readonly name: string;
  readonly fields: readonly FieldShape[];
  /** Fields as in JSON: inlined structs are replaced by their fields. */
  readonly flatFields: readonly FieldShape[];
}

export interface FieldShape {
  readonly name: string;
  readonly type: Shape;
  /** Markers of the field, merged with those of its type. The field's own markers take precedence. */
  readonly markers: Markers;
  readonly required: boolean;
  readonly tracked: boolean;
  readonly always: boolean;
  readonly number: number | undefined;
}

const SCALAR_GO_TYPES: Readonly<Record<ScalarName, string>> = {
  string: "string",
  boolean: "bool",
  int32: "int32",
  int64: "int64",
  double: "float64",
  bytes: "[]uint8",
  time: "v1.Time",
  microTime: "v1.MicroTime",
  duration: "v1.Duration",
  quantity: "resource.Quantity",
  intOrString: "intstr.IntOrString",
  rawObject: "runtime.RawExtension",
  json: "v1.JSON",
  fieldsV1: "v1.FieldsV1",
  schemaOrArray: "v1.JSONSchemaPropsOrArray",
  schemaOrBool: "v1.JSONSchemaPropsOrBool",
  schemaOrStringArray: "v1.JSONSchemaPropsOrStringArray",
};
const NO_MARKERS: Markers = {};

/** Resolves names to shapes. Caches every named type. */
export class Shapes {
  readonly #source: TypeSource;
  readonly #named = new Map<string, Shape>();

  constructor(source: TypeSource) {
    this.#source = source;
  }

  struct(ref: TypeRef): StructShape {
    const shape = this.#reference(ref);
    if (shape.kind !== "struct") throw new UnknownTypeError(ref);
    return shape;
  }

  resolve(expr: TypeExpr, module: string): Shape {
    if (typeof expr === "object") {
      if ("list" in expr) return this.#list(expr.list, module, NO_MARKERS, false);
      return this.#map(expr.map, module, NO_MARKERS);
    }
    if (Object.hasOwn(SCALAR_GO_TYPES, expr)) {
      const scalar = expr as ScalarName;
      return this.#scalar(scalar, module, SCALAR_GO_TYPES[scalar], NO_MARKERS);
    }
    return this.#reference(expr as TypeRef);
  }

  #reference(ref: TypeRef): Shape {
    const known = this.#named.get(ref);
    if (known !== undefined) return known;
    const dot = ref.lastIndexOf(".");
    const module = ref.slice(0, dot);
    const name = ref.slice(dot + 1);
    const types = this.#source.module(module).types;
    const definition = Object.hasOwn(types, name) ? types[name] : undefined;
    if (definition === undefined) throw new UnknownTypeError(ref);
    const goType = `${module.slice(module.lastIndexOf("/") + 1)}.${name}`;
    const shape =
      "fields" in definition
        ? this.#structShape(ref, module, name, goType, definition)
        : this.#namedShape(definition, module, goType);
    this.#named.set(ref, shape);
    return shape;
  }

  #structShape(ref: TypeRef, module: string, name: string, goType: string, definition: StructType): StructShape {
    const { fields, ...markers } = definition;
    const own = lazy(() => fields.map((field) => this.#field(field, module, name)));
    const flat = lazy(() => own().flatMap(flatten));
    return {
      kind: "struct",
      ref,
      module,
      name,
      goType,
      markers,
      get fields() {
        return own();
      },
      get flatFields() {
        return flat();
      },
    };
  }

  #namedShape(definition: NamedType, module: string, goType: string): Shape {
    const { is, message = false, ...own } = definition;
    if (typeof is === "object") {
      if ("list" in is) return this.#list(is.list, module, own, message, goType);
      return this.#map(is.map, module, own, goType);
    }
    const inner = this.resolve(is, module);
    const markers = bothMarkers(inner.markers, own);
    if (inner.kind === "struct") return { ...inner, goType, markers };
    if (inner.kind === "scalar") return this.#scalar(inner.scalar, module, goType, markers);
    if (inner.kind === "list") return lazyElement({ ...LIST, goType, markers, message }, () => inner.element);
    return lazyElement({ ...MAP, goType, markers }, () => inner.element);
  }

  #scalar(scalar: ScalarName, module: string, goType: string, markers: Markers): ScalarShape {
    return { kind: "scalar", scalar, module, goType, markers, schema: () => this.struct(`${module}.JSONSchemaProps`) };
  }

  #list(element: TypeExpr, module: string, markers: Markers, message: boolean, goType?: string): ListShape {
    const resolved = lazy(() => this.resolve(element, module));
    const name = goType ?? `[]${this.#goTypeOf(element)}`;
    return lazyElement({ ...LIST, goType: name, markers, message }, resolved);
  }

  #map(element: TypeExpr, module: string, markers: Markers, goType?: string): MapShape {
    const resolved = lazy(() => this.resolve(element, module));
    const name = goType ?? `map[string]${this.#goTypeOf(element)}`;
    return lazyElement({ ...MAP, goType: name, markers }, resolved);
  }

  #goTypeOf(expr: TypeExpr): string {
    if (typeof expr === "object") {
      return "list" in expr ? `[]${this.#goTypeOf(expr.list)}` : `map[string]${this.#goTypeOf(expr.map)}`;
    }
    return SCALAR_GO_TYPES[expr as ScalarName] ?? expr.slice(expr.lastIndexOf("/") + 1);
  }

  #field(field: Field, module: string, struct: string): FieldShape {
    const { name, type, required = false, tracked = false, always = false, number, protoName: _, ...own } = field;
    const version = module.slice(module.lastIndexOf("/") + 1);
    const named = () => goNamed(this.resolve(type, module), `${struct}.${name}`, version);
    const resolved = lazy(() => (own.preserveUnknown ? keepingUnknown(named()) : named()));
    const merged = lazy(() => markersInPlace(resolved(), own));
    return {
      name,
      get type() {
        return resolved();
      },
      get markers() {
        return merged();
      },
      required,
      tracked,
      always,
      number,
    };
  }
}

/** Merges the markers of a field with those of its type. Rules and keywords of a struct type are omitted: they are checked with its fields. */
function markersInPlace({ kind, markers }: Shape, own: Markers): Markers {
  return kind === "struct" ? { ...markers, ...own } : bothMarkers(markers, own);
}

/** Merges markers. The outer ones take precedence; rules and keywords of both apply. */
function bothMarkers(inner: Markers, outer: Markers): Markers {
  return {
    ...inner,
    ...outer,
    ...(inner.rules && outer.rules && { rules: [...inner.rules, ...outer.rules] }),
    ...(inner.schema && outer.schema && { schema: { ...inner.schema, ...outer.schema } }),
  };
}

const LIST = { kind: "list" } as const;
const MAP = { kind: "map" } as const;

function flatten(field: FieldShape): readonly FieldShape[] {
  if (field.name !== "") return [field];
  if (field.type.kind !== "struct") throw new UnknownTypeError(field.type.goType);
  return field.type.flatFields;
}

function lazyElement<T extends object>(shape: T, element: () => Shape): T & { readonly element: Shape } {
  return Object.defineProperty(shape, "element", { get: element, enumerable: true }) as T & { readonly element: Shape };
}

/** Returns a function that calls `make` once, on the first call, and caches the result. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Returns a shape that keeps unknown fields, for one field of a struct type. */
function keepingUnknown(shape: Shape): Shape {
  return shape.kind === "struct" ? { ...shape, markers: { ...shape.markers, preserveUnknown: true } } : shape;
}

/** Returns the shape of a field with the name of its Go type. `place` is `Struct.field`. */
function goNamed(shape: Shape, place: string, version: string): Shape {
  const versioned = GO_VERSIONED_TEXTS[place];
  const goType = versioned === undefined ? GO_TEXTS[place] : `${version}.${versioned}`;
  if (goType !== undefined && shape.kind === "scalar") return { ...shape, goType };
  if (goType !== undefined && shape.kind === "list") {
    return { ...shape, goType: `[]${goType}`, element: goNamed(shape.element, place, version) };
  }
  const container = GO_CONTAINERS[place];
  if (container !== undefined && (shape.kind === "list" || shape.kind === "map")) {
    return { ...shape, goType: `${version}.${container}` };
  }
  const key = GO_KEYS[place];
  if (key === undefined || shape.kind !== "map") return shape;
  return { ...shape, goType: shape.goType.replace("map[string]", `map[${version}.${key}]`) };
}
