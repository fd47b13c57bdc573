import type { AdmissionOperation, AdmissionRequest } from "../contract/admission.ts";

export const CREATE: ReadonlySet<AdmissionOperation> = new Set(["CREATE"]);
export const UPDATE: ReadonlySet<AdmissionOperation> = new Set(["UPDATE"]);
export const CREATE_AND_UPDATE: ReadonlySet<AdmissionOperation> = new Set(["CREATE", "UPDATE"]);
export const WRITES: ReadonlySet<AdmissionOperation> = new Set(["CREATE", "UPDATE", "DELETE"]);

/** Whether a request is for this resource and subresource (by default none). */
export function isFor(
  { resource, subresource: asked }: AdmissionRequest,
  group: string,
  name: string,
  subresource = "",
) {
  return resource.resource === name && resource.group === group && asked === subresource;
}
