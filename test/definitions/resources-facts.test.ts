import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ApiCatalogue, ResourceDescriptor } from "../../runtime/contract/resource-descriptor.ts";
import { factsAvailable, readColumns, readLifecycles, readResources } from "./facts.ts";

const catalogue = JSON.parse(
  readFileSync(new URL("../../generated/resources.json", import.meta.url), "utf8"),
) as ApiCatalogue;
const find = (group: string, version: string, kind: string): ResourceDescriptor | undefined =>
  catalogue.resources.find((each) => each.group === group && each.version === version && each.kind === kind);

describe.skipIf(!factsAvailable)("resources are those of Kubernetes (skipped without ../shared)", () => {
  it("names, scope, verbs and subresources", () => {
    for (const fact of readResources()) {
      const resource = find(fact.group, fact.version, fact.kind);
      const label = `${fact.group}/${fact.version} ${fact.kind}`;
      expect(resource, label).toMatchObject({
        resource: fact.resource,
        singular: fact.singular,
        namespaced: fact.namespaced,
        shortNames: fact.shortNames ?? [],
        categories: fact.categories ?? [],
        verbs: fact.verbs,
      });
      if (fact.removed === undefined) {
        expect(resource?.offByDefault, label).toBe(fact.enabledByDefault === false ? true : undefined);
        expect(resource?.gate, label).toBe(fact.featureGate);
      }
      const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
      const subresources = [...(resource?.subresources ?? [])].sort(byName).map(({ name, kind, verbs, connect }) => ({
        name,
        ...kind,
        verbs,
        ...(connect && { connectMethods: connect.methods }),
      }));
      const expected = [...fact.subresources].sort(byName).map((each) => ({
        name: each.name,
        group: each.group ?? fact.group,
        version: each.version ?? fact.version,
        kind: each.kind,
        verbs: each.verbs,
        ...(each.connectMethods && { connectMethods: each.connectMethods }),
      }));
      expect(subresources, label).toEqual(expected);
    }
  });

  it("every resource has the lifecycle of its kind", () => {
    const lifecycles = new Map(readLifecycles().map((each) => [`${each.group}/${each.version} ${each.kind}`, each]));
    for (const { group, version, kind, lifecycle } of catalogue.resources) {
      const fact = lifecycles.get(`${group}/${version} ${kind}`);
      // Kinds that were removed before v1.33 do not occur in its lists, and some of its own declare nothing.
      if (fact?.introduced == null) continue;
      const { introduced, deprecated, removed } = lifecycle;
      expect({ introduced, deprecated, removed }, `${group}/${version} ${kind}`).toEqual({
        introduced: fact.introduced,
        deprecated: fact.deprecated,
        removed: fact.removed,
      });
    }
  });

  it("tables have the columns kubectl users know", () => {
    for (const { group, kind, columns } of readColumns().kinds) {
      // Declared for the kind, but served with the two usual columns.
      if (kind === "CSIStorageCapacity") continue;
      for (const resource of catalogue.resources.filter((each) => each.group === group && each.kind === kind)) {
        const shown = resource.columns.map(({ name, type, format, priority }) => ({ name, type, format, priority }));
        expect(shown, `${resource.version} ${kind}`).toEqual(columns);
      }
    }
  });

  it("a kind is stored in the version v1.33 stores", () => {
    const stored = (group: string, version: string, kind: string) => {
      const { storage } = find(group, version, kind) as ResourceDescriptor;
      return `${storage.group}/${storage.version} ${storage.prefix ?? storage.resource}`;
    };
    expect(stored("extensions", "v1beta1", "Deployment")).toBe("apps/v1 deployments");
    expect(stored("extensions", "v1beta1", "Ingress")).toBe("networking.k8s.io/v1 ingress");
    expect(stored("events.k8s.io", "v1", "Event")).toBe("/v1 events");
    expect(stored("autoscaling", "v1", "HorizontalPodAutoscaler")).toBe("autoscaling/v2 horizontalpodautoscalers");
    expect(stored("networking.k8s.io", "v1", "ServiceCIDR")).toBe("networking.k8s.io/v1beta1 servicecidrs");
    expect(stored("resource.k8s.io", "v1beta2", "ResourceClaim")).toBe("resource.k8s.io/v1beta1 resourceclaims");
    expect(stored("coordination.k8s.io", "v1alpha2", "LeaseCandidate")).toBe(
      "coordination.k8s.io/v1beta1 leasecandidates",
    );
    expect(stored("", "v1", "Node")).toBe("/v1 minions");
    expect(stored("", "v1", "Service")).toBe("/v1 services/specs");
  });
});
