import type { CollectedKind, GroupResource } from "../contract/object-access.ts";
import type { Controller, ControllerParts } from "./controller.ts";
import { GarbageCollector } from "./garbage/garbage-collector.ts";
import { createNamespaceDeletion } from "./namespace-deletion.ts";
import type { PolicyTypesParts } from "./policy-types.ts";
import type { QuotaUsageParts } from "./quota-usage.ts";

export interface ControllersParts extends ControllerParts {
  /** Whether the pods of a deleted namespace are deleted before everything else. */
  readonly podsFirst?: boolean;
  /** CA certificate with which clients inside the cluster verify this server. */
  readonly authorityPem: string;
  /** Returns all resources whose objects can be listed, watched and deleted. */
  readonly resources: () => readonly CollectedKind[];
  /** Whether `resources` contains a resource with this storage name. */
  readonly isCollected: (resource: GroupResource) => boolean;
  readonly resolveKind: (apiVersion: string, kind: string) => CollectedKind | undefined;
  /** Whether dependents of deleted objects are deleted. Default: true. */
  readonly collectsGarbage?: boolean;
  /** Whether a kind is served. Controllers of kinds that are not served are neither loaded nor run. */
  readonly serves: (resource: GroupResource) => boolean;
  /** Loads the rules with which admission counts quota usage. */
  readonly quota: () => Promise<Pick<QuotaUsageParts, "rulesFor">>;
  /** Loads the type check of policies. */
  readonly policies: () => Promise<Pick<PolicyTypesParts, "checkTypes">>;
}

/** Creates the controllers that a server runs itself if there is no kube-controller-manager. */
export async function createControllers(
  parts: ControllersParts,
): Promise<Controller & { kindsChanged(changed?: readonly GroupResource[]): Promise<void> }> {
  const { naming, serves } = parts;
  const namespaced = () => parts.resources().flatMap(({ resource, namespaced }) => (namespaced ? [resource] : []));
  const collector = new GarbageCollector({
    ...parts,
    resources: () => parts.resources().map(({ resource }) => resource),
  });
  const members: Controller[] = [createNamespaceDeletion({ ...parts, resources: namespaced })];
  if (parts.collectsGarbage !== false) members.push(collector);
  const hasAccounts = serves({ group: "", resource: "serviceaccounts" });
  if (hasAccounts && serves({ group: "", resource: "configmaps" })) {
    const { createNamespaceContents } = await import("./namespace-contents.ts");
    members.push(createNamespaceContents(parts));
  }
  if (serves({ group: naming.group("rbac.authorization"), resource: "clusterroles" })) {
    const { createClusterRoleAggregation } = await import("./cluster-role-aggregation.ts");
    members.push(createClusterRoleAggregation(parts));
  }
  if (serves({ group: naming.group("networking"), resource: "servicecidrs" })) {
    const { createServiceCidrs } = await import("./services/service-cidrs.ts");
    members.push(createServiceCidrs(parts));
  }
  if (serves({ group: naming.group("admissionregistration"), resource: "validatingadmissionpolicies" })) {
    const { createPolicyTypes } = await import("./policy-types.ts");
    members.push(createPolicyTypes({ ...parts, ...(await parts.policies()) }));
  }
  if (serves({ group: "", resource: "resourcequotas" })) {
    const { createQuotaUsage } = await import("./quota-usage.ts");
    members.push(createQuotaUsage({ ...parts, ...(await parts.quota()), resources: namespaced }));
  }
  const all = async (act: (controller: Controller) => Promise<void>) => {
    await Promise.all(members.map(act));
  };
  return {
    name: "controllers",
    start: () => all((controller) => controller.start()),
    stop: () => all((controller) => controller.stop()),
    settled: () => all((controller) => controller.settled()),
    /** To be called after custom kinds were added or removed. */
    kindsChanged: async (changed) => {
      if (parts.collectsGarbage !== false) await collector.kindsChanged(changed);
    },
  };
}
