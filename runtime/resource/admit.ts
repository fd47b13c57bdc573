import { decodeManaged, ManagedFieldsError } from "../apply/managed-fields/managed.ts";
import type { AdmissionOperation, AdmissionRequest } from "../contract/admission.ts";
import type { ApiObject } from "../contract/api-object.ts";
import { withMeta } from "../kinds/change-meta.ts";
import type { JsonValue } from "../lib/json-object.ts";
import { checkQualifiedName } from "../values/names.ts";
import { timeoutError } from "../values/status-errors.ts";
import { dedupOwnerReferences } from "./object-meta.ts";
import type { WriteEnvironment, WriteRequest } from "./write-request.ts";

/** The subject of admission. */
export interface AdmissionSubject {
  readonly operation: AdmissionOperation;
  readonly name: string;
  /** The object to be written, or the options of a connection. Absent for a deletion. */
  readonly object?: ApiObject | undefined;
  /** The object that is replaced or deleted. */
  readonly old?: ApiObject | undefined;
}

/** Runs mutating admission, which changes or replaces the object. */
export async function admitMutating(
  request: WriteRequest,
  subject: AdmissionSubject,
  environment: WriteEnvironment,
): Promise<ApiObject | undefined> {
  const attributes = admissionRequest(request, subject);
  const owners = subject.object?.metadata.managedFields;
  await environment.admission.mutate(attributes);
  giveUpLate(request);
  return attributes.object && withReadableOwners(attributes.object, owners, request.warn);
}

/** Runs mutating admission for a written object. `old` is the object that it replaces, if any. */
export async function admitWritten(
  request: WriteRequest,
  name: string,
  object: ApiObject,
  old: ApiObject | undefined,
  environment: WriteEnvironment,
): Promise<ApiObject> {
  const operation = old === undefined ? "CREATE" : "UPDATE";
  const admitted = (await admitMutating(request, { operation, name, object, old }, environment)) ?? object;
  return dedupOwnerReferences(admitted, request.warn, " after mutating admission happens");
}

/** The object, with the managedFields from before admission if those after it are invalid. */
function withReadableOwners(object: ApiObject, before: unknown[] | undefined, warn: (message: string) => void) {
  const { managedFields } = object.metadata;
  if (managedFields === before) return object;
  try {
    decodeManaged(managedFields as JsonValue | undefined);
    return object;
  } catch (error) {
    if (!(error instanceof ManagedFieldsError)) throw error;
    warn(
      `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${error.message}`,
    );
    return withMeta(object, { managedFields: before });
  }
}

export async function admitValidating(
  request: WriteRequest,
  subject: AdmissionSubject,
  environment: WriteEnvironment,
): Promise<void> {
  await environment.admission.validate(admissionRequest(request, subject));
  giveUpLate(request);
}

/** Cancels a write whose client already received a timeout: admission may wait for webhooks. */
function giveUpLate({ isOver }: WriteRequest): void {
  if (isOver?.()) throw timeoutError("request did not complete within requested timeout", 0);
}

/** The environment of a write that has been admitted elsewhere. */
export function withoutAdmission(environment: WriteEnvironment): WriteEnvironment {
  return { ...environment, admission: { mutate: async () => {}, validate: async () => {} } };
}

/** Whether an audit annotation key is valid: a name with a prefix. Webhooks choose a part of the key. */
function isAnnotationKey(key: string): boolean {
  return key.split("/").length === 2 && checkQualifiedName(key).length === 0;
}

function admissionRequest(request: WriteRequest, { operation, name, object, old }: AdmissionSubject): AdmissionRequest {
  const { stored, descriptor } = request.resource;
  const { group, version } = descriptor;
  return {
    operation,
    resource: { group: stored.gvk.group, version: stored.gvk.version, resource: stored.groupResource.resource },
    kind: request.objectKind ?? stored.gvk,
    requested: {
      resource: { group, version, resource: descriptor.resource },
      kind: request.objectKind ?? { group, version, kind: descriptor.kind },
    },
    subresource: request.subresource,
    namespace: request.namespace,
    name,
    isUnnamed: request.verb === "create" && request.subresource === "",
    object,
    oldObject: old,
    options: request.options,
    dryRun: request.dryRun,
    user: request.user,
    warn: request.warn,
    annotate(key, value) {
      if (isAnnotationKey(key)) request.annotate(key, value);
    },
    waited: request.waited,
  };
}
