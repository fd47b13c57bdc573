import { randomUUID } from "node:crypto";
import type { ApiObject } from "../contract/api-object.ts";
import type { FieldError } from "../contract/field-error.ts";
import { apiVersionOf } from "../contract/group-version.ts";
import type { KindReader } from "../contract/kind-hooks.ts";
import type { GroupVersionKind } from "../contract/resource-descriptor.ts";
import type { GroupVersionResource } from "../contract/served-versions.ts";
import { StatusError } from "../contract/status.ts";
import type { LoadedHooks, WriteContext } from "../kinds/loaded-hooks.ts";
import { cloneJson } from "../lib/clone-json.ts";
import { DecodeError } from "../schema/schema-errors.ts";
import { invalid } from "../values/status-errors.ts";
import { jsonPatchOf } from "./json-patch-of.ts";
import { toStored, type WebhookKind, type WebhookKinds } from "./webhook-kinds.ts";

/** An AdmissionReview of admission.k8s.io/v1. */
export interface AdmissionReview {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly request?: AdmissionRequest;
}

interface AdmissionRequest {
  readonly uid?: string;
  readonly kind: GroupVersionKind;
  /** The kind of the original request, which the cluster may have converted. */
  readonly requestKind?: GroupVersionKind;
  readonly subResource?: string;
  readonly namespace?: string;
  readonly operation: string;
  readonly userInfo?: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly object?: ApiObject | null;
  readonly oldObject?: ApiObject | null;
}

/** Dependencies of hooks besides the request. */
export interface HookEnvironment {
  readonly kinds: WebhookKinds;
  readonly now: () => Date;
  readonly release: string;
  readonly featureEnabled: (gate: string) => boolean;
  /** Reads objects of a cluster; undefined if the webhook has no kubeconfig. */
  readonly reader: ((resource: GroupVersionResource) => KindReader<ApiObject>) | undefined;
}

type Response = { readonly [key: string]: unknown };

/** Responds with the changes of the hooks `default` and `prepare`. */
export function reviewMutation(environment: HookEnvironment, review: AdmissionReview): Promise<object> {
  return answer(
    review,
    async (request, kind, object) => {
      const { hooks, schema } = kind;
      const before = schema.decode(object);
      const after = cloneJson(before);
      hooks.default?.(after);
      if (request.operation === "CREATE") hooks.defaults?.times?.(after, environment.now);
      const warnings: string[] = [];
      if (kind.isStored) {
        const old = request.oldObject ? schema.decode(request.oldObject) : undefined;
        const context = contextOf(environment, { request, hooks, old, warnings });
        await hooks.prepare?.(after, context);
        if (old === undefined) await hooks.lifecycle?.prepareForCreate?.(after, context);
        else await hooks.lifecycle?.prepareForUpdate?.(after, old, context);
      }
      const patch = jsonPatchOf(object, before, schema.canonicalize(after));
      return {
        allowed: true,
        ...(patch.length > 0 && {
          patchType: "JSONPatch",
          patch: Buffer.from(JSON.stringify(patch)).toString("base64"),
        }),
        ...(warnings.length > 0 && { warnings }),
      };
    },
    environment.kinds,
    () => ({ allowed: true }),
  );
}

/** Responds with the errors of `validate` and related hooks, and with the warnings of `warn`. */
export function reviewValidation(environment: HookEnvironment, review: AdmissionReview): Promise<object> {
  return answer(
    review,
    async (request, kind, object) => {
      const { kinds } = environment;
      const stored = await kinds.storedOf(kind);
      const value = await toStored(kinds, kind, kind.schema.decode(object));
      const old = request.oldObject ? await toStored(kinds, kind, kind.schema.decode(request.oldObject)) : undefined;
      const warnings: string[] = [];
      const context = contextOf(environment, { request, hooks: stored.hooks, old, warnings });
      const errors = [...nameErrors(stored, value, old), ...(await validate(stored.hooks, value, old, context))];
      if (errors.length > 0) throw invalid(stored.descriptor, value.metadata.name ?? "", errors);
      warnings.push(...((await stored.hooks.warn?.(value, context)) ?? []));
      return { allowed: true, ...(warnings.length > 0 && { warnings }) };
    },
    environment.kinds,
    ({ message }) => ({ allowed: false, status: { status: "Failure", code: 422, reason: "Invalid", message } }),
  );
}

async function validate(
  hooks: LoadedHooks,
  object: ApiObject,
  old: ApiObject | undefined,
  context: WriteContext,
): Promise<readonly FieldError[]> {
  if (old === undefined) return (await hooks.validate?.(object, context)) ?? [];
  const { subresource = "" } = context;
  const update = hooks.validation?.subresources?.[subresource] ?? hooks.validation?.update;
  return (update === undefined ? await hooks.validate?.(object, context) : await update(object, old, context)) ?? [];
}

/** Returns errors of stricter rules that a kind has for names. The cluster itself checks that names are DNS subdomains. */
function nameErrors({ hooks }: WebhookKind, { metadata }: ApiObject, old: ApiObject | undefined): FieldError[] {
  const check = old === undefined ? hooks.validation?.name : undefined;
  const { name = "" } = metadata;
  return (check?.(name, false) ?? []).map((message) => ({
    field: "metadata.name",
    reason: "FieldValueInvalid",
    message: `Invalid value: ${JSON.stringify(name)}: ${message}`,
  }));
}

async function answer(
  { apiVersion, kind: reviewKind, request }: AdmissionReview,
  decide: (request: AdmissionRequest, kind: WebhookKind, object: ApiObject) => Promise<Response>,
  kinds: WebhookKinds,
  mistyped: (error: DecodeError) => Response,
): Promise<object> {
  const respond = (response: Response): object => ({
    apiVersion,
    kind: reviewKind,
    response: { uid: request?.uid ?? "", ...response },
  });
  // Deletions are not validated.
  if (!request?.object) return respond({ allowed: true });
  try {
    return respond(await decide(request, await kinds.find(request.kind), request.object));
  } catch (error) {
    if (error instanceof StatusError) return respond({ allowed: false, status: error.status });
    // After mutating webhooks, the cluster rejects objects that violate its schema, with its own messages.
    if (error instanceof DecodeError) return respond(mistyped(error));
    const message = error instanceof Error ? error.message : String(error);
    return respond({ allowed: false, status: { status: "Failure", code: 500, reason: "InternalError", message } });
  }
}

interface Write {
  readonly request: AdmissionRequest;
  readonly hooks: LoadedHooks;
  readonly old: ApiObject | undefined;
  /** Added by hooks. */
  readonly warnings: string[];
}

function contextOf(
  { now, release, featureEnabled, reader }: HookEnvironment,
  { request, hooks, old, warnings }: Write,
): WriteContext {
  const { userInfo = {}, namespace, subResource, requestKind = request.kind } = request;
  const { username = "", uid, groups = [], extra } = userInfo;
  return {
    old,
    now,
    newUid: randomUUID,
    user: { name: username, groups, ...(uid !== undefined && { uid }), ...(extra && { extra }) },
    namespace: namespace === "" ? undefined : namespace,
    subresource: subResource === "" ? undefined : subResource,
    apiVersion: apiVersionOf(requestKind),
    release,
    featureEnabled,
    allowPrivileged: true,
    warn: (message) => void warnings.push(message),
    read: (kind) => readerOf(hooks, kind, reader) as never,
  };
}

function readerOf(hooks: LoadedHooks, kind: unknown, reader: HookEnvironment["reader"]): KindReader<ApiObject> {
  const resource = hooks.readResources?.[hooks.reads?.indexOf(kind) ?? -1];
  if (resource === undefined) throw new RangeError("a hook reads a kind that is not listed in `reads`");
  if (reader === undefined)
    throw new Error(
      `a hook reads ${resource.resource}: start the webhook with --kubeconfig, or in a pod of the cluster`,
    );
  return reader(resource);
}
