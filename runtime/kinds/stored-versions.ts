import type { ApiObject } from "../contract/api-object.ts";
import { apiVersionOf } from "../contract/group-version.ts";
import type { GroupVersion, ResourceDescriptor } from "../contract/resource-descriptor.ts";
import type { TypeRef } from "../contract/type-table.ts";
import type { Steps } from "../lib/in-turns.ts";
import type { Schemas, TypeSchema } from "../schema/type-schema.ts";
import type { LoadConverter } from "./conversion/create-converters.ts";
import type { LoadedHooks } from "./loaded-hooks.ts";
import type { StoredForm } from "./stored-value-codec.ts";

/** One version in which objects of a kind may be stored. */
export interface StoredVersion {
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: TypeSchema<ApiObject>;
  /** Sets computed defaults, in place. */
  readonly setComputed?: ((object: ApiObject) => void) | undefined;
  /** Convert to and from the hub. They do not change their argument. */
  toHub(object: ApiObject): ApiObject;
  fromHub(object: ApiObject): ApiObject;
}

/** How a kind is stored: written in one version, read in any. In memory, every object is in the hub version. */
export interface StoredVersions {
  readonly hub: string;
  /** The version of new writes: the hub, or an older version if the release must support rollback (docs/versioning.md, "Rollback"). */
  readonly written: StoredVersion;
  find(apiVersion: string): StoredVersion | undefined;
}

export interface StoredVersionsParts {
  readonly schemas: Schemas;
  readonly loadConverter: LoadConverter;
  readonly loadHooks: (type: TypeRef) => Promise<LoadedHooks>;
  /** Returns the version in which new objects of a kind are written. */
  readonly storageVersionOf: (descriptor: ResourceDescriptor) => GroupVersion;
}

/**
 * Loads converters and hooks of all versions in which objects may be stored. `versions` are all versions of the kind that were ever served;
 * `hooks` are those of the hub.
 */
export async function loadStoredVersions(
  { storage, ...descriptor }: ResourceDescriptor,
  versions: readonly ResourceDescriptor[],
  hooks: LoadedHooks,
  parts: StoredVersionsParts,
): Promise<StoredVersions> {
  const hubVersion = apiVersionOf(storage);
  const hub: StoredVersion = {
    apiVersion: hubVersion,
    kind: storage.kind,
    schema: parts.schemas.of<ApiObject>(storage.type),
    setComputed: storedDefaults(hooks),
    toHub: (object) => object,
    fromHub: (object) => object,
  };
  const all = new Map([[hubVersion, hub]]);
  for (const version of versions) {
    if (version.type === storage.type) continue;
    const converter = await parts.loadConverter(version);
    const side = { apiVersion: apiVersionOf(version), kind: version.kind };
    all.set(side.apiVersion, {
      ...side,
      schema: parts.schemas.of<ApiObject>(version.type),
      setComputed: (await parts.loadHooks(version.type)).default,
      toHub: converter?.toHub ?? ((object) => named(object, hub)),
      fromHub: converter?.fromHub ?? ((object) => named(object, side)),
    });
  }
  const written = parts.storageVersionOf({ ...descriptor, storage });
  return {
    hub: hubVersion,
    written: all.get(apiVersionOf(written)) ?? hub,
    find: (apiVersion) => all.get(apiVersion),
  };
}

/** Returns the same versions without the defaults that `defaults.stored` sets. `hooks` are those of the hub. */
export function withoutCompletion(versions: StoredVersions, { default: setComputed }: LoadedHooks): StoredVersions {
  const bare = (version: StoredVersion): StoredVersion =>
    version.apiVersion === versions.hub ? { ...version, setComputed } : version;
  const find = (apiVersion: string): StoredVersion | undefined => {
    const version = versions.find(apiVersion);
    return version && bare(version);
  };
  return { hub: versions.hub, written: bare(versions.written), find };
}

function storedDefaults({ default: setDefaults, defaults }: LoadedHooks): StoredVersion["setComputed"] {
  const complete = defaults?.stored;
  if (complete === undefined) return setDefaults;
  return (object) => {
    setDefaults?.(object);
    complete(object);
  };
}

/** Returns the identifier of the defaults that is stored with each value. It includes the state of the feature gates on which they depend. */
export function defaultsMark(
  { defaults, defaultGates = [] }: ResourceDescriptor["storage"],
  featureEnabled: (gate: string) => boolean,
): string | undefined {
  if (defaults === undefined || defaultGates.length === 0) return defaults;
  return `${defaults}.${defaultGates.map((gate) => (featureEnabled(gate) ? "1" : "0")).join("")}`;
}

function named(object: ApiObject, { apiVersion, kind }: { apiVersion: string; kind: string }): ApiObject {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return { kind, apiVersion, ...rest } as ApiObject;
}

/**
 * Describes how objects of these versions are stored. In memory they are in the hub version. `defaults` identifies the current defaults of
 * the hub; undefined if it has none.
 */
export function storedForm(versions: StoredVersions, defaults?: string): StoredForm {
  const { hub: hubVersion, written } = versions;
  const find = (apiVersion: string): StoredVersion => {
    const version = versions.find(apiVersion);
    if (version === undefined) throw new Error(`unknown API version ${apiVersion}`);
    return version;
  };
  const hub = find(hubVersion);
  const toHub = (object: ApiObject): ApiObject => {
    if (object.apiVersion === hubVersion) return object;
    const version = find(object.apiVersion ?? "");
    return version.toHub(withDefaults(version, object));
  };
  return {
    storedVersion: written.apiVersion,
    storedOpening: openingOf(written.apiVersion, written.kind),
    shownOpening: openingOf(hubVersion, hub.kind),
    defaults,
    show: (object) => (defaults === undefined ? toHub(object) : withDefaults(hub, toHub(object))),
    ...(defaults !== undefined && { showSteps: (object) => withDefaultsSteps(hub, toHub(object)) }),
    store: (object) => written.fromHub(object),
    messages: {
      decode(apiVersion, message) {
        const version = find(apiVersion);
        return named(version.schema.decodeProtobuf(message), version);
      },
      encode: (stored) => ({
        apiVersion: written.apiVersion,
        kind: written.kind,
        raw: written.schema.encodeProtobuf(stored),
      }),
      *encodeSteps(stored) {
        const { schema } = written;
        const raw =
          schema.encodeProtobufSteps === undefined
            ? schema.encodeProtobuf(stored)
            : yield* schema.encodeProtobufSteps(stored);
        return { apiVersion: written.apiVersion, kind: written.kind, raw };
      },
    },
  };
}

/**
 * Sets declared defaults, then computed ones, as kube-apiserver does after decoding an object. Decoding first adds the parts that every
 * object has, such as empty structs, because they contain defaults. Unknown fields are kept. An object that does not match its type is
 * returned unchanged, so that requests that repair it can read it.
 */
function withDefaults(version: StoredVersion, object: ApiObject): ApiObject {
  const { schema } = version;
  const unknown: string[] = [];
  try {
    const canonical = schema.decode(object, { ...REUSING, problems: unknown });
    if (unknown.length > 0) return setDefaults(version, object);
    return schema.canonicalize(setDefaults(version, canonical), REUSING);
  } catch {
    return object;
  }
}

function* withDefaultsSteps(version: StoredVersion, object: ApiObject): Steps<ApiObject> {
  const { schema } = version;
  if (schema.decodeSteps === undefined || schema.canonicalizeSteps === undefined) return withDefaults(version, object);
  const unknown: string[] = [];
  try {
    const canonical = yield* schema.decodeSteps(object, { ...REUSING, problems: unknown });
    yield;
    if (unknown.length > 0) return setDefaults(version, object);
    return yield* schema.canonicalizeSteps(setDefaults(version, canonical), REUSING);
  } catch {
    return object;
  }
}

function setDefaults({ schema, setComputed }: StoredVersion, object: ApiObject): ApiObject {
  schema.applyDefaults(object);
  setComputed?.(object);
  return object;
}

/** The object was just read and is not shared, so its parts can be reused. */
const REUSING = { reuses: true } as const;

/** The first bytes of canonical JSON, which are the same for all objects of a version. */
function openingOf(apiVersion: string, kind: string): Buffer {
  return Buffer.from(`{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`);
}
