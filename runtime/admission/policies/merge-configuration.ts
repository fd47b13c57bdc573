import { findAtomics } from "../../apply/typed/find-atomics.ts";
import { merge } from "../../apply/typed/merge.ts";
import { printTypeMismatches, validate } from "../../apply/typed/validate.ts";
import type { ApiObject } from "../../contract/api-object.ts";
import type { GroupVersionResource } from "../../contract/served-versions.ts";
import type { ApiSurface } from "../../kinds/api-surface.ts";
import type { JsonValue } from "../../lib/json-object.ts";

/**
 * Merges an apply configuration into an object of the same version, without recording field owners. Throws an Error if it does not match the schema,
 * or would change an atomic list, map or struct.
 */
export function createMergeConfiguration(surface: () => ApiSurface) {
  return async (
    object: ApiObject,
    configuration: ApiObject,
    { group, version, resource }: GroupVersionResource,
  ): Promise<ApiObject> => {
    const served = await surface().find(group, version, resource)?.load();
    if (served === undefined) {
      return object;
    }
    const type = served.schema.mergeType;
    const applied = configuration as unknown as JsonValue;
    const mismatches = validate(type, applied);
    if (mismatches.length > 0) {
      throw new Error(`failed to convert patch object to typed object: ${printTypeMismatches(mismatches)}`);
    }
    const atomics = findAtomics(type, applied);
    if (atomics.length > 0) {
      throw new Error(
        `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(", ")}`,
      );
    }
    return merge(type, object as unknown as JsonValue, applied) as unknown as ApiObject;
  };
}
