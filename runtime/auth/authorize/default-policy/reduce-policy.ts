import type { ApiObject } from "../../../contract/api-object.ts";
import type { PolicyRule } from "../../../contract/authorization.ts";
import type { BindingObject, RoleObject, Subject } from "../rbac-objects.ts";

export interface DefaultPolicy {
  readonly clusterRoles: readonly ApiObject[];
  readonly clusterRoleBindings: readonly ApiObject[];
  readonly roles: readonly ApiObject[];
  readonly roleBindings: readonly ApiObject[];
}

/** Whether a resource or a subresource (`namespaces/status`) is served in a group. */
export type IsServed = (group: string, resource: string) => boolean;

/** Roles of users, which are reduced to the served kinds. Other roles belong to components, which cannot work if one of their kinds is missing. */
const USER_ROLE = /^(admin|edit|view|cluster-admin|system:aggregate-to-.+)$/;
/** Role for the discovery paths of service account tokens. */
const ISSUER_DISCOVERY = "system:service-account-issuer-discovery";

/**
 * Reduces the default policy for a server that does not serve all kinds of Kubernetes. Rules of user roles keep only served kinds. Other roles are
 * removed if they name a kind that is not served, and so are their bindings and the users that these roles are for.
 */
export function reducePolicy(policy: DefaultPolicy, isServed: IsServed): DefaultPolicy {
  const hasAccounts = isServed("", "serviceaccounts");
  const isKept = (role: RoleObject): boolean =>
    nameOf(role) === ISSUER_DISCOVERY ? hasAccounts : (role.rules ?? []).every((rule) => isComplete(rule, isServed));
  const clusterRoles = (policy.clusterRoles as readonly RoleObject[]).flatMap((role) =>
    USER_ROLE.test(nameOf(role)) ? [reduceRole(role, isServed)] : isKept(role) ? [role] : [],
  );
  const kept = new Set(clusterRoles.map(nameOf));
  const gone = new Set(policy.clusterRoles.map(nameOf).filter((name) => !kept.has(name)));
  const exists = ({ kind, name }: Subject): boolean => (kind === "ServiceAccount" ? hasAccounts : !gone.has(name));
  const clusterRoleBindings = bindingsOf(policy.clusterRoleBindings, exists).filter(({ roleRef }) =>
    kept.has(roleRef.name),
  );
  const roleBindings = bindingsOf(policy.roleBindings, exists);
  const bound = new Set(roleBindings.map((binding) => `${binding.metadata.namespace}/${binding.roleRef.name}`));
  const roles = (policy.roles as readonly RoleObject[]).filter(
    (role) => isKept(role) && bound.has(`${role.metadata.namespace}/${nameOf(role)}`),
  );
  const keptRoles = new Set(roles.map((role) => `${role.metadata.namespace}/${nameOf(role)}`));
  return {
    clusterRoles,
    clusterRoleBindings,
    roles,
    roleBindings: roleBindings.filter((binding) =>
      keptRoles.has(`${binding.metadata.namespace}/${binding.roleRef.name}`),
    ),
  };
}

/** Removes subjects that do not exist from bindings, and bindings that lose all subjects. */
function bindingsOf(bindings: readonly ApiObject[], exists: (subject: Subject) => boolean): BindingObject[] {
  return (bindings as readonly BindingObject[]).flatMap((binding) => {
    const { subjects } = binding;
    if (subjects === undefined || subjects.every(exists)) return [binding];
    const left = subjects.filter(exists);
    return left.length === 0 ? [] : [{ ...binding, subjects: left }];
  });
}

function reduceRole(role: RoleObject, isServed: IsServed): RoleObject {
  if (!role.rules) return role;
  return { ...role, rules: role.rules.flatMap((rule) => reduceRule(rule, isServed) ?? []) };
}

/** Reduces a rule to the served groups and resources; undefined if there are none. */
function reduceRule(rule: PolicyRule, isServed: IsServed): PolicyRule | undefined {
  const { apiGroups, resources } = rule;
  if (apiGroups === undefined || resources === undefined || resources.includes("*")) return rule;
  const groups = apiGroups.filter((group) => resources.some((resource) => isServed(group, resource)));
  const left = resources.filter((resource) => groups.some((group) => isServed(group, resource)));
  return left.length === 0 ? undefined : { ...rule, apiGroups: groups, resources: left };
}

function isComplete(rule: PolicyRule, isServed: IsServed): boolean {
  const { apiGroups, resources } = rule;
  if (apiGroups === undefined || resources === undefined || resources.includes("*")) return true;
  return resources.every((resource) => apiGroups.every((group) => isServed(group, resource)));
}

function nameOf({ metadata }: ApiObject): string {
  return metadata.name ?? "";
}
