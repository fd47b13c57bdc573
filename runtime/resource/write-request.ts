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
  /** Empty for the resource itself. */
  readonly subresource: string;
  /** Kind of the object in the request, if it is not the kind of the resource (Binding, Eviction …). */
  readonly objectKind?: GroupVersionKind;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** `create`, `update`, `patch`, `apply`, `delete` or `deletecollection`; absent for writes by the server itself. */
  readonly verb?: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** Field manager of the request: the fieldManager parameter, or derived from the User-Agent. */
  readonly fieldManager: string;
  /** CreateOptions, UpdateOptions or DeleteOptions as admission receives them. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly warn: (message: string) => void;
  /** Adds an annotation to the audit event. */
  readonly annotate: (key: string, value: string) => void;
  /** Records milliseconds spent waiting for admission webhooks. */
  readonly waited: (milliseconds: number, part?: TimedPart) => void;
  /** Whether the client got a response already, because the request took too long; absent for writes by the server itself. */
  readonly isOver?: () => boolean;
  /** Whether the body of the request is large. */
  readonly isLarge: boolean;
}

/** Dependencies of the write path, passed once by the composition root. */
export interface WriteEnvironment {
  readonly now: () => Date;
  readonly newUid: () => string;
  /** Returns the random suffix of a generated name. */
  readonly nameSuffix: () => string;
  readonly admission: AdmissionChain;
  /** If false, no finalizers for dependents are set, because no garbage collector would process them. */
  readonly collectsGarbage?: boolean;
  /** The Kubernetes release whose API is served. */
  readonly release: string;
  readonly featureEnabled: (gate: string) => boolean;
  readonly allowPrivileged: boolean;
  /** Called when declared and handwritten validation disagree. */
  readonly onMismatch?: (problem: string) => void;
  readonly ownership: FieldOwnership;
  /** Finds a version of the kind of a resource; undefined if it is not served. */
  readonly findVersion: (resource: ServedResource, apiVersion: string) => ServedResource | undefined;
  /** Authorizes an update or patch to create an object that does not exist. Throws 403. */
  readonly authorizeCreation: (request: WriteRequest, name: string) => Promise<void>;
  /** Reads objects for hooks. */
  readonly readKind: ReadKind;
  /** Allocates addresses and ports when an object is written. */
  readonly allocate: Allocate;
  /** Returns the function to call for each write while writes are recorded; otherwise undefined. */
  readonly recorder?: () => RecordWrite | undefined;
}

/** Called with a written object in its stored version, or with the last state of a removed one. Not called for dry runs. */
export type RecordWrite = (request: WriteRequest, verb: "create" | "update" | "delete", object: ApiObject) => void;

/** Manages field ownership (managedFields). For kinds with a conversion webhook, it may have to wait for the webhook. */
export interface FieldOwnership {
  /**
   * Returns `next` with updated managedFields, after a create or update. Changes neither argument. Takes several turns of the event loop if
   * one of them is large.
   */
  update(
    request: WriteRequest,
    live: ApiObject | undefined,
    next: ApiObject,
    isLarge?: boolean,
  ): ApiObject | Promise<ApiObject>;
  /**
   * Merges an apply configuration into the live object. Both, and the result, are in the request's version. The result is the live object
   * itself if nothing changes. Throws on conflict unless forced.
   */
  apply(
    request: WriteRequest,
    live: ApiObject | undefined,
    configuration: ApiObject,
    force: boolean,
    isLarge?: boolean,
  ): ApiObject | Promise<ApiObject>;
}

/** Allocations of a write. The caller calls exactly one of the two functions. */
export interface Allocation {
  commit(): void;
  release(): void;
}

/** Allocates values that must be unique. `old` is absent on creation, `next` on removal. */
export type Allocate = (
  request: WriteRequest,
  next: ApiObject | undefined,
  old: ApiObject | undefined,
) => Promise<Allocation | undefined> | Allocation | undefined;

/** The context of a write for hooks. `old` is the object before an update. */
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

/** Returns a reader only for kinds that the hooks declare, so that the dependencies of a kind are visible. */
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
