import type { ApiObject } from "../contract/api-object.ts";
import type { ApiRegistry } from "../contract/api-registry.ts";
import { apiVersionOf } from "../contract/group-version.ts";
import type { DefaultContext } from "../contract/kind-hooks.ts";
import type { GroupVersionKind, ResourceDescriptor } from "../contract/resource-descriptor.ts";
import { carriedDomains } from "../kinds/conversion/carried-fields.ts";
import type { Converter } from "../kinds/conversion/converter.ts";
import { createConverters, type LoadConverter } from "../kinds/conversion/create-converters.ts";
import { type LoadedHooks, loadHooks } from "../kinds/loaded-hooks.ts";
import { ownTypes } from "../kinds/own-types.ts";
import { createSchemas } from "../schema/schemas.ts";
import type { Schemas, TypeSchema } from "../schema/type-schema.ts";

/** One version of a kind, with everything that reviews need. */
export interface WebhookKind {
  readonly descriptor: ResourceDescriptor;
  readonly schema: TypeSchema<ApiObject>;
  /** The hooks of this version. */
  readonly hooks: LoadedHooks;
  readonly isStored: boolean;
  /** Converts to the stored version and back; undefined if the two versions differ only in name. */
  readonly converter: Converter | undefined;
}

/** The kinds of a registry, loaded for the first review about them. */
export class WebhookKinds {
  readonly #registry: ApiRegistry;
  readonly #context: DefaultContext;
  readonly #schemas: Schemas;
  readonly #loadConverter: LoadConverter;
  readonly #resources: ReadonlyMap<string, ResourceDescriptor>;
  readonly #loaded = new Map<string, Promise<WebhookKind>>();

  constructor(registry: ApiRegistry, context: DefaultContext) {
    this.#registry = registry;
    const catalogue = registry.readCatalogue();
    this.#context = context;
    const isEnabled = context.featureEnabled;
    this.#schemas = createSchemas(registry.createTypeSource(), { tellsByField: ownTypes(catalogue), isEnabled });
    this.#loadConverter = createConverters({
      entries: registry.readConversions(),
      declarations: registry.conversions,
      schemas: this.#schemas,
      ...carriedDomains(catalogue),
    });
    this.#resources = new Map(catalogue.resources.map((one) => [nameOf(one), one]));
  }

  /** Returns a version of a kind. Throws an Error if it has no definition. */
  find(gvk: GroupVersionKind): Promise<WebhookKind> {
    const name = nameOf(gvk);
    const descriptor = this.#resources.get(name);
    if (descriptor === undefined) throw new Error(`no definition of ${name}`);
    let kind = this.#loaded.get(name);
    if (kind === undefined) this.#loaded.set(name, (kind = this.#load(descriptor)));
    return kind;
  }

  /** Returns the stored version of a kind. */
  storedOf({ descriptor }: WebhookKind): Promise<WebhookKind> {
    return this.find(descriptor.storage);
  }

  async #load(descriptor: ResourceDescriptor): Promise<WebhookKind> {
    return {
      descriptor,
      schema: this.#schemas.of<ApiObject>(descriptor.type),
      hooks: await loadHooks(this.#registry, descriptor.type, this.#context),
      isStored: descriptor.type === descriptor.storage.type,
      converter: await this.#loadConverter(descriptor),
    };
  }
}

function nameOf(gvk: GroupVersionKind): string {
  return `${apiVersionOf(gvk)} ${gvk.kind}`;
}

/** Converts an object to the stored version of its kind. */
export async function toStored(kinds: WebhookKinds, kind: WebhookKind, object: ApiObject): Promise<ApiObject> {
  if (kind.isStored) return object;
  const stored = await kinds.storedOf(kind);
  if (kind.converter !== undefined) return kind.converter.toHub(object);
  return stored.schema.canonicalize({ ...object, apiVersion: apiVersionOf(stored.descriptor) });
}

/** Converts an object from the stored version to this one. */
export function fromStored(kind: WebhookKind, stored: ApiObject): ApiObject {
  if (kind.isStored) return stored;
  if (kind.converter !== undefined) return kind.converter.fromHub(stored);
  return kind.schema.canonicalize({ ...stored, apiVersion: apiVersionOf(kind.descriptor) });
}
