import type { ApiObject } from "../contract/api-object.ts";
import { apiVersionOf } from "../contract/group-version.ts";
import type { ApiCatalogue, GroupVersion, ResourceDescriptor } from "../contract/resource-descriptor.ts";
import type { TypeRef } from "../contract/type-table.ts";
import { CarryAnnotation, carriedDomains } from "../kinds/conversion/carried-fields.ts";
import type { LoadConverter } from "../kinds/conversion/create-converters.ts";
import type { LoadedHooks } from "../kinds/loaded-hooks.ts";
import { cloneJson } from "../lib/clone-json.ts";
import { didYouMean } from "../lib/did-you-mean.ts";
import type { Shapes } from "../schema/shape.ts";
import type { PlainObject, Schemas } from "../schema/type-schema.ts";
import { keepMeaning } from "./keep-meaning.ts";
import { sparseObject } from "./sparse-object.ts";

/** An object cannot be converted. The message is shown to the user. */
export class ManifestError extends Error {
  readonly code = "Manifest";
}

/** The kind does not exist in that version, or the version is unknown. */
export class NoSuchVersionError extends ManifestError {}

export interface ManifestConverterParts {
  readonly catalogue: ApiCatalogue;
  readonly schemas: Schemas;
  readonly shapes: Shapes;
  readonly loadConverter: LoadConverter;
  readonly loadHooks: (type: TypeRef) => Promise<LoadedHooks>;
}

/** Converts manifests. Adds only fields that are needed to keep the meaning. */
export class ManifestConverter {
  readonly #parts: ManifestConverterParts;
  readonly #byKind: ReadonlyMap<string, ResourceDescriptor>;
  readonly #carried: CarryAnnotation;

  constructor(parts: ManifestConverterParts) {
    this.#parts = parts;
    this.#carried = new CarryAnnotation(carriedDomains(parts.catalogue));
    this.#byKind = new Map(parts.catalogue.resources.map((resource) => [keyOf(resource, resource.kind), resource]));
  }

  /** Returns the resource of an apiVersion and kind; undefined for kinds without definition. */
  find(apiVersion: string, kind: string): ResourceDescriptor | undefined {
    return this.#byKind.get(`${apiVersion} ${kind}`);
  }

  /** Returns the versions of a resource's kind, in the order of the catalogue. */
  versionsOf({ storage }: ResourceDescriptor): ResourceDescriptor[] {
    return this.#parts.catalogue.resources.filter((other) => other.storage.type === storage.type);
  }

  /**
   * Converts an object to another version. Throws a ManifestError if it cannot be converted, or is invalid. Adds unknown fields, which cannot be
   * converted, to `problems`.
   */
  async convert(object: PlainObject, to: GroupVersion, problems: string[] = []): Promise<PlainObject> {
    const { apiVersion, kind } = object as { apiVersion: string; kind: string };
    const source = this.find(apiVersion, kind);
    if (source === undefined) throw this.#unknownKind(apiVersion, kind);
    const target = this.versionsOf(source).find(({ group, version }) => group === to.group && version === to.version);
    if (target === undefined)
      throw new NoSuchVersionError(`${apiVersion} ${kind} does not exist in ${apiVersionOf(to)}`);
    if (target.type === source.type) return object;
    const decoded = this.#decode(source, object, problems);
    const plain = await this.#across(source, target, decoded);
    const meant = await this.#across(source, target, await this.#defaulted(source, decoded));
    const assumed = await this.#defaulted(target, plain);
    const result = keepMeaning(plain, meant, assumed) as PlainObject;
    // Servers write the status: it is not added to a manifest without one.
    const { status, ...rest } = result;
    const given = object.status === undefined ? rest : { ...rest, status };
    return sparseObject(this.#parts.shapes, target.type, { ...given, ...typeMeta(target) });
  }

  /** Returns an error for an unknown kind of a known version. Kinds of unknown versions may belong to other servers. */
  #unknownKind(apiVersion: string, kind: string): ManifestError {
    const kinds = this.#parts.catalogue.resources
      .filter((resource) => apiVersionOf(resource) === apiVersion)
      .map((resource) => resource.kind);
    return kinds.length === 0
      ? new NoSuchVersionError(`${apiVersion} ${kind} is not a known kind`)
      : new ManifestError(`${apiVersion} has no kind ${kind}${didYouMean(kind, kinds)}`);
  }

  #decode(resource: ResourceDescriptor, object: PlainObject, problems: string[]): ApiObject {
    try {
      return this.#parts.schemas.of<ApiObject>(resource.type).decode(object, { problems });
    } catch (error) {
      throw new ManifestError(error instanceof Error ? error.message : String(error));
    }
  }

  async #across(source: ResourceDescriptor, target: ResourceDescriptor, object: ApiObject): Promise<ApiObject> {
    const [toHub, fromHub] = [await this.#parts.loadConverter(source), await this.#parts.loadConverter(target)];
    const hub = toHub?.toHub({ ...object, ...typeMeta(source) }) ?? { ...object, ...typeMeta(source.storage) };
    const made = fromHub?.fromHub(hub) ?? { ...hub, ...typeMeta(target) };
    for (const { apiVersion } of [typeMeta(source), typeMeta(source.storage)])
      this.#carried.forgetAbsences(made, apiVersion);
    return made;
  }

  async #defaulted(resource: ResourceDescriptor, object: ApiObject): Promise<ApiObject> {
    const copy = cloneJson(object);
    const schema = this.#parts.schemas.of<ApiObject>(resource.type);
    schema.applyDefaults(copy);
    const own = await this.#parts.loadHooks(resource.type);
    const shares = Object.keys(own).length === 0 && (await this.#parts.loadConverter(resource)) === undefined;
    const hooks = shares ? await this.#parts.loadHooks(resource.storage.type) : own;
    hooks.default?.(copy);
    return schema.canonicalize(copy);
  }
}

function keyOf(version: GroupVersion, kind: string): string {
  return `${apiVersionOf(version)} ${kind}`;
}

function typeMeta(resource: GroupVersion & { readonly kind: string }): { apiVersion: string; kind: string } {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind };
}
