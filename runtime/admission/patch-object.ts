import type { ApiObject } from "../contract/api-object.ts";
import { checkDepth } from "../encoding/max-depth.ts";
import type { JsonValue } from "../lib/json-object.ts";
import { applyJsonPatch } from "../patch/json-patch.ts";

/** An object with the JSON patch of a webhook or policy applied. Throws for a patch that does not apply, or nests too deep. */
export function patchObject(object: ApiObject, patch: unknown): ApiObject {
  return checkDepth(applyJsonPatch(object as unknown as JsonValue, patch as JsonValue)) as unknown as ApiObject;
}
