import type { AdmissionRequest } from "../../contract/admission.ts";
import { inTurns, type Steps } from "../../lib/in-turns.ts";
import { givenKeysOf, MEMBERS_PER_STEP } from "../../lib/json-object.ts";
import type { AdmissionResponse } from "./admission-review.ts";

/** Adds the warnings and audit annotations of a webhook to the request. */
export function noteAnswer(webhook: string, response: AdmissionResponse, request: AdmissionRequest): Promise<void> {
  return inTurns(noteSteps(webhook, response, request));
}

function* noteSteps(
  webhook: string,
  { auditAnnotations, warnings }: AdmissionResponse,
  request: AdmissionRequest,
): Steps<void> {
  let count = 0;
  for (const key of givenKeysOf(auditAnnotations)) {
    if (++count % MEMBERS_PER_STEP === 0) yield;
    request.annotate(`${webhook}/${key}`, auditAnnotations[key] ?? "");
  }
  for (const warning of warnings) {
    if (++count % MEMBERS_PER_STEP === 0) yield;
    request.warn(warning);
  }
}
