import { createHash } from "node:crypto";
import { formatGroupResource } from "../contract/group-version.ts";
import { parseStoredObject } from "../encoding/json/parse-stored-object.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import { refuseEncrypted } from "../store/encryption/prefix-transformer.ts";
import type { ValueTransformer } from "../store/encryption/value-transformer.ts";
import { decodeStoredJson, encodeStoredJson, isStoredJson } from "../store/value/stored-json.ts";
import type { StoredKind } from "./served-resource.ts";

export interface MovedValuesParts {
  /** The built-in kinds, as the destination stores them. */
  readonly kinds: readonly StoredKind[];
  /** Prefix of all keys at the destination. Values are encoded for these keys. */
  readonly keyRoot: string;
  readonly storedAs: "json" | "protobuf";
  readonly transformerFor: (group: string, resource: string) => ValueTransformer | undefined;
}

export interface KnownValue {
  /** For example `deployments.apps` or `pods`. */
  readonly resource: string;
  /** Digest of the decoded value. Independent of its encoding and encryption. */
  readonly digest: string;
}

interface Place {
  readonly group: string;
  readonly resource: string;
  /** Absent for custom kinds and for kinds that are not served. */
  readonly kind?: StoredKind;
}

/** Resources whose values Kubernetes stores under keys that differ from the resource's name. This server never encrypts them. */
const RANGES: Readonly<Record<string, string | undefined>> = {
  "/ranges/servicenodeports": "servicenodeportallocations",
  "/ranges/serviceips": "serviceipallocations",
  "/ranges/secondaryserviceips": "serviceipallocations",
};

const OPEN_BRACE = 0x7b;

/**
 * Transforms values of one store into the form in which another stores them. Objects of built-in kinds are decoded, then encoded in the
 * version that the release stores. Objects of custom kinds keep their version and exact JSON, so that no definition, pruning or webhook
 * changes them. Values that are not objects are copied. Encrypted values are decrypted, then encrypted for their new key.
 */
export class MovedValues {
  readonly #parts: MovedValuesParts;
  /** Keyed by key prefix without the root, such as `/services/specs/`. */
  readonly #kinds: ReadonlyMap<string, StoredKind>;

  constructor(parts: MovedValuesParts) {
    this.#parts = parts;
    this.#kinds = new Map(parts.kinds.map((kind) => [kind.prefix.slice(parts.keyRoot.length), kind]));
  }

  /** Returns the resource and digest of a value. `name` is its key without the root. Throws if the value cannot be decrypted or decoded. */
  read(name: string, key: string, value: Uint8Array): KnownValue {
    const { kind, ...place } = this.#placeOf(name);
    const digest =
      kind === undefined
        ? digestOfContents(this.#open(place, key, value))
        : digestOf(kind.objects.decode(key, value), EMPTY_IS_ABSENT);
    return { resource: formatGroupResource(place), digest };
  }

  /** Encodes a value for the destination. Throws if the value cannot be decrypted, decoded or encoded. */
  encode(name: string, key: string, value: Uint8Array): Uint8Array {
    const { kind, ...place } = this.#placeOf(name);
    const to = this.#parts.keyRoot + name;
    if (kind === undefined) return this.#reframe(place, to, this.#open(place, key, value));
    return kind.objects.encode(to, kind.objects.decode(key, value));
  }

  /** Like `read`, but also throws if the value cannot be encoded for the destination, or would have a different meaning there. */
  check(name: string, key: string, value: Uint8Array): KnownValue {
    const known = this.read(name, key, value);
    const after = this.read(name, this.#parts.keyRoot + name, this.encode(name, key, value));
    if (after.digest !== known.digest) throw new Error("the object would read differently after it was moved");
    return known;
  }

  #placeOf(name: string): Place {
    const [, first = "", second = "", third] = name.split("/");
    const kind = this.#kinds.get(`/${first}/`) ?? this.#kinds.get(`/${first}/${second}/`);
    if (kind !== undefined) return { ...kind.groupResource, kind };
    const range = RANGES[name];
    if (range !== undefined) return { group: "", resource: range };
    return third !== undefined && first.includes(".")
      ? { group: first, resource: second }
      : { group: "", resource: first };
  }

  #open({ group, resource }: Place, key: string, value: Uint8Array): Uint8Array {
    const transformer = this.#parts.transformerFor(group, resource);
    if (transformer !== undefined) return transformer.open(key, value).value;
    refuseEncrypted(value);
    return value;
  }

  #reframe({ group, resource }: Place, key: string, opened: Uint8Array): Uint8Array {
    const object = jsonObject(opened);
    const value = object === undefined ? opened : this.#frame(object);
    if (group === "" && Object.values(RANGES).includes(resource)) return value;
    return this.#parts.transformerFor(group, resource)?.seal(key, value) ?? value;
  }

  #frame(object: JsonObject): Uint8Array {
    return this.#parts.storedAs === "json"
      ? encodeStoredJson(object, { stringify: stringifyJson })
      : Buffer.from(`${stringifyJson(object)}\n`);
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Parses the object of a JSON value and removes its resourceVersion. Returns undefined for a value in another format. */
function jsonObject(value: Uint8Array): JsonObject | undefined {
  const isSpliced = isStoredJson(value);
  if (!isSpliced && value[0] !== OPEN_BRACE) return undefined;
  const object = parseStoredObject(isSpliced ? decodeStoredJson(value, 0).json : Buffer.from(value)) as JsonObject;
  return withoutRevision(object);
}

function withoutRevision(object: JsonObject): JsonObject {
  const { metadata } = object as { readonly metadata?: JsonObject };
  if (metadata?.resourceVersion === undefined) return object;
  const { resourceVersion: _revision, ...others } = metadata;
  return { ...object, metadata: others };
}

function digestOfContents(value: Uint8Array): string {
  const object = jsonObject(value);
  return object === undefined
    ? createHash("sha256").update(value).digest("base64url")
    : digestOf(object, (member) => member === undefined);
}

/** Treats empty lists and null as absent: protobuf cannot represent them, and they have no meaning in a built-in kind. */
const EMPTY_IS_ABSENT = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

type IsAbsent = (value: unknown) => boolean;

/** Digest of an object. Independent of the order of keys; ignores the resourceVersion. */
function digestOf(object: object, isAbsent: IsAbsent): string {
  return createHash("sha256")
    .update(sorted(withoutRevision(object as JsonObject), isAbsent))
    .digest("base64url");
}

function sorted(value: unknown, isAbsent: IsAbsent): string {
  if (Array.isArray(value)) return `[${value.map((item) => sorted(item, isAbsent)).join(",")}]`;
  if (typeof value !== "object" || value === null || value instanceof Number) return stringifyJson(value);
  const members = Object.entries(value).filter(([, member]) => !isAbsent(member));
  return `{${members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${sorted(member, isAbsent)}`)
    .join(",")}}`;
}
