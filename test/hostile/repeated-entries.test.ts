import { describe, it } from "vitest";
import { hooks as pod } from "../../api-definitions/core/v1/pod.hooks.ts";
import { hooks as resourceQuota } from "../../api-definitions/core/v1/resource-quota.hooks.ts";
import { hooks as csiNode } from "../../api-definitions/storage/v1/csi-node.hooks.ts";
import { validateTopologies } from "../../api-definitions/storage/v1/topology-validation.ts";
import type { StoredKind } from "../../runtime/kinds/served-resource.ts";
import { planDeletion } from "../../runtime/resource/delete-object.ts";
import { validateMetadataUpdate } from "../../runtime/schema/validate-metadata.ts";
import { contextFor, refusals } from "../hooks/refusals.ts";
import { expectLinear } from "./growth.ts";

const times = <T>(size: number, make: (index: number) => T): T[] =>
  Array.from({ length: size }, (_, index) => make(index));

/* Lists of many equal entries, each of which Kubernetes compares with every other, or reports together with the whole list. */
describe("a list of many entries takes linear time:", () => {
  it.each([
    ["ports of one number", () => ({ containerPort: 80 })],
    [
      "ports of one number on different ports of the host",
      (index: number) => ({ containerPort: 80, hostPort: index + 1 }),
    ],
  ])("%s in a pod", async (_, port) => {
    await expectLinear(
      (size) => ({ spec: { containers: [{ name: "a", image: "a", ports: times(size, port) }] } }),
      (object) => pod.warn?.(object as never, contextFor()),
      { size: 5000 },
    );
  });

  it.each(["Terminating", "Unknown"])("the scope %s of a ResourceQuota", async (scope) => {
    await expectLinear(
      (size) => ({ metadata: { name: "a" }, spec: { hard: { services: "1" }, scopes: times(size, () => scope) } }),
      (object) => refusals(resourceQuota, object),
      { size: 2000 },
    );
  });

  it.each([
    [
      "values of a topology",
      (size: number) => [{ matchLabelExpressions: [{ key: "a", values: times(size, String) }] }],
    ],
    ["empty topologies", (size: number) => times(size, () => ({}))],
    [
      "different topologies",
      (size: number) => times(size, (index) => ({ matchLabelExpressions: [{ key: "a", values: [`v${index}`] }] })),
    ],
  ])("%s of a StorageClass", async (_, topologies) => {
    await expectLinear(topologies, (terms) => validateTopologies(terms, "allowedTopologies", []), { size: 5000 });
  });

  it("drivers of one name, and topology keys, in a CSINode", async () => {
    await expectLinear(
      (size) => ({
        metadata: { name: "a" },
        spec: {
          drivers: [
            ...times(size, (index) => ({ name: "a", nodeID: `n${index}` })),
            { name: "b", nodeID: "n", topologyKeys: times(size, () => "key") },
          ],
        },
      }),
      (object) => refusals(csiNode, object, { old: object }),
      { size: 2000 },
    );
  });

  const finalizers = (size: number) => times(size, (index) => `example.com/f${index}`);

  it.each(["Background", "Orphan", "Foreground"] as const)(
    "finalizers of an object that is deleted with %s",
    async (policy) => {
      await expectLinear(
        (size) => ({ metadata: { name: "a", finalizers: finalizers(size) } }),
        (object) => planDeletion({ hooks: {} } as StoredKind, object, { propagationPolicy: policy }, new Date(0)),
        { size: 5000 },
      );
    },
  );

  it("finalizers of an object that is being deleted", async () => {
    await expectLinear(
      (size) => ({ deletionTimestamp: "2030-01-01T00:00:00Z", resourceVersion: "1", finalizers: finalizers(size) }),
      (metadata) => validateMetadataUpdate(metadata, metadata),
      { size: 5000 },
    );
  });
});
