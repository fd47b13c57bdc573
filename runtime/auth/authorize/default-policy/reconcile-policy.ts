import { isDeepStrictEqual } from "node:util";
import type { ApiObject } from "../../../contract/api-object.ts";
import type { Naming } from "../../../contract/naming.ts";
import type { ObjectReader, ObjectWriter } from "../../../contract/object-access.ts";
import { hasReason } from "../../../contract/status.ts";
import { atOnce } from "../../../lib/in-turns.ts";
import type { BindingObject, RoleObject, Subject } from "../rbac-objects.ts";
import { uncoveredRules } from "../rule-coverage.ts";
import { createDefaultPolicy, type DefaultPolicyOptions } from "./default-policy.ts";

/**
 * Reconciles the stored default policy: creates missing objects, and restores removed rules, labels and subjects of roles and bindings. Additions by
 * an administrator are kept. Skips objects marked `autoupdate: "false"`, and objects that another server with the same store is updating
 * concurrently.
 */
export async function reconcileDefaultPolicy(
  parts: DefaultPolicyOptions & {
    readonly naming: Naming;
    readonly reader: ObjectReader;
    readonly writer: ObjectWriter;
  },
): Promise<void> {
  const policy = createDefaultPolicy(parts.naming, parts);
  const group = parts.naming.group("rbac.authorization");
  const autoupdate = parts.naming.key("autoupdate", "rbac.authorization");

  const ensure = async (resource: string, wanted: ApiObject, repair: (stored: ApiObject) => ApiObject) => {
    const where = { group, resource };
    const stored = await parts.reader.get(where, wanted.metadata.namespace ?? "", wanted.metadata.name ?? "");
    if (stored === undefined) return void (await parts.writer.create(where, wanted));
    if (stored.metadata.annotations?.[autoupdate] === "false") return;
    const repaired = repair(withMetadataOf(wanted, stored));
    if (isDeepStrictEqual(repaired, stored)) return;
    if (isBinding(repaired) && !isDeepStrictEqual(repaired.roleRef, (stored as BindingObject).roleRef)) {
      await parts.writer.delete(where, wanted.metadata.namespace ?? "", wanted.metadata.name ?? "");
      await parts.writer.create(where, wanted);
    } else await parts.writer.update(where, repaired);
  };

  const all = (resource: string, wanted: readonly ApiObject[], repair: typeof repairRole | typeof repairBinding) =>
    Promise.all(
      wanted.map((each) =>
        ensure(resource, each, (stored) => repair(stored, each)).catch((error: unknown) => {
          if (!hasReason(error, "AlreadyExists", "Conflict")) throw error;
        }),
      ),
    );
  await Promise.all([
    all("clusterroles", policy.clusterRoles, repairRole),
    all("clusterrolebindings", policy.clusterRoleBindings, repairBinding),
    all("roles", policy.roles, repairRole),
    all("rolebindings", policy.roleBindings, repairBinding),
  ]);
}

function withMetadataOf(wanted: ApiObject, stored: ApiObject): ApiObject {
  const { annotations, labels } = stored.metadata;
  return {
    ...stored,
    metadata: {
      ...stored.metadata,
      annotations: { ...wanted.metadata.annotations, ...annotations },
      labels: { ...wanted.metadata.labels, ...labels },
    },
  };
}

function repairRole(stored: RoleObject, wanted: RoleObject): RoleObject {
  const repaired = { ...stored };
  const { rules: missing } = atOnce(uncoveredRules(stored.rules ?? [], wanted.rules ?? []));
  if (missing.length > 0) repaired.rules = [...(stored.rules ?? []), ...missing];
  const selectors = wanted.aggregationRule?.clusterRoleSelectors;
  if (selectors === undefined) delete repaired.aggregationRule;
  else {
    const known = stored.aggregationRule?.clusterRoleSelectors ?? [];
    const lost = selectors.filter((selector) => !known.some((each) => isDeepStrictEqual(each, selector)));
    if (lost.length > 0) repaired.aggregationRule = { clusterRoleSelectors: [...known, ...lost] };
  }
  return repaired;
}

function repairBinding(stored: ApiObject, wanted: ApiObject): BindingObject {
  const { roleRef, subjects = [] } = wanted as BindingObject;
  const known = (stored as BindingObject).subjects ?? [];
  const same = (one: Subject) => (other: Subject) =>
    one.kind === other.kind && one.name === other.name && (one.namespace ?? "") === (other.namespace ?? "");
  const lost = subjects.filter((subject) => !known.some(same(subject)));
  return { ...stored, roleRef, ...(lost.length > 0 && { subjects: [...known, ...lost] }) };
}

function isBinding(object: ApiObject): object is BindingObject {
  return "roleRef" in object;
}
