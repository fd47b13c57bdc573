import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic } from "../../vocabulary.ts";
import type { PolicyRule } from "./policy-rule.ts";

/**
 * Grants permissions within one namespace. Use it for permissions that one team or application needs; a RoleBinding in
 * the same namespace grants them to subjects. A user can only create or change a role whose permissions the user
 * already has, unless the user has the verb `escalate` on it.
 */
export interface Role extends Namespaced {
  /** Permissions that the role grants. They add up: there are no rules that deny. If empty, the role grants nothing. */
  rules?: ListAtomic<PolicyRule> & Always;
}

export const role = kind<Role>({
  plural: "roles",
  introduced: "1.6",
  deprecated: "1.17",
  removed: "1.22",
  replacement: "rbac.authorization.<domain>/v1 Role",
  createOnUpdate: true,
});
