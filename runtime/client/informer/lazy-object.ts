import { parseOwnText } from "../../encoding/json/parse-own-json.ts";
import type { Piece } from "./json-arena.ts";

/** The type of all objects of a list, whose items come without it. */
export interface TypeOfObject {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The fields of an object that are known before anything else is parsed. */
export interface Identity {
  name: string;
  namespace: string | undefined;
  uid: string;
  resourceVersion: string;
}

type Fields = Record<string, unknown>;

const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** A struct that keeps some fields as JSON. All of them are parsed when one is first read. */
abstract class Lazy {
  /** The JSON of the fields. */
  readonly #piece: Piece;
  /** The fields, once they are parsed. */
  #fields: Fields | undefined;

  constructor(piece: Piece) {
    this.#piece = piece;
  }

  protected abstract read(piece: Piece): string;

  /** Parses the fields and replaces the accessors by values, except accessors that were deleted, or that are fixed because the object is frozen. */
  static parse(object: Lazy): Fields {
    if (object.#fields !== undefined) return object.#fields;
    const fields = parseOwnText(`{${object.read(object.#piece)}}`) as Fields;
    object.#fields = fields;
    for (const [field, value] of Object.entries(fields)) {
      const { get, configurable } = Object.getOwnPropertyDescriptor(object, field) ?? {};
      if (configurable && get !== undefined && getters.has(get))
        Object.defineProperty(object, field, { value, enumerable: true, configurable: true, writable: true });
    }
    return fields;
  }

  static pieceOf(object: Lazy): Piece {
    return object.#piece;
  }

  /** Prints as a plain object in `util.inspect`. */
  [INSPECT](): object {
    return { ...this };
  }
}

/**
 * An API object with a known identity. The other metadata and the other fields are parsed separately, each on first access. For most events, an
 * informer reads only the metadata; and JSON needs less memory than parsed values and hardly any garbage collection time. It behaves like a plain
 * object: its fields can be listed, copied, cloned, printed, deleted and frozen.
 */
class LazyObject extends Lazy {
  apiVersion: string;
  kind: string;
  metadata: object;

  constructor({ apiVersion, kind }: TypeOfObject, metadata: object, piece: Piece) {
    super(piece);
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.metadata = metadata;
  }

  protected override read(piece: Piece): string {
    return piece.rest;
  }
}

class LazyMetadata extends Lazy {
  name: string;
  declare namespace?: string;
  uid: string;
  resourceVersion: string;

  constructor({ name, namespace, uid, resourceVersion }: Identity, piece: Piece) {
    super(piece);
    this.name = name;
    if (namespace !== undefined) this.namespace = namespace;
    this.uid = uid;
    this.resourceVersion = resourceVersion;
  }

  protected override read(piece: Piece): string {
    return piece.metadata;
  }
}

// Some comparisons check the constructor: lazy objects must be equal to completely parsed ones.
for (const { prototype } of [LazyObject, LazyMetadata])
  Object.defineProperty(prototype, "constructor", { value: Object });

/** Creates an object whose members are in this piece. */
export function createLazyObject(type: TypeOfObject, identity: Identity, piece: Piece): object {
  const { metadataNames, names } = piece.shape;
  const metadata = new LazyMetadata(identity, piece);
  for (const { name, accessor } of metadataNames) Object.defineProperty(metadata, name, accessor);
  const object = new LazyObject(type, metadata, piece);
  for (const { name, accessor } of names) Object.defineProperty(object, name, accessor);
  return object;
}

/** Whether an object was created by `createLazyObject`. */
export function isLazy(object: object): boolean {
  return object instanceof LazyObject;
}

/** The JSON of an object; undefined if it is not lazy. */
export function pieceOf(object: object): Piece | undefined {
  return object instanceof LazyObject ? Lazy.pieceOf(object) : undefined;
}

/** Getters of fields that are not parsed yet. */
const getters = new WeakSet<() => unknown>();

/** Returns the accessor of a field that is parsed on first access. */
export function accessorOf(field: string): PropertyDescriptor {
  function get(this: Lazy): unknown {
    return Lazy.parse(this)[field];
  }
  function set(this: Lazy & Fields, value: unknown): void {
    const fields = Lazy.parse(this);
    if (Object.getOwnPropertyDescriptor(this, field)?.get === undefined) this[field] = value;
    else if (Object.isFrozen(this)) throw new TypeError(`Cannot assign to read only property '${field}' of object`);
    else fields[field] = value;
  }
  getters.add(get);
  return { get, set, enumerable: true, configurable: true };
}
