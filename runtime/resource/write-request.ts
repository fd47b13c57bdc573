import type { AdmissionChain } from "../contract/admission.ts";
import type { ApiObject } from "../contract/api-object.ts";
import type { KindReader, ObjectOf } from "../contract/kind-hooks.ts";
import type { GroupVersionKind } from "../contract/resource-descriptor.ts";
import type { GroupVersionResource } from "../contract/served-versions.ts";
import type { UserInfo } from "../contract/user-info.ts";
import type { LoadedHooks, WriteContext } from "../kinds/loaded-hooks.ts";
import type { ServedResource } from "../kinds/served-resource.ts";

/** Reads objects of a kind in one version. */
export type ReadKind = (resource: GroupVersionResource) => KindReader<ApiObject>;

/** What every write knows of the request it serves; nothing of HTTP. */
export interface WriteRequest {
  readonly resource: ServedResource;
  /** `""` where there is none. */
  readonly subresource: string;
  /** What the object of the request is, where it is not of the resource's own kind (Binding, Eviction …). */
  readonly objectKind?: GroupVersionKind;
  /** `""` for cluster-scoped resources. */
  readonly namespace: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** Who owns the fields this request sets: the fieldManager parameter, or what the User-Agent says. */
  readonly fieldManager: string;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions as admission sees them. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly warn: (message: string) => void;
  /** Adds an annotation to the audit event. */
  readonly annotate: (key: string, value: string) => void;
  /** Notes milliseconds that were spent waiting for others. */
  readonly waited: (milliseconds: number) => void;
}

/** What the write path is given once, by the composition root. */
export interface WriteEnvironment {
  readonly now: () => Date;
  readonly newUid: () => string;
  /** The random end of a generated name. */
  readonly nameSuffix: () => string;
  readonly admission: AdmissionChain;
  /** False: nobody would act on finalizers that say what becomes of dependents, so none are set. */
  readonly collectsGarbage?: boolean;
  /** The release whose API is served. */
  readonly release: string;
  readonly featureEnabled: (gate: string) => boolean;
  readonly allowPrivileged: boolean;
  /** Told when declared validation and that by hand disagree. */
  readonly onMismatch?: (problem: string) => void;
  readonly ownership: FieldOwnership;
  /** Whether the user may create what an update or a patch did not find; throws 403 when not. */
  readonly authorizeCreation: (request: WriteRequest, name: string) => Promise<void>;
  /** Reads objects for hooks. */
  readonly readKind: ReadKind;
  /** Things allocated for an object as it is written (addresses, ports). */
  readonly allocate: Allocate;
}

/** Records who set which fields (managedFields). Kinds with a conversion webhook may have to wait for it. */
export interface FieldOwnership {
  /** After a create or update: `next` with its managedFields brought up to date. Changes neither argument. */
  update(request: WriteRequest, live: ApiObject | undefined, next: ApiObject): ApiObject | Promise<ApiObject>;
  /**
   * Merges an apply configuration into the live object. Both are of the request's version, and so is what is returned: the very
   * live object if nothing changes. Throws on conflict unless forced.
   */
  apply(
    request: WriteRequest,
    live: ApiObject | undefined,
    configuration: ApiObject,
    force: boolean,
  ): ApiObject | Promise<ApiObject>;
}

/** What an object took from outside itself; exactly one of the two is called. */
export interface Allocation {
  commit(): void;
  release(): void;
}

/** Completes an object with what must be unique; `old` is absent on creation, `next` on removal. */
export type Allocate = (
  request: WriteRequest,
  next: ApiObject | undefined,
  old: ApiObject | undefined,
) => Promise<Allocation | undefined> | Allocation | undefined;

/** What hooks know of a write; `old` is what an update changes. */
export function hookContext(
  request: WriteRequest,
  environment: WriteEnvironment,
  old: ApiObject | undefined,
): WriteContext {
  const { hooks } = request.resource.stored;
  return {
    old,
    now: environment.now,
    newUid: environment.newUid,
    user: request.user,
    namespace: request.namespace === "" ? undefined : request.namespace,
    subresource: request.subresource === "" ? undefined : request.subresource,
    apiVersion: request.resource.apiVersion,
    release: environment.release,
    featureEnabled: environment.featureEnabled,
    allowPrivileged: environment.allowPrivileged,
    warn: request.warn,
    read: hooks.readResources === undefined ? refuseRead : declaredReader(hooks, environment.readKind),
    ...(environment.onMismatch && { onMismatch: environment.onMismatch }),
  };
}

/** Reads only what the hooks declare, so that one sees at a glance what a kind depends on. */
function declaredReader({ reads = [], readResources = [] }: LoadedHooks, read: ReadKind): WriteContext["read"] {
  return <Kind>(kind: Kind) => {
    const resource = readResources[reads.indexOf(kind)];
    if (resource === undefined) return refuseRead();
    return read(resource) as KindReader<unknown> as KindReader<ObjectOf<Kind>>;
  };
}

function refuseRead(): never {
  throw new RangeError("hooks read only kinds that they list in `reads`");
}
