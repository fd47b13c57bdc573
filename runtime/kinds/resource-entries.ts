import type { ApiObject } from "../contract/api-object.ts";
import { apiVersionOf } from "../contract/group-version.ts";
import type { GroupVersionKind, ResourceDescriptor } from "../contract/resource-descriptor.ts";
import type { TypeRef } from "../contract/type-table.ts";
import type { Schemas, TypeSchema } from "../schema/type-schema.ts";
import { hooksOfUnvalidated } from "./broken-rules.ts";
import type { KindParts } from "./kind-parts.ts";
import type { LoadedHooks } from "./loaded-hooks.ts";
import { createObjectReader } from "./object-reader.ts";
import { ObjectStore } from "./object-store.ts";
import { isKeyedByGroup, registryPrefix } from "./registry-key.ts";
import type { ResourceEntry } from "./resource-entry.ts";
import { selectableFields } from "./selectable-fields.ts";
import type { ServedResource, StoredKind } from "./served-resource.ts";
import { StoredValueCodec } from "./stored-value-codec.ts";
import {
  defaultsMark,
  loadStoredVersions,
  type StoredVersions,
  type StoredVersionsParts,
  storedForm,
  withoutCompletion,
} from "./stored-versions.ts";

export interface EntryParts extends KindParts, StoredVersionsParts {
  /** Names of the annotation that holds fields which a version cannot represent. */
  readonly carriedAnnotations: readonly string[];
  /** Time to live of a kind's objects, in seconds. Undefined if they do not expire. */
  readonly ttlSeconds: (type: TypeRef) => number | undefined;
  readonly shownSchemas?: Schemas | undefined;
  readonly featureEnabled: (gate: string) => boolean;
  /** Returns all versions of a kind, served or not, by the type that is its hub. */
  readonly versionsOf: (hub: TypeRef) => readonly ResourceDescriptor[];
  /** Whether a group is the project's own. */
  readonly isOwn: (group: string) => boolean;
}

/** Creates the entries of the API surface. Versions of a kind share its StoredKind. */
export function createResourceEntries(descriptors: readonly ResourceDescriptor[], parts: EntryParts): ResourceEntry[] {
  const kinds = new StoredKinds(descriptors, parts);
  return descriptors.map((descriptor) => new LazyEntry(descriptor, () => loadResource(descriptor, kinds, parts)));
}

class LazyEntry implements ResourceEntry {
  readonly descriptor: ResourceDescriptor;
  loaded: ServedResource | undefined;
  readonly #make: () => Promise<ServedResource>;
  #loading: Promise<ServedResource> | undefined;

  constructor(descriptor: ResourceDescriptor, make: () => Promise<ServedResource>) {
    this.descriptor = descriptor;
    this.#make = make;
  }

  load(): Promise<ServedResource> {
    this.#loading ??= this.#make().then((resource) => {
      this.loaded = resource;
      return resource;
    });
    return this.#loading;
  }
}

class StoredKinds {
  readonly #descriptors: readonly ResourceDescriptor[];
  readonly #parts: EntryParts;
  readonly #kinds = new Map<TypeRef, Promise<StoredKind>>();

  constructor(descriptors: readonly ResourceDescriptor[], parts: EntryParts) {
    this.#descriptors = descriptors;
    this.#parts = parts;
  }

  get(descriptor: ResourceDescriptor): Promise<StoredKind> {
    const { type } = descriptor.storage;
    let kind = this.#kinds.get(type);
    if (kind === undefined) {
      kind = this.#load(descriptor);
      this.#kinds.set(type, kind);
    }
    return kind;
  }

  /** Loads the hooks of the stored type. They may also be declared for another version of the same shape, because they receive stored objects. */
  async #loadHooks(type: TypeRef): Promise<LoadedHooks> {
    const own = await this.#parts.loadHooks(type);
    if (Object.keys(own).length > 0) return own;
    for (const version of this.#descriptors) {
      if (version.storage.type !== type || (await this.#parts.loadConverter(version)) !== undefined) continue;
      const hooks = await this.#parts.loadHooks(version.type);
      if (Object.keys(hooks).length > 0) return hooks;
    }
    return {};
  }

  async #load(descriptor: ResourceDescriptor): Promise<StoredKind> {
    const { storage } = descriptor;
    const parts = this.#parts;
    const gvk: GroupVersionKind = { group: storage.group, version: storage.version, kind: storage.kind };
    const apiVersion = apiVersionOf(storage);
    const all = parts.versionsOf(storage.type);
    const hub = all.find(({ type }) => type === storage.type) ?? descriptor;
    const schema = parts.schemas.of<ApiObject>(storage.type);
    const loaded = await this.#loadHooks(storage.type);
    const hooks = parts.isOwn(storage.group) ? hooksOfUnvalidated(loaded, { ...gvk, schema }) : loaded;
    const fields = selectableFields(hub.selectableFields, hooks);
    const versions = await loadStoredVersions(descriptor, all, hooks, parts);
    const transformer = parts.transformerFor(storage.group, storage.resource);
    const codecFor = (versions: StoredVersions) =>
      new StoredValueCodec({
        reader: createObjectReader({
          selectableFields: fields.read,
          rawTexts: hooks.compatibility?.rawTexts,
          budget: parts.budget,
        }),
        form: storedForm(versions, defaultsMark(storage, parts.featureEnabled)),
        transformer,
        writes: parts.storedAs === "json" ? "spliced" : isKeyedByGroup(storage) ? "plain" : "protobuf",
      });
    const codec = codecFor(versions);
    const prefix = registryPrefix(parts.keyRoot, storage);
    const hasStatus = hub.subresources.some(({ name }) => name === "status");
    const store = parts.storeFor(storage.group, storage.resource);
    const cache = parts.openCache(prefix, codec, store);
    // Only the stored value shows whether it is stale or was changed since its creation.
    const presentTellsAll =
      transformer === undefined &&
      versions.written.apiVersion === versions.hub &&
      hooks.compatibility?.completedOnReading === undefined;
    const objects = { store, codec, present: (key: string) => cache.present(key), presentTellsAll };
    const completes = hooks.defaults?.stored !== undefined && parts.storedAs !== "json";
    return {
      gvk,
      apiVersion,
      groupResource: { group: storage.group, resource: storage.resource },
      namespaced: hub.namespaced,
      schema,
      hooks,
      hasStatus,
      statusKeepsMetadata: parts.isOwn(storage.group),
      tracksGeneration: hub.generation ?? (hasStatus && hasField(schema, "spec")),
      requiresResourceVersion: hub.conditionalUpdate === true,
      ttlSeconds: parts.ttlSeconds(storage.type),
      returnsDeleted: hub.returnsDeleted === true,
      prefix,
      objects: new ObjectStore(objects),
      ...(completes && {
        objectsForStatus: new ObjectStore({ ...objects, codec: codecFor(withoutCompletion(versions, hooks)) }),
      }),
      cache,
      selectableFields: fields.names,
    };
  }
}

function hasField({ mergeType }: TypeSchema<ApiObject>, name: string): boolean {
  return mergeType.kind === "map" && mergeType.fields.has(name);
}

async function loadResource(
  descriptor: ResourceDescriptor,
  kinds: StoredKinds,
  parts: EntryParts,
): Promise<ServedResource> {
  const [stored, own, converter] = await Promise.all([
    kinds.get(descriptor),
    parts.loadHooks(descriptor.type),
    parts.loadConverter(descriptor),
  ]);
  const apiVersion = apiVersionOf(descriptor);
  const hasStoredType = descriptor.type === descriptor.storage.type;
  const named = (object: ApiObject, kind: string, version: string): ApiObject => {
    const { kind: _kind, apiVersion: _version, ...rest } = object;
    return { kind, apiVersion: version, ...rest } as ApiObject;
  };
  const fullSchema = parts.schemas.of<ApiObject>(descriptor.type);
  const shown = parts.shownSchemas?.of<ApiObject>(descriptor.type);
  const schema = shown ?? fullSchema;
  const { group, kind } = descriptor;
  const ofVersion = parts.isOwn(group) ? hooksOfUnvalidated(own, { group, kind, schema }) : own;
  // A version with the shape of the stored version uses the hooks of the latter, unless it has hooks of its own.
  const hooks = Object.keys(own).length === 0 && converter === undefined ? stored.hooks : ofVersion;
  const isStoredVersion = hasStoredType && shown === undefined;
  const fromStored = (object: ApiObject): ApiObject =>
    // A converter does not set fields that the target version always writes: `canonicalize` does, and it removes unknown ones.
    named(
      converter || shown ? schema.canonicalize(converter?.fromHub(object) ?? object, { given: true }) : object,
      descriptor.kind,
      apiVersion,
    );
  return {
    descriptor,
    apiVersion,
    groupResource: { group: descriptor.group, resource: descriptor.resource },
    metaGroup: parts.metaGroup,
    schema,
    ...(shown !== undefined && { fullSchema }),
    hooks,
    stored,
    isStoredVersion,
    ...(!hasStoredType && { carriedAnnotations: parts.carriedAnnotations }),
    toStored: hasStoredType
      ? (object) => object
      : (object) => named(converter ? converter.toHub(object) : object, stored.gvk.kind, stored.apiVersion),
    fromStored: isStoredVersion ? (object) => object : fromStored,
    ...(!hasStoredType &&
      parts.isOwn(descriptor.group) && {
        ownErrors: (object, old) =>
          old === undefined
            ? schema.validate(fromStored(object))
            : schema.validateUpdate(fromStored(object), fromStored(old)),
      }),
    ...(converter && parts.isOwn(descriptor.group) && { fieldFromStored: converter.fieldFromHub }),
  };
}
