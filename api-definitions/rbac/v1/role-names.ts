import { checkPathSegment } from "../../../runtime/values/names.ts";

/** The name of a role or binding may be any path segment, such as `system:node`. As in Kubernetes, that applies to `generateName`, too. */
export function validateRoleName(name: string): string[] {
  return checkPathSegment(name);
}
