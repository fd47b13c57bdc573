/** The structs of this group that messages show, as `runtime/go/types.ts` reads them. */
export const RBAC_GO_TYPES = {
  RoleRef: "APIGroup string; Kind string; Name string",
} as const;
