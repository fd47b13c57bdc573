import type { AdmissionRequest } from "../../contract/admission.ts";
import type { Naming } from "../../contract/naming.ts";

/**
 * Resources that no policy matches: reviews, on which every decision depends, and policies themselves, so that a policy that rejects everything can
 * still be corrected.
 */
const EXEMPT: Readonly<Record<string, readonly string[]>> = {
  admissionregistration: [
    "mutatingadmissionpolicies",
    "mutatingadmissionpolicybindings",
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
  ],
  authentication: ["selfsubjectreviews", "tokenreviews"],
  authorization: [
    "localsubjectaccessreviews",
    "selfsubjectaccessreviews",
    "selfsubjectrulesreviews",
    "subjectaccessreviews",
  ],
};

export function isExempt({ resource }: AdmissionRequest, naming: Naming): boolean {
  return Object.entries(EXEMPT).some(
    ([prefix, resources]) => resource.group === naming.group(prefix) && resources.includes(resource.resource),
  );
}
