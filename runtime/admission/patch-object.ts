import type { ApiObject } from "../contract/api-object.ts";
import { checkDepth } from "../encoding/max-depth.ts";
import { inTurns } from "../lib/in-turns.ts";
import type { JsonValue } from "../lib/json-object.ts";
import { applyJsonPatch, jsonPatchSteps } from "../patch/json-patch.ts";

/** Applies the JSON patch of a webhook or policy to an object. Throws if the patch fails or the result is nested too deeply. */
export function patchObject(object: ApiObject, patch: unknown): ApiObject {
  return checkDepth(applyJsonPatch(object as unknown as JsonValue, patch as JsonValue)) as unknown as ApiObject;
}

/** `patchObject` in several turns of the event loop. */
export async function patchObjectInTurns(object: ApiObject, patch: unknown, isLarge: boolean): Promise<ApiObject> {
  const steps = jsonPatchSteps(object as unknown as JsonValue, patch as JsonValue, { isLarge });
  return checkDepth(await inTurns(steps)) as unknown as ApiObject;
}
