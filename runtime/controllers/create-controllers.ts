import { createClusterRoleAggregation } from "./cluster-role-aggregation.ts";
import type { Controller, ControllerParts } from "./controller.ts";
import { type CollectedKind, GarbageCollector } from "./garbage/garbage-collector.ts";
import { createNamespaceContents } from "./namespace-contents.ts";
import { createNamespaceDeletion } from "./namespace-deletion.ts";
import { createPolicyTypes, type PolicyTypesParts } from "./policy-types.ts";
import { createQuotaUsage, type QuotaUsageParts } from "./quota-usage.ts";
import { createServiceCidrs } from "./services/service-cidrs.ts";

export interface ControllersParts extends ControllerParts {
  /** Whether the pods of a deleted namespace are deleted before everything else. */
  readonly podsFirst?: boolean;
  /** CA certificate by which clients inside the cluster verify this server. */
  readonly authorityPem: string;
  /** All resources whose objects can be listed, watched and deleted. */
  readonly resources: () => readonly CollectedKind[];
  readonly resolveKind: (apiVersion: string, kind: string) => CollectedKind | undefined;
  /** Whether dependents of deleted objects are deleted. Default: true. */
  readonly collectsGarbage?: boolean;
  /** Rules by which admission counts quota usage; if absent, this server does not maintain usage. */
  readonly quota?: Pick<QuotaUsageParts, "rulesFor" | "inScope">;
  /** Type check of policies; if absent, they are not checked. */
  readonly policies?: Pick<PolicyTypesParts, "checkTypes">;
}

/** The controllers a server runs itself while no controller-manager does. */
export function createControllers(parts: ControllersParts): Controller & { kindsChanged(): Promise<void> } {
  const namespaced = () => parts.resources().flatMap(({ resource, namespaced }) => (namespaced ? [resource] : []));
  const collector = new GarbageCollector({
    ...parts,
    resources: () => parts.resources().map(({ resource }) => resource),
  });
  const members: readonly Controller[] = [
    createNamespaceContents(parts),
    createNamespaceDeletion({ ...parts, resources: namespaced }),
    createClusterRoleAggregation(parts),
    createServiceCidrs(parts),
    ...(parts.collectsGarbage === false ? [] : [collector]),
    ...(parts.policies === undefined ? [] : [createPolicyTypes({ ...parts, ...parts.policies })]),
    ...(parts.quota === undefined ? [] : [createQuotaUsage({ ...parts, ...parts.quota, resources: namespaced })]),
  ];
  const all = async (act: (controller: Controller) => Promise<void>) => {
    await Promise.all(members.map(act));
  };
  return {
    name: "controllers",
    start: () => all((controller) => controller.start()),
    stop: () => all((controller) => controller.stop()),
    settled: () => all((controller) => controller.settled()),
    /** Custom kinds came or went. */
    kindsChanged: async () => {
      if (parts.collectsGarbage !== false) await collector.kindsChanged();
    },
  };
}
