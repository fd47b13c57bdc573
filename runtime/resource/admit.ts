import type { AdmissionOperation, AdmissionRequest } from "../contract/admission.ts";
import type { ApiObject } from "../contract/api-object.ts";
import type { WriteEnvironment, WriteRequest } from "./write-request.ts";

/** Runs the mutating half of admission; the object given is changed or replaced. */
export async function admitMutating(
  request: WriteRequest,
  operation: AdmissionOperation,
  name: string,
  object: ApiObject | undefined,
  old: ApiObject | undefined,
  environment: WriteEnvironment,
): Promise<ApiObject | undefined> {
  const attributes = admissionRequest(request, operation, name, object, old);
  await environment.admission.mutate(attributes);
  return attributes.object;
}

export async function admitValidating(
  request: WriteRequest,
  operation: AdmissionOperation,
  name: string,
  object: ApiObject | undefined,
  old: ApiObject | undefined,
  environment: WriteEnvironment,
): Promise<void> {
  await environment.admission.validate(admissionRequest(request, operation, name, object, old));
}

/** The environment of a write that is admitted elsewhere. */
export function withoutAdmission(environment: WriteEnvironment): WriteEnvironment {
  return { ...environment, admission: { mutate: async () => {}, validate: async () => {} } };
}

function admissionRequest(
  request: WriteRequest,
  operation: AdmissionOperation,
  name: string,
  object: ApiObject | undefined,
  oldObject: ApiObject | undefined,
): AdmissionRequest {
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
    object,
    oldObject,
    options: request.options,
    dryRun: request.dryRun,
    user: request.user,
    warn: request.warn,
    annotate: request.annotate,
    waited: request.waited,
  };
}
