import type { AdmissionRequest } from "../contract/admission.ts";
import type { StatusError } from "../contract/status.ts";
import { forbidden } from "../values/status-errors.ts";

/** The 403 of an admission plugin. An object whose name is still to be generated is called by its prefix. */
export function refuseAdmission(request: AdmissionRequest, why: string): StatusError {
  return forbidden(request.requested.resource, admissionName(request), why);
}

function admissionName({ name, object }: AdmissionRequest): string {
  return name || object?.metadata?.name || object?.metadata?.generateName || "Unknown";
}

/** Several complaints as one: a single one as it is, more in brackets. */
export function joinComplaints(complaints: readonly string[]): string {
  return complaints.length === 1 ? (complaints[0] as string) : `[${[...new Set(complaints)].join(", ")}]`;
}
