import type { AdmissionRequest } from "../../contract/admission.ts";
import type { AdmissionResponse } from "./admission-review.ts";

/** Adds the warnings and audit annotations of a webhook to the request. */
export function noteAnswer(
  webhook: string,
  { auditAnnotations, warnings }: AdmissionResponse,
  request: AdmissionRequest,
): void {
  for (const [key, value] of Object.entries(auditAnnotations)) request.annotate(`${webhook}/${key}`, value);
  for (const warning of warnings) request.warn(warning);
}
