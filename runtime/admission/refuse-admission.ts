import type { AdmissionRequest } from "../contract/admission.ts";
import type { StatusError } from "../contract/status.ts";
import { forbidden } from "../values/status-errors.ts";

/** The 403 of an admission plugin. An object without a generated name yet is named by its generateName. */
export function refuseAdmission(request: AdmissionRequest, why: string): StatusError {
  return forbidden(request.requested.resource, admissionName(request), why);
}

function admissionName({ name, object }: AdmissionRequest): string {
  return name || object?.metadata?.name || object?.metadata?.generateName || "Unknown";
}

/** Joins error messages: a single one is unchanged, several are put in brackets. */
export function joinComplaints(complaints: readonly string[]): string {
  return complaints.length === 1 ? (complaints[0] as string) : `[${[...new Set(complaints)].join(", ")}]`;
}
