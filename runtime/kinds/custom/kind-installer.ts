import type { ApiObject } from "../../contract/api-object.ts";
import type { ConversionWebhooks } from "../../contract/conversion-webhooks.ts";
import { apiVersionOf } from "../../contract/group-version.ts";
import type { ObserveRules } from "../../contract/observe-rules.ts";
import type { ResourceDescriptor } from "../../contract/resource-descriptor.ts";
import type { Store } from "../../store/store.ts";
import type { WatchCache } from "../../watch/watch-cache.ts";
import type { KindParts } from "../kind-parts.ts";
import { createObjectReader } from "../object-reader.ts";
import { ObjectStore } from "../object-store.ts";
import { registryPrefix } from "../registry-key.ts";
import { selectableFields } from "../selectable-fields.ts";
import type { StoredKind, VersionConversion } from "../served-resource.ts";
import { type StoredForm, StoredValueCodec, type StoredValueCodecParts } from "../stored-value-codec.ts";
import { ConvertedValues } from "./conversion/converted-values.ts";
import { convertingStore } from "./conversion/converting-store.ts";
import { WebhookConverter } from "./conversion/webhook-converter.ts";
import { customHooks } from "./custom-hooks.ts";
import {
  type CustomDefinition,
  type DefinitionVersion,
  storageVersionOf,
  versionsOf,
} from "./definition/custom-definition.ts";
import type { DefinitionSource } from "./definition/definition-source.ts";
import { customTypeRef, describeResources, describeStored } from "./definition/describe-resources.ts";
import { CustomTypeSchema } from "./schema/custom-type-schema.ts";
import { CustomValidation } from "./validation/validate-custom-object.ts";

export interface CustomKindParts extends KindParts {
  readonly vendor: string;
  readonly conversionWebhooks: ConversionWebhooks;
  readonly observeRules?: ObserveRules | undefined;
  /** API group of CustomResourceDefinitions and of the reviews sent to conversion webhooks. */
  readonly definitionGroup: string;
  /** Closes an unused cache and its watches. */
  readonly closeCache: (cache: WatchCache) => void;
}

/** The server-side state of one definition: conversion, kinds and caches. */
export interface InstalledKind {
  readonly conversion: VersionConversion | undefined;
  readonly kinds: ReadonlyMap<string, StoredKind>;
  readonly caches: readonly WatchCache[];
}

/** Creates schemas, hooks and caches of custom kinds. Loaded when a custom kind is first used. */
export class KindInstaller {
  readonly #parts: CustomKindParts;

  constructor(parts: CustomKindParts) {
    this.#parts = parts;
  }

  install({ outline, full }: DefinitionSource): InstalledKind {
    const definition = full();
    const schemas = this.#schemas(definition);
    const caches: WatchCache[] = [];
    const kinds = new Map<string, StoredKind>();
    for (const descriptor of describeResources(outline)) {
      const version = versionsOf(definition).find(({ name }) => name === descriptor.version) as DefinitionVersion;
      kinds.set(descriptor.version, this.#kind(definition, version, descriptor, schemas, caches));
    }
    return { conversion: this.#conversion(definition, schemas), kinds, caches };
  }

  /** Creates a kind in its stored version, whether or not that version is served. Undefined if the definition has no storage version. */
  stored({ outline, full }: DefinitionSource): StoredKind | undefined {
    const descriptor = describeStored(outline);
    if (descriptor === undefined) return undefined;
    const definition = full();
    const version = storageVersionOf(definition) as DefinitionVersion;
    return this.#kind(definition, version, descriptor, this.#schemas(definition), []);
  }

  /** Creates the webhook converter. Undefined if conversion only changes the apiVersion. */
  #converter(definition: CustomDefinition): WebhookConverter | undefined {
    const { strategy, webhook } = definition.spec.conversion ?? {};
    if (strategy !== "Webhook") return undefined;
    const { group, names } = definition.spec;
    return new WebhookConverter({
      definition: definition.metadata.name ?? "",
      listKind: names.listKind ?? `${names.kind}List`,
      clientConfig: webhook?.clientConfig ?? {},
      reviewVersions: webhook?.conversionReviewVersions ?? [],
      reviewGroup: this.#parts.definitionGroup,
      apiVersions: new Set(versionsOf(definition).map(({ name }) => `${group}/${name}`)),
      webhooks: this.#parts.conversionWebhooks,
    });
  }

  #conversion(
    definition: CustomDefinition,
    schemas: ReadonlyMap<string, CustomTypeSchema>,
  ): VersionConversion | undefined {
    const converter = this.#converter(definition);
    return (
      converter && {
        async convert(object, apiVersion) {
          const [converted] = await converter.convert([object], apiVersion);
          return coerced(converted as ApiObject, schemas);
        },
      }
    );
  }

  #schemas(definition: CustomDefinition): ReadonlyMap<string, CustomTypeSchema> {
    return new Map(versionsOf(definition).map((version) => [version.name, this.#schema(definition, version)]));
  }

  #schema(definition: CustomDefinition, version: DefinitionVersion): CustomTypeSchema {
    return new CustomTypeSchema({
      ref: customTypeRef(definition, version.name),
      schema: version.schema?.openAPIV3Schema ?? {},
      vendor: this.#parts.vendor,
      metadata: this.#parts.schemas.of("meta/v1.ObjectMeta"),
      preservesUnknown: definition.spec.preserveUnknownFields === true,
    });
  }

  #kind(
    definition: CustomDefinition,
    version: DefinitionVersion,
    descriptor: ResourceDescriptor,
    schemas: ReadonlyMap<string, CustomTypeSchema>,
    caches: WatchCache[],
  ): StoredKind {
    const { budget, keyRoot, vendor, storedAs } = this.#parts;
    const { group, kind, storage } = descriptor;
    const schema = schemas.get(version.name) as CustomTypeSchema;
    const hasStatus = version.subresources?.status !== undefined;
    const hooks = customHooks({
      validation: new CustomValidation({
        schema: version.schema?.openAPIV3Schema ?? {},
        vendor,
        scale: version.subresources?.scale,
        metadata: this.#parts.schemas.of("meta/v1.ObjectMeta"),
        observeRules: this.#parts.observeRules,
      }),
      columns: descriptor.columns,
      hasStatus,
    });
    const fields = selectableFields(descriptor.selectableFields, hooks);
    const values = {
      reader: createObjectReader({ selectableFields: fields.read, budget }),
      form: storedForm(definition, version, schemas),
      transformer: this.#parts.transformerFor(storage.group, storage.resource),
      writes: storedAs === "json" ? ("spliced" as const) : ("plain" as const),
    };
    const prefix = registryPrefix(keyRoot, storage);
    const inner = this.#parts.storeFor(group, descriptor.resource);
    const converter = this.#converter(definition);
    const { store, codec } =
      converter === undefined
        ? { store: inner, codec: new StoredValueCodec(values) }
        : convertedStorage(inner, values, converter, { shownVersion: `${group}/${version.name}`, schemas });
    const cache = this.#parts.openCache(prefix, codec, store);
    caches.push(cache);
    return {
      gvk: { group, version: version.name, kind },
      apiVersion: apiVersionOf(descriptor),
      groupResource: { group, resource: descriptor.resource },
      namespaced: descriptor.namespaced,
      schema,
      hooks,
      hasStatus,
      statusKeepsMetadata: true,
      tracksGeneration: true,
      requiresResourceVersion: true,
      returnsDeleted: false,
      ttlSeconds: undefined,
      prefix,
      objects: new ObjectStore({
        store,
        codec,
        present: (key) => cache.present(key),
        // Cached objects can differ from stored ones, because definitions change while stored objects do not.
        presentTellsAll: false,
      }),
      cache,
      selectableFields: fields.names,
    };
  }
}

/**
 * Describes how objects of one version are stored. Definitions change while stored objects do not: objects are pruned by the current schema
 * when they are read, and receive the defaults of the version in which they are stored.
 */
function storedForm(
  definition: CustomDefinition,
  version: DefinitionVersion,
  schemas: ReadonlyMap<string, CustomTypeSchema>,
): StoredForm {
  const { spec } = definition;
  const schema = schemas.get(version.name) as CustomTypeSchema;
  const storage = storageVersionOf(definition) as DefinitionVersion;
  const storedVersion = `${spec.group}/${storage.name}`;
  const isConvertedElsewhere = spec.conversion?.strategy === "Webhook";
  const convert = (object: ApiObject, name: string): ApiObject => {
    if (isConvertedElsewhere) return object;
    const converted = { ...object, apiVersion: `${spec.group}/${name}` };
    return (schemas.get(name) as CustomTypeSchema).decode(converted);
  };
  return {
    storedVersion,
    // Keys of custom objects are sorted, so JSON begins with `apiVersion`.
    storedOpening: openingOf(storedVersion),
    show(object) {
      const name = versionNameOf(object);
      const read = (schemas.get(name) ?? schema).restore(object);
      return name === version.name ? read : convert(read, version.name);
    },
    *showSteps(object) {
      const name = versionNameOf(object);
      const read = yield* (schemas.get(name) ?? schema).restoreSteps(object);
      return name === version.name ? read : convert(read, version.name);
    },
    store: (object) => (storage.name === version.name ? object : convert(object, storage.name)),
  };
}

/** Adjusts a converted object to the schema of its version. */
function coerced(object: ApiObject, schemas: ReadonlyMap<string, CustomTypeSchema>): ApiObject {
  const name = versionNameOf(object);
  return (schemas.get(name) as CustomTypeSchema).decode(object);
}

function versionNameOf({ apiVersion }: ApiObject): string {
  return String(apiVersion).split("/").at(-1) ?? "";
}

function openingOf(apiVersion: string): Buffer {
  return Buffer.from(`{"apiVersion":${JSON.stringify(apiVersion)},`);
}

/** Creates store and codec of one version of a kind with a conversion webhook. The store converts; the codec handles only that version. */
function convertedStorage(
  inner: Store,
  values: StoredValueCodecParts & { readonly form: StoredForm },
  converter: WebhookConverter,
  { shownVersion, schemas }: { readonly shownVersion: string; readonly schemas: ReadonlyMap<string, CustomTypeSchema> },
): { readonly store: Store; readonly codec: StoredValueCodec } {
  const opening = openingOf(shownVersion);
  const shown = new StoredValueCodec({
    reader: values.reader,
    form: { ...values.form, storedVersion: shownVersion, storedOpening: opening, shownOpening: opening },
  });
  const converted = new ConvertedValues({
    shownVersion,
    storedVersion: values.form.storedVersion,
    stored: new StoredValueCodec(values),
    shown,
    converter,
    coerce: (object) => coerced(object, schemas),
  });
  return { store: convertingStore(inner, converted), codec: shown };
}
