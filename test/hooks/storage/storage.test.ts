import { describe, expect, it } from "vitest";
import { hooks as leaseHooks } from "../../../api-definitions/coordination/v1/lease.hooks.ts";
import { hooks as candidateHooks } from "../../../api-definitions/coordination/v1beta1/lease-candidate.hooks.ts";
import { hooks as runtimeClassHooks } from "../../../api-definitions/node/v1/runtime-class.hooks.ts";
import { hooks as priorityClassHooks } from "../../../api-definitions/scheduling/v1/priority-class.hooks.ts";
import { hooks as driverHooks } from "../../../api-definitions/storage/v1/csi-driver.hooks.ts";
import { hooks as nodeHooks } from "../../../api-definitions/storage/v1/csi-node.hooks.ts";
import { hooks as classHooks } from "../../../api-definitions/storage/v1/storage-class.hooks.ts";
import { hooks as attachmentHooks } from "../../../api-definitions/storage/v1/volume-attachment.hooks.ts";
import { noteGivenEmpty } from "../../../runtime/go/source-notes.ts";
import { contextFor, refusals, withValue } from "../refusals.ts";

const storageClass = { provisioner: "csi.example.com", reclaimPolicy: "Delete", volumeBindingMode: "Immediate" };

describe("a storage class", () => {
  it.each<[path: string, value: unknown, ...problems: string[]]>([
    ["provisioner", "example.com/disk"],
    ["provisioner", "", "provisioner: Required value"],
    ["reclaimPolicy", "Burn", 'reclaimPolicy: Unsupported value: "Burn": supported values: "Delete", "Retain"'],
    [
      "volumeBindingMode",
      "Odd",
      'volumeBindingMode: Unsupported value: "Odd": supported values: "Immediate", "WaitForFirstConsumer"',
    ],
    ["parameters", { "": "x" }, 'parameters: Invalid value: "": field can not be empty.'],
    [
      "allowedTopologies",
      [
        {
          matchLabelExpressions: [
            { key: "zone", values: ["a", "a"] },
            { key: "zone", values: [] },
          ],
        },
      ],
      'allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "a"',
      "allowedTopologies[0].matchLabelExpressions[1].values: Required value",
      'allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: "zone"',
    ],
  ])("is checked for %s = %j", (path, value, ...problems) => {
    expect(refusals(classHooks, withValue(storageClass, path, value))).toEqual(problems);
  });

  it("cannot change its parameters", () => {
    const changed = { ...storageClass, provisioner: "other.example.com", parameters: { a: "b" } };
    expect(refusals(classHooks, changed, { old: storageClass })).toEqual([
      "parameters: Forbidden: updates to parameters are forbidden.",
      "provisioner: Forbidden: updates to provisioner are forbidden.",
    ]);
  });

  it("cannot set empty parameters where it has none", () => {
    const changed = { ...storageClass };
    noteGivenEmpty(changed, "parameters", {});
    expect(classHooks.validation?.update?.(changed as never, storageClass as never, contextFor() as never)).toEqual([
      {
        field: "parameters",
        reason: "FieldValueForbidden",
        message: "Forbidden: updates to parameters are forbidden.",
      },
    ]);
  });

  it("returns a warning for deprecated node labels", () => {
    const key = "failure-domain.beta.kubernetes.io/zone";
    const object = { ...storageClass, allowedTopologies: [{ matchLabelExpressions: [{ key, values: ["a"] }] }] };
    expect(classHooks.warn?.(object as never, contextFor())).toEqual([
      'allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    ]);
  });
});

describe("drivers of volumes", () => {
  const spec = {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    volumeLifecycleModes: ["Persistent"],
  };

  it.each<[path: string, value: unknown, ...problems: string[]]>([
    ["spec.fsGroupPolicy", "File"],
    ["spec.attachRequired", undefined, "spec.attachedRequired: Required value"],
    [
      "spec.fsGroupPolicy",
      "Odd",
      'spec.fsGroupPolicy: Unsupported value: "Odd": supported values: "File", "None", "ReadWriteOnceWithFSType"',
    ],
    [
      "spec.volumeLifecycleModes",
      ["Odd"],
      'spec.volumeLifecycleModes: Unsupported value: "Odd": supported values: "Persistent", "Ephemeral"',
    ],
    [
      "spec.tokenRequests",
      [{ audience: "a", expirationSeconds: 5 }, { audience: "a" }],
      "spec.tokenRequests[0].expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes",
      'spec.tokenRequests[1].audience: Duplicate value: "a"',
    ],
  ])("are checked for %s = %j", (path, value, ...problems) => {
    expect(refusals(driverHooks, withValue({ spec }, path, value))).toEqual(problems);
  });

  it("of a node are unique and immutable", () => {
    const node = (nodeID: string) => ({ spec: { drivers: [{ name: "a.example.com", nodeID }] } });
    expect(refusals(nodeHooks, { spec: { drivers: [...node("1").spec.drivers, ...node("2").spec.drivers] } })).toEqual([
      'spec.drivers[1].name: Duplicate value: "a.example.com"',
    ]);
    expect(refusals(nodeHooks, node("2"), { old: node("1") })).toEqual([
      'spec.drivers: Invalid value: storage.CSINodeDriver{Name:"a.example.com", NodeID:"2", TopologyKeys:[]string(nil), Allocatable:(*storage.VolumeNodeResources)(nil)}: field is immutable',
    ]);
  });

  it("have names and IDs whose length is counted in bytes", () => {
    const node = (name: string, nodeID: string) => ({ spec: { drivers: [{ name, nodeID }] } });
    expect(refusals(nodeHooks, node("a.example.com", "é".repeat(128)))).toEqual([]);
    expect(refusals(nodeHooks, node("a.example.com", "é".repeat(129)))).toEqual([
      `spec.drivers[0].nodeID: Invalid value: "${"é".repeat(129)}": must be 256 characters or less`,
    ]);
    expect(refusals(nodeHooks, node("é".repeat(32), "1"))[0]).toBe(
      "spec.drivers[0].name: Too long: may not be more than 63 bytes",
    );
  });

  it("cannot change the volume or node of a VolumeAttachment", () => {
    const attachment = { spec: { attacher: "a.example.com", nodeName: "n1", source: { persistentVolumeName: "v" } } };
    expect(refusals(attachmentHooks, attachment)).toEqual([]);
    expect(refusals(attachmentHooks, withValue(attachment, "spec.source", {}))).toEqual([
      "spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName",
    ]);
    expect(refusals(attachmentHooks, withValue(attachment, "spec.nodeName", "n2"), { old: attachment })).toEqual([
      'spec: Invalid value: storage.VolumeAttachmentSpec{Attacher:"a.example.com", Source:storage.VolumeAttachmentSource{PersistentVolumeName:(*string)(0xc000000000), InlineVolumeSpec:(*core.PersistentVolumeSpec)(nil)}, NodeName:"n2"}: field is immutable',
    ]);
  });

  it.each<[inline: object, ...problems: string[]]>([
    [{ accessModes: ["ReadWriteOnce"], csi: { driver: "a.example.com", volumeHandle: "h" }, volumeMode: "Filesystem" }],
    [
      { capacity: { storage: "1Gi" }, claimRef: { name: "c" }, storageClassName: "fast", volumeMode: "Block" },
      "claimRef: Forbidden: may not be specified in the context of inline volumes",
      "capacity: Forbidden: may not be specified in the context of inline volumes",
      "csi: Required value: has to be specified in the context of inline volumes",
      "accessModes: Required value",
      ": Required value: must specify a volume type",
      "storageClassName: Forbidden: may not be specified in the context of inline volumes",
      "volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes",
    ],
    [
      {
        accessModes: ["ReadOnlyMany"],
        csi: { driver: "a.example.com" },
        persistentVolumeReclaimPolicy: "Delete",
        nodeAffinity: { required: { nodeSelectorTerms: [] } },
      },
      "persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes",
      "nodeAffinity: Forbidden: may not be specified in the context of inline volumes",
      "csi.volumeHandle: Required value",
    ],
    [
      { accessModes: ["ReadOnlyMany"], local: { path: "/a" }, csi: { driver: "a.example.com", volumeHandle: "h" } },
      "nodeAffinity: Required value: Local volume requires node affinity",
      "csi: Forbidden: may not specify more than 1 volume type",
    ],
  ])("attach the volume of one pod, described on the spot: %j", (inlineVolumeSpec, ...problems) => {
    const attachment = { spec: { attacher: "a.example.com", nodeName: "n1", source: { inlineVolumeSpec } } };
    const path = "spec.source.inlineVolumeSpec";
    const expected = problems.map((problem) => (problem.startsWith(":") ? `${path}${problem}` : `${path}.${problem}`));
    expect(refusals(attachmentHooks, attachment)).toEqual(expected);
  });

  it("attach a volume that exists or one described on the spot, not both", () => {
    const source = { persistentVolumeName: "v", inlineVolumeSpec: {} };
    expect(refusals(attachmentHooks, { spec: { attacher: "a.example.com", nodeName: "n1", source } })).toEqual([
      "spec.source: Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName",
    ]);
  });

  it("cannot change metadata through the status", () => {
    const old = { metadata: { name: "a", labels: { x: "1" } }, spec: {} };
    const written = { metadata: { name: "a", labels: { x: "2" }, annotations: { y: "1" } }, spec: {} };
    attachmentHooks.lifecycle?.prepareForUpdate?.(
      written as never,
      old as never,
      contextFor({ subresource: "status" }),
    );
    expect(written.metadata).toEqual({ name: "a", labels: { x: "1" } });
  });
});

describe("classes of priority and runtime", () => {
  it.each<[object: object, ...problems: string[]]>([
    [{ metadata: { name: "high" }, value: 1000, preemptionPolicy: "Never" }],
    [
      { metadata: { name: "high" }, value: 2_000_000_000 },
      "value: Forbidden: maximum allowed value of a user defined priority is 1000000000",
    ],
    [{ metadata: { name: "system-node-critical" }, value: 2_000_001_000 }],
    [
      { metadata: { name: "system-x" }, value: 1 },
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-x is not a known system priority class",
    ],
    [
      { metadata: { name: "high" }, value: 1, preemptionPolicy: "Odd" },
      'preemptionPolicy: Unsupported value: "Odd": supported values: "PreemptLowerPriority", "Never"',
    ],
  ])("of priority are checked: %j", (object, ...problems) => {
    expect(refusals(priorityClassHooks, object)).toEqual(problems);
  });

  it("of priority keep their value", () => {
    expect(refusals(priorityClassHooks, { value: 2 }, { old: { value: 1 } })).toEqual([
      "value: Forbidden: may not be changed in an update.",
    ]);
  });

  it("of runtime have a handler and unique tolerations", () => {
    const toleration = { key: "a", operator: "Exists" };
    expect(refusals(runtimeClassHooks, { handler: "runc" })).toEqual([]);
    expect(
      refusals(runtimeClassHooks, { handler: "runc", scheduling: { tolerations: [toleration, toleration] } }),
    ).toEqual([
      'scheduling.tolerations[1]: Duplicate value: core.Toleration{Key:"a", Operator:"Exists", Value:"", Effect:"", TolerationSeconds:(*int64)(nil)}',
    ]);
  });
});

describe("leases", () => {
  it("must have a positive duration and a number of transitions that is not negative", () => {
    expect(
      refusals(leaseHooks, { spec: { leaseDurationSeconds: 0, leaseTransitions: -1, preferredHolder: "a" } }),
    ).toEqual([
      "spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0",
      "spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0",
      "spec.preferredHolder: Forbidden: may only be specified if `strategy` is defined",
    ]);
  });

  it.each<[spec: object, ...problems: string[]]>([
    [{ leaseName: "l", binaryVersion: "1.33.0", emulationVersion: "1.32.0", strategy: "OldestEmulationVersion" }],
    [
      { leaseName: "l", binaryVersion: "1.32.0", emulationVersion: "1.33.0", strategy: "OldestEmulationVersion" },
      'spec.binaryVersion: Invalid value: "1.32.0": must be greater than or equal to `emulationVersion`',
    ],
    [
      { binaryVersion: "new" },
      "spec.leaseName: Required value",
      'spec.binaryVersion: Invalid value: "new": must be a valid semantic version',
      "spec.strategy: Required value",
    ],
  ])("have candidates: %j", (spec, ...problems) => {
    expect(refusals(candidateHooks, { spec })).toEqual(problems);
  });
});
