import { checkPathSegment, checkPathSegmentPrefix } from "../../../runtime/lib/names.ts";

/** Roles and bindings may be called anything that fits into a path: `system:node` is a good name. */
export function validateRoleName(name: string, generateName: boolean): string[] {
  return generateName ? checkPathSegmentPrefix(name) : checkPathSegment(name);
}
