import { beforeAll, describe, expect, it } from "vitest";
import type { Kubectl } from "../../tools/kubectl.ts";
import { manifest } from "./manifests.ts";

const DEFINITION = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: boats.harbour.example.com }
spec:
  group: harbour.example.com
  scope: Namespaced
  names: { plural: boats, singular: boat, kind: Boat, shortNames: [bt], categories: [all] }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {}, scale: { specReplicasPath: .spec.masts, statusReplicasPath: .status.masts } }
      additionalPrinterColumns: [{ name: Length, type: integer, jsonPath: .spec.length }]
      selectableFields: [{ jsonPath: .spec.owner }]
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [length]
              properties:
                length: { type: integer, minimum: 2, description: From bow to stern. }
                masts: { type: integer, default: 1 }
                owner: { type: string }
                crew:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [name]
                  items: { type: object, required: [name], properties: { name: { type: string }, rank: { type: string } } }
              x-kubernetes-validations: [{ rule: self.masts * 3 <= self.length, message: too many masts }]
            status: { type: object, properties: { masts: { type: integer } } }
`;

/** Kinds that users define at run time. */
export function customizing(cluster: Kubectl): void {
  describe("customizing", () => {
    const kubectl = cluster.in("customizing");
    const boat = (name: string, spec: object): Kubectl =>
      kubectl.given(manifest("Boat", name, { spec }, "harbour.example.com/v1"));

    beforeAll(async () => {
      await cluster.ok("create namespace customizing");
      await cluster.given(DEFINITION).ok("apply -f -");
      await cluster.ok("wait --for=condition=Established crd/boats.harbour.example.com --timeout=300s");
    });

    it("serves a kind as soon as it is established", async () => {
      expect(await boat("dinghy", { length: 3, owner: "ann" }).ok("apply -f -")).toBe(
        "boat.harbour.example.com/dinghy created",
      );
      expect(await kubectl.ok("get bt")).toMatch(/^NAME +LENGTH\ndinghy +3$/);
      expect(await kubectl.ok("get boat dinghy -o jsonpath={.spec.masts}")).toBe("1");
      expect(await kubectl.ok("get boats --field-selector spec.owner=ann -o name")).toBe(
        "boat.harbour.example.com/dinghy",
      );
      expect(await kubectl.ok("get all -o name")).toBe("boat.harbour.example.com/dinghy");
    });

    it("explains it", async () => {
      expect(await cluster.ok("api-resources --api-group=harbour.example.com --no-headers")).toMatch(
        /^boats +bt +harbour\.example\.com\/v1 +true +Boat$/,
      );
      expect(await kubectl.ok("explain boat.spec.length")).toContain("From bow to stern.");
    });

    it("holds objects against the schema and its rules", async () => {
      expect(await boat("raft", {}).fails("create -f -")).toContain("spec.length: Required value");
      expect(await boat("raft", { length: 1 }).fails("create -f -")).toContain(
        "spec.length in body should be greater than or equal to 2",
      );
      expect(await boat("raft", { length: 6, masts: 3 }).fails("create -f -")).toContain("too many masts");
      expect(await boat("raft", { length: 6, oars: 2 }).fails("create -f -")).toContain('unknown field "spec.oars"');
    });

    it("merges what several apply", async () => {
      const crew = (name: string): object => ({ length: 30, crew: [{ name, rank: "sailor" }] });
      await boat("bark", crew("ann")).ok("apply --server-side --field-manager=one -f -");
      await boat("bark", crew("bob")).ok("apply --server-side --field-manager=two -f -");
      expect(await kubectl.ok("get boat bark -o jsonpath={.spec.crew[*].name}")).toBe("ann bob");
    });

    it("scales, patches and edits", async () => {
      expect(await kubectl.ok("scale boat bark --replicas=3")).toBe("boat.harbour.example.com/bark scaled");
      expect(await kubectl.ok("get boat bark -o jsonpath={.spec.masts}/{.metadata.generation}")).toBe("3/3");
      await kubectl.ok("patch boat bark --subresource=status --type=merge -p", '{"status":{"masts":3}}');
      expect(await kubectl.ok("get boat bark -o jsonpath={.status.masts}/{.metadata.generation}")).toBe("3/3");
      expect(await kubectl.with({ KUBE_EDITOR: "sed -i s/sailor/captain/" }).ok("edit boat bark")).toContain("edited");
      expect(await kubectl.fails("patch boat bark -p", "{}")).toContain("strategic-merge-patch+json");
    });

    it("takes its objects along when it goes", async () => {
      await cluster.ok("delete crd boats.harbour.example.com --timeout=30s");
      expect(await kubectl.fails("get boats")).toMatch(/NotFound|doesn't have a resource type/);
      await cluster.given(DEFINITION).ok("apply -f -");
      await cluster.ok("wait --for=condition=Established crd/boats.harbour.example.com --timeout=300s");
      expect(await kubectl.ok("get boats -o name")).toBe("");
    });
  });
}
