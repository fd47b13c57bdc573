import { expect, it } from "vitest";
import { registry } from "../../generated/registry.ts";

/** Kinds whose etcd keys in kube-apiserver differ from the name of their resource. */
const NAMES: Readonly<Record<string, string>> = {
  endpoints: "services/endpoints",
  nodes: "minions",
  replicationcontrollers: "controllers",
  services: "services/specs",
  "customresourcedefinitions.apiextensions.k8s.io": "apiextensions.k8s.io/customresourcedefinitions",
  "apiservices.apiregistration.k8s.io": "apiregistration.k8s.io/apiservices",
  "ingresses.networking.k8s.io": "ingress",
  "podsecuritypolicies.policy": "podsecuritypolicy",
};

it("stores every built-in kind below /registry under the name that kube-apiserver uses, whatever group and version it is served in", () => {
  const found: Record<string, string> = {};
  for (const { virtual, storage } of registry.readCatalogue().resources) {
    if (virtual) continue;
    const name = storage.group === "" ? storage.resource : `${storage.resource}.${storage.group}`;
    const used = storage.prefix ?? storage.resource;
    expect(found[name] ?? used, name).toBe(used);
    found[name] = used;
  }
  const kinds = Object.entries(found);
  expect(kinds.length).toBeGreaterThan(55);
  expect(Object.fromEntries(kinds.filter(([name, used]) => name.split(".")[0] !== used))).toEqual(NAMES);
  expect(new Set(Object.values(found)).size, "no two kinds share a name").toBe(kinds.length);
  // Both groups of Events, of Ingresses and of the kinds of apps have the same objects.
  expect(found).not.toHaveProperty(["events.events.k8s.io"]);
  expect(found).not.toHaveProperty(["ingresses.extensions"]);
  expect(found).not.toHaveProperty(["deployments.extensions"]);
});
