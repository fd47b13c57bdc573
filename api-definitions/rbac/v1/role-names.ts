import { checkPathSegment, checkPathSegmentPrefix } from "../../../runtime/values/names.ts";

/** The name of a role or binding may be any path segment, such as `system:node`. */
export function validateRoleName(name: string, generateName: boolean): string[] {
  return generateName ? checkPathSegmentPrefix(name) : checkPathSegment(name);
}
