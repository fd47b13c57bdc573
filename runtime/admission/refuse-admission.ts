import type { AdmissionRequest } from "../contract/admission.ts";
import type { StatusError } from "../contract/status.ts";
import { forbidden } from "../values/status-errors.ts";

/** Returns the 403 of an admission plugin. If the object has no generated name yet, the message contains its generateName. */
export function refuseAdmission(request: AdmissionRequest, why: string): StatusError {
  return forbidden(request.requested.resource, admissionName(request), why);
}

function admissionName({ name, object }: AdmissionRequest): string {
  return name || object?.metadata?.name || object?.metadata?.generateName || "Unknown";
}
