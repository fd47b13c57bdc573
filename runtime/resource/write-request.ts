import type { AdmissionChain } from "../contract/admission.ts";
import type { ApiObject } from "../contract/api-object.ts";
import type { TimedPart } from "../contract/audit-trail.ts";
import type { KindReader, ObjectOf } from "../contract/kind-hooks.ts";
import type { GroupVersionKind } from "../contract/resource-descriptor.ts";
import type { GroupVersionResource } from "../contract/served-versions.ts";
import type { UserInfo } from "../contract/user-info.ts";
import type { LoadedHooks, WriteContext } from "../kinds/loaded-hooks.ts";
import type { ServedResource } from "../kinds/served-resource.ts";

/** Reads objects of a kind in one version. */
export type ReadKind = (resource: GroupVersionResource) => KindReader<ApiObject>;

/** The request of a write, independent of HTTP. */
export interface WriteRequest {
  readonly resource: ServedResource;
  /** `""` where there is none. */
  readonly subresource: string;
  /** Kind of the object in the request, if it is not the kind of the resource (Binding, Eviction …). */
  readonly objectKind?: GroupVersionKind;
  /** `""` for cluster-scoped resources. */
  readonly namespace: string;
  /** `create`, `update`, `patch`, `apply`, `delete` or `deletecollection`; absent for writes by the server itself. */
  readonly verb?: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** Field manager of the request: the fieldManager parameter, or from the User-Agent. */
  readonly fieldManager: string;
  /** CreateOptions, UpdateOptions or DeleteOptions as admission sees them. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly warn: (message: string) => void;
  /** Adds an annotation to the audit event. */
  readonly annotate: (key: string, value: string) => void;
  /** Records milliseconds that were spent waiting for admission webhooks. */
  readonly waited: (milliseconds: number, part?: TimedPart) => void;
  /** Whether the body of the request is large. */
  readonly isLarge: boolean;
}

/** Dependencies of the write path, passed once by the composition root. */
export interface WriteEnvironment {
  readonly now: () => Date;
  readonly newUid: () => string;
  /** The random end of a generated name. */
  readonly nameSuffix: () => string;
  readonly admission: AdmissionChain;
  /** False: no finalizers for dependents are set, as no garbage collector would process them. */
  readonly collectsGarbage?: boolean;
  /** The release whose API is served. */
  readonly release: string;
  readonly featureEnabled: (gate: string) => boolean;
  readonly allowPrivileged: boolean;
  /** Called when declared and handwritten validation disagree. */
  readonly onMismatch?: (problem: string) => void;
  readonly ownership: FieldOwnership;
  /** A version of the kind of a resource; undefined when it is not served. */
  readonly findVersion: (resource: ServedResource, apiVersion: string) => ServedResource | undefined;
  /** Authorizes an update or a patch to create an object that does not exist. Throws 403. */
  readonly authorizeCreation: (request: WriteRequest, name: string) => Promise<void>;
  /** Reads objects for hooks. */
  readonly readKind: ReadKind;
  /** Allocates addresses and ports for an object when it is written. */
  readonly allocate: Allocate;
  /** What is told of each write while writes are recorded; undefined while they are not. */
  readonly recorder?: () => RecordWrite | undefined;
}

/** Called with an object in its stored version, as it was written; with its last state if it was removed. Dry runs are no writes. */
export type RecordWrite = (request: WriteRequest, verb: "create" | "update" | "delete", object: ApiObject) => void;

/** Records field managers (managedFields). Kinds with a conversion webhook may have to wait for it. */
export interface FieldOwnership {
  /**
   * After a create or update: `next` with its managedFields brought up to date. Changes neither argument. In several turns of the event
   * loop if one of them is large.
   */
  update(
    request: WriteRequest,
    live: ApiObject | undefined,
    next: ApiObject,
    isLarge?: boolean,
  ): ApiObject | Promise<ApiObject>;
  /**
   * Merges an apply configuration into the live object. Both are of the request's version, and so is the result, which is the
   * live object itself if nothing changes. Throws on conflict unless forced.
   */
  apply(
    request: WriteRequest,
    live: ApiObject | undefined,
    configuration: ApiObject,
    force: boolean,
    isLarge?: boolean,
  ): ApiObject | Promise<ApiObject>;
}

/** Allocations of a write; exactly one of the two functions is called. */
export interface Allocation {
  commit(): void;
  release(): void;
}

/** Sets values that must be unique; `old` is absent on creation, `next` on removal. */
export type Allocate = (
  request: WriteRequest,
  next: ApiObject | undefined,
  old: ApiObject | undefined,
) => Promise<Allocation | undefined> | Allocation | undefined;

/** The context of a write for hooks; `old` is the object before an update. */
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

/** Reads only the kinds that the hooks declare, so that the dependencies of a kind are visible. */
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
