import type { AdmissionRequest } from "../../contract/admission.ts";
import type { AdmissionResponse } from "./admission-review.ts";

/** Passes on what a webhook wants the client and the audit log to know. */
export function noteAnswer(
  webhook: string,
  { auditAnnotations, warnings }: AdmissionResponse,
  request: AdmissionRequest,
): void {
  for (const [key, value] of Object.entries(auditAnnotations)) request.annotate(`${webhook}/${key}`, value);
  for (const warning of warnings) request.warn(warning);
}
