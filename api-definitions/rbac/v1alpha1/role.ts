import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic } from "../../vocabulary.ts";
import type { PolicyRule } from "./policy-rule.ts";

/** What somebody may do in a namespace. */
export interface Role extends Namespaced {
  /** What is allowed. */
  rules?: ListAtomic<PolicyRule> & Always;
}

export const role = kind<Role>({
  plural: "roles",
  introduced: "1.3",
  deprecated: "1.17",
  removed: "1.23",
  replacement: "rbac.authorization.<domain>/v1 Role",
  offByDefault: true,
  createOnUpdate: true,
});
