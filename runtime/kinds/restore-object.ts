import type { ApiObject } from "../contract/api-object.ts";
import { apiVersionOf, parseApiVersion } from "../contract/group-version.ts";
import type { GroupVersionKind } from "../contract/resource-descriptor.ts";
import type { GroupVersionResource } from "../contract/served-versions.ts";
import { StatusError } from "../contract/status.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import { goQuote } from "../go/quote.ts";
import { readTypeMeta } from "../schema/type-meta.ts";
import type { Schemas, TypeSchema } from "../schema/type-schema.ts";
import { invalidField } from "../values/field-errors.ts";
import { internalError, invalid, plainFailure } from "../values/status-errors.ts";
import type { ApiSurface } from "./api-surface.ts";
import { toDefaultedStored } from "./apply-defaults.ts";
import type { KnownKinds } from "./known-kinds.ts";
import { unconvertibleKind, unknownKind } from "./other-kinds.ts";
import type { ServedResource } from "./served-resource.ts";

/** Identity of an object before it was changed. */
export interface RestoreTarget {
  /** The version in which it was changed. */
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  /** Name of the subresource, or `""`. */
  readonly subresource: string;
  readonly name: string;
  /** The version of the request. Objects of custom kinds stay in this version until they are stored. */
  readonly requested: { readonly resource: GroupVersionResource };
  /** Whether unknown fields of a built-in kind are errors. */
  readonly strict?: boolean;
}

/**
 * Decodes and defaults an object that a webhook or a policy has changed during a request, as if a client had sent it. Converts it to its
 * storage version, or to the version of the request if the kind is custom. Rejects with a StatusError if it is no longer an object of its kind.
 */
export type RestoreObject = (changed: unknown, target: RestoreTarget) => Promise<ApiObject>;

export interface RestoreParts {
  readonly surface: () => ApiSurface;
  readonly kinds: KnownKinds;
  readonly schemas: Schemas;
  readonly now: () => Date;
}

export function createRestoreObject(parts: RestoreParts): RestoreObject {
  return async (changed, target) => {
    const { resource, kind } = target;
    const served = await loadVersion(resource, parts);
    if (served === undefined) throw internalError(unknownKind(apiVersionOf(kind), kind.kind));
    const { descriptor } = served;
    try {
      if (kind.kind === descriptor.kind && kind.group === descriptor.group) {
        const version =
          descriptor.custom === undefined
            ? await typedVersion(changed, served, parts)
            : await customVersion(changed, served, target, parts);
        const isStrict = target.strict === true && descriptor.custom === undefined;
        const decoded = isStrict ? decodeStrict(version.schema, changed) : version.schema.decode(changed);
        decoded.apiVersion = version.apiVersion;
        decoded.kind = descriptor.kind;
        const restored = toDefaultedStored(version, decoded, parts);
        return descriptor.custom === undefined ? restored : await inRequestedVersion(restored, target, parts);
      }
      return restorePart(changed, served, target, parts);
    } catch (error) {
      throw error instanceof StatusError ? error : internalError((error as Error).message);
    }
  };
}

async function inRequestedVersion(
  object: ApiObject,
  { requested }: RestoreTarget,
  parts: RestoreParts,
): Promise<ApiObject> {
  const served = await loadVersion(requested.resource, parts);
  if (served === undefined || served.apiVersion === object.apiVersion) return object;
  return served.conversion === undefined
    ? served.fromStored(object)
    : served.conversion.convert(object, served.apiVersion);
}

async function loadVersion(
  { group, version, resource }: GroupVersionResource,
  { surface }: RestoreParts,
): Promise<ServedResource | undefined> {
  return surface().find(group, version, resource)?.load();
}

/** Decodes an object of the kind of a subresource: Scale, Eviction, Binding, TokenRequest and the options of connections. */
function restorePart(
  changed: unknown,
  { descriptor }: ServedResource,
  { subresource, strict }: RestoreTarget,
  { kinds, schemas }: RestoreParts,
): ApiObject {
  const part = descriptor.subresources.find(({ name }) => name === subresource);
  if (part === undefined) throw internalError(`no subresource ${goQuote(subresource)}`);
  checkType(changed, { ...part.kind, goPackage: goPackageOf(part.type) }, kinds);
  const schema = schemas.of<ApiObject>(part.type);
  const decoded = strict ? decodeStrict(schema, changed) : schema.decode(changed);
  schema.applyDefaults(decoded);
  const { apiVersion: _version, kind: _kind, ...fields } = schema.canonicalize(decoded);
  return { kind: part.kind.kind, apiVersion: apiVersionOf(part.kind), ...fields } as ApiObject;
}

function decodeStrict(schema: TypeSchema<ApiObject>, changed: unknown): ApiObject {
  const problems: string[] = [];
  const decoded = schema.decode(changed, { problems });
  if (problems.length > 0) throw new Error(`strict decoding error: ${problems.join(", ")}`);
  return decoded;
}

/** Resolves the version of a built-in kind from the apiVersion of the changed object. */
async function typedVersion(changed: unknown, served: ServedResource, parts: RestoreParts): Promise<ServedResource> {
  const { group, version, kind, type, scheme } = served.descriptor;
  const said = checkType(
    changed,
    { group, version, kind, goPackage: goPackageOf(type), ...(scheme !== undefined && { scheme }) },
    parts.kinds,
    (apiVersion) => findOther(apiVersion, served, parts) !== undefined,
  );
  return (await findOther(said, served, parts)?.load()) ?? served;
}

/** Finds another served version of the same kind. */
function findOther(apiVersion: string, { descriptor }: ServedResource, { surface }: RestoreParts) {
  const { group, version } = parseApiVersion(apiVersion);
  const found = surface().findKind(group, version, descriptor.kind);
  return found?.descriptor.storage.type === descriptor.storage.type ? found : undefined;
}

interface ExpectedKind extends GroupVersionKind {
  readonly goPackage: string;
  readonly scheme?: string;
}

const goPackageOf = (type: string): string => type.split("/")[0] ?? "";

/** Checks apiVersion and kind of a changed object, and returns its apiVersion. Absent values default to the expected ones. */
function checkType(
  changed: unknown,
  expected: ExpectedKind,
  kinds: KnownKinds,
  isOtherVersion: (apiVersion: string) => boolean = () => false,
): string {
  const said = readTypeMeta(changed);
  const wanted = apiVersionOf(expected);
  const kind = said.kind === "" ? expected.kind : said.kind;
  const apiVersion = said.apiVersion === "" || said.apiVersion === `${expected.group}/` ? wanted : said.apiVersion;
  if (apiVersion.endsWith("/")) throw new Error(`Object 'apiVersion' is missing in '${stringifyJson(changed)}'`);
  if (kind === expected.kind && (apiVersion === wanted || isOtherVersion(apiVersion))) return apiVersion;
  if (!kinds.has(apiVersion, kind)) throw new Error(unknownKind(apiVersion, kind, expected.scheme));
  kinds.schemaOf(apiVersion, kind)?.decode(changed);
  throw plainFailure(unconvertibleKind(apiVersion, kind, expected));
}

/** Resolves the version of a custom kind from the apiVersion of the changed object. */
async function customVersion(
  changed: unknown,
  served: ServedResource,
  { resource, subresource, name }: RestoreTarget,
  parts: RestoreParts,
): Promise<ServedResource> {
  const { descriptor } = served;
  readTypeMeta(changed);
  const { apiVersion, kind } = readTypeMeta(changed, { anyCase: false });
  if (kind === "") throw new Error(`Object 'Kind' is missing in '${stringifyJson(changed)}'`);
  const { group, version } = parseApiVersion(apiVersion);
  if (group !== descriptor.group)
    throw plainFailure(
      `${group}/${version}, Kind=${kind} is unstructured and is not suitable for converting to ${goQuote(served.apiVersion)}`,
    );
  const found = version === descriptor.version ? served : await loadVersion({ ...resource, version }, parts);
  if (found === undefined)
    throw plainFailure(`request to convert CR from an invalid group/version: ${group}/${version}`);
  if (kind !== descriptor.kind && subresource === "")
    throw invalid({ group, kind }, name, [invalidField("kind", kind, `must be ${descriptor.kind}`)]);
  return found;
}
