import type { ApiObject } from "../../../contract/api-object.ts";
import type { Naming } from "../../../contract/naming.ts";
import type { RoleRef } from "../rbac-objects.ts";
import { clusterRoleBindings, roleBindings } from "./bindings.ts";
import { clusterRoles } from "./cluster-roles.ts";
import { controllerRoles } from "./controller-roles.ts";
import { withGatedRules } from "./gated-rules.ts";
import { namespacedRoles } from "./namespaced-roles.ts";
import { fillIn, parseRule, parseSubject, type RoleTable } from "./policy-grammar.ts";
import { type DefaultPolicy, type IsServed, reducePolicy } from "./reduce-policy.ts";

/** User-facing roles that are aggregated by label. The value is the role that includes the role of the key. */
const AGGREGATED: Readonly<Record<string, string | undefined>> = { admin: undefined, edit: "admin", view: "edit" };

export interface DefaultPolicyOptions {
  /** Whether a kind is served; absent if all kinds of Kubernetes are. */
  readonly isServed?: IsServed | undefined;
  /** Whether a feature gate is enabled: some gates add rules. All are disabled by default. */
  readonly featureEnabled?: (gate: string) => boolean;
}

/** Returns the default roles and bindings as objects to write: those of Kubernetes, reduced if some of its kinds are not served. */
export function createDefaultPolicy(
  naming: Naming,
  { isServed, featureEnabled = () => false }: DefaultPolicyOptions = {},
): DefaultPolicy {
  const policy = completePolicy(naming, featureEnabled);
  return isServed === undefined ? policy : reducePolicy(policy, isServed);
}

function completePolicy(naming: Naming, featureEnabled: (gate: string) => boolean): DefaultPolicy {
  const tables = withGatedRules({ clusterRoles, controllerRoles, clusterRoleBindings }, featureEnabled);
  const group = naming.group("rbac.authorization");

  const make = (kind: string, metadata: ApiObject["metadata"], rest: Record<string, unknown>): ApiObject => ({
    apiVersion: `${group}/v1`,
    kind,
    metadata: {
      ...metadata,
      annotations: { [naming.key("autoupdate", "rbac.authorization")]: "true" },
      labels: { [naming.key("bootstrapping")]: "rbac-defaults", ...metadata.labels },
    },
    ...rest,
  });
  const aggregateTo = (role: string | undefined) =>
    role === undefined ? undefined : { [`${group}/aggregate-to-${role}`]: "true" };
  const roleRef = (kind: string, name: string): RoleRef => ({ apiGroup: group, kind, name });
  const subjectsOf = (texts: readonly string[]) =>
    texts.length === 0 ? {} : { subjects: texts.map((text) => parseSubject(text, naming)) };
  const rolesOf = (table: RoleTable, kind: string, prefix: string, namespace?: string) =>
    Object.entries(table).map(([key, lines]) => {
      const name = fillIn(prefix + key, naming);
      const labels = aggregateTo(/^system:aggregate-to-(.+)$/.exec(name)?.[1]);
      const metadata = { name, ...(namespace && { namespace }), ...(labels && { labels }) };
      return make(kind, metadata, { rules: lines.map((line) => parseRule(line, naming)) });
    });

  const aggregated = Object.entries(AGGREGATED).map(([name, into]) => {
    const labels = aggregateTo(into);
    return make(
      "ClusterRole",
      { name, ...(labels && { labels }) },
      { aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregateTo(name) }] }, rules: null },
    );
  });
  const bound: Record<string, readonly string[]> = { ...tables.clusterRoleBindings };
  for (const name of Object.keys(tables.controllerRoles))
    bound[`system:controller:${name}`] = [`sa:kube-system/${name}`];

  return {
    clusterRoles: [
      ...aggregated,
      ...rolesOf(tables.clusterRoles, "ClusterRole", ""),
      ...rolesOf(tables.controllerRoles, "ClusterRole", "system:controller:"),
    ],
    clusterRoleBindings: Object.entries(bound).map(([name, subjects]) =>
      make("ClusterRoleBinding", { name }, { roleRef: roleRef("ClusterRole", name), ...subjectsOf(subjects) }),
    ),
    roles: Object.entries(namespacedRoles).flatMap(([namespace, table]) => rolesOf(table, "Role", "", namespace)),
    roleBindings: Object.entries(roleBindings).flatMap(([namespace, table]) =>
      Object.entries(table).map(([name, { role, subjects }]) =>
        make("RoleBinding", { name, namespace }, { roleRef: roleRef("Role", role), ...subjectsOf(subjects) }),
      ),
    ),
  };
}
