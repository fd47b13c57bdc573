import type { ApiObject } from "../../contract/api-object.ts";
import type { ApiSurface } from "../../kinds/api-surface.ts";

/** Checks the expressions of policies against the types of currently served kinds. CEL is loaded on first use. */
export function createPolicyTypeCheck(surface: () => ApiSurface): (policy: ApiObject) => Promise<readonly object[]> {
  return async ({ spec }) => {
    const { checkPolicyTypes } = await import("./type-check-policy.ts");
    const { typeOfSchema } = await import("../../cel/schema/schema-type.ts");
    return checkPolicyTypes((spec ?? {}) as Parameters<typeof checkPolicyTypes>[0], {
      kindOf: ({ group, version, resource }) => surface().find(group, version, resource)?.descriptor,
      async typeOf(kind) {
        const entry = surface().findKind(kind.group, kind.version, kind.kind);
        return entry && typeOfSchema((await entry.load()).schema.celSchema);
      },
    });
  };
}
