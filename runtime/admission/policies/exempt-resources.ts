import type { AdmissionRequest } from "../../contract/admission.ts";
import type { Naming } from "../../contract/naming.ts";

/** Reviews that others depend on to decide anything at all: no policy looks at them. */
const REVIEWS: Readonly<Record<string, readonly string[]>> = {
  authentication: ["selfsubjectreviews", "tokenreviews"],
  authorization: [
    "localsubjectaccessreviews",
    "selfsubjectaccessreviews",
    "selfsubjectrulesreviews",
    "subjectaccessreviews",
  ],
};

export function isReview({ resource }: AdmissionRequest, naming: Naming): boolean {
  return Object.entries(REVIEWS).some(
    ([prefix, resources]) => resource.group === naming.group(prefix) && resources.includes(resource.resource),
  );
}
