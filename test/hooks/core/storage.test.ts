import { describe, expect, it } from "vitest";
import { hooks as volumeHooks } from "../../../api-definitions/core/v1/persistent-volume.hooks.ts";
import { hooks as claimHooks } from "../../../api-definitions/core/v1/persistent-volume-claim.hooks.ts";
import { validateClaimTemplate } from "../../../api-definitions/core/v1/validation/claim-spec.ts";
import { type FieldError, fieldErrorText } from "../../../runtime/contract/field-error.ts";
import { contextWith, NOW, prepared, preparedChange, problemsOf, problemsOfChange, warningsOf } from "./run-hooks.ts";

const volumeSpec = {
  accessModes: ["ReadWriteOnce"],
  capacity: { storage: "1Gi" },
  persistentVolumeReclaimPolicy: "Retain",
  volumeMode: "Filesystem",
  hostPath: { path: "/data" },
};
const claimSpec = {
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage: "1Gi" } },
  volumeMode: "Filesystem",
};

function volume(changes: object) {
  return { metadata: { name: "v" }, spec: { ...volumeSpec, ...changes } };
}

function claim(changes: object, status: object = { phase: "Bound", capacity: { storage: "1Gi" } }) {
  return { metadata: { name: "c" }, spec: { ...claimSpec, ...changes }, status };
}

describe("a persistent volume", () => {
  it.each<[string, object, string[]]>([
    ["fine", {}, []],
    [
      "without size",
      { capacity: undefined },
      [
        "spec.capacity: Required value",
        'spec.capacity: Unsupported value: core.ResourceList(nil): supported values: "storage"',
      ],
    ],
    [
      "of nothing",
      { capacity: { storage: "0" } },
      ['spec.capacity[storage]: Invalid value: "0": must be greater than zero'],
    ],
    ["used in no way", { accessModes: [] }, ["spec.accessModes: Required value"]],
    [
      "used in an unknown way",
      { accessModes: ["Odd"] },
      [
        'spec.accessModes: Unsupported value: "Odd": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      ],
    ],
    [
      "for one pod and for many",
      { accessModes: ["ReadWriteOncePod", "ReadOnlyMany"] },
      ["spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes"],
    ],
    ["without storage", { hostPath: undefined }, ["spec: Required value: must specify a volume type"]],
    [
      "of two kinds",
      { cephfs: { monitors: ["a"] } },
      ["spec.cephFS: Forbidden: may not specify more than 1 volume type"],
    ],
    [
      "on a local disk of no node",
      { hostPath: undefined, local: { path: "/a/../b" } },
      [
        "spec.local.path: Invalid value: \"/a/../b\": must not contain '..'",
        "spec.nodeAffinity: Required value: Local volume requires node affinity",
      ],
    ],
    [
      "of a driver without handle",
      { hostPath: undefined, csi: { driver: "d", nodePublishSecretRef: {} } },
      [
        "spec.csi.volumeHandle: Required value",
        "spec.csi.nodePublishSecretRef.name: Required value",
        "spec.csi.nodePublishSecretRef.namespace: Required value",
      ],
    ],
    [
      "that recycles a whole node",
      { hostPath: { path: "/" }, persistentVolumeReclaimPolicy: "Recycle" },
      ["spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'"],
    ],
    [
      "of an odd mode",
      { volumeMode: "Tape" },
      ['spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"'],
    ],
  ])("%s", (_what, changes, expected) => {
    expect(problemsOf(volumeHooks, volume(changes))).toEqual(expected);
  });

  it("keeps its storage and its mode", () => {
    const change = volume({ hostPath: { path: "/other" }, volumeMode: "Block" });
    expect(problemsOfChange(volumeHooks, change, volume({}))).toEqual([
      expect.stringMatching(
        /^spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n {2}core.PersistentVolumeSource\{\n/,
      ),
      'volumeMode: Invalid value: "Block": field is immutable',
    ]);
  });

  it("may replace beta node labels in its node affinity by stable ones", () => {
    const on = (key: string) => ({
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: "In", values: ["a"] }] }] },
      },
    });
    const old = volume(on("beta.kubernetes.io/arch"));
    expect(problemsOfChange(volumeHooks, volume(on("kubernetes.io/arch")), old)).toEqual([]);
    expect(
      problemsOfChange(volumeHooks, volume(on("")), old).filter((problem) => problem.startsWith("nodeA")),
    ).toHaveLength(1);
    expect(
      problemsOfChange(volumeHooks, volume(on("")), volume(on("a"))).filter((problem) => problem.startsWith("nodeA")),
    ).toEqual([]);
    expect(problemsOfChange(volumeHooks, volume(on("kubernetes.io/os")), old)).toEqual([
      "nodeAffinity: Invalid value: core.VolumeNodeAffinity{Required:(*core.NodeSelector)(0xc000000000)}: field is immutable, except for updating from beta label to GA",
    ]);
  });

  it("records the time of the last phase change", () => {
    expect(prepared(volumeHooks, volume({}))).toMatchObject({
      status: { phase: "Pending", lastPhaseTransitionTime: NOW },
    });
    const old = { ...volume({}), status: { phase: "Pending", lastPhaseTransitionTime: "2025-01-01T00:00:00Z" } };
    const context = contextWith({ subresource: "status" });
    const change = { ...volume({}), status: { ...old.status, phase: "Bound" } };
    expect(preparedChange(volumeHooks, change, old, context).status).toEqual({
      phase: "Bound",
      lastPhaseTransitionTime: NOW,
    });
  });

  it("returns warnings for removed volume types", () => {
    expect(warningsOf(volumeHooks, volume({ hostPath: undefined, rbd: { monitors: ["a"], image: "i" } }))).toEqual([
      "spec.rbd: deprecated in v1.28, non-functional in v1.31+",
    ]);
  });
});

describe("a claim", () => {
  it("is validated twice on update, so its errors print two addresses", () => {
    const source = (name: string) => ({ kind: "PersistentVolumeClaim", name });
    const odd = claim({ dataSource: source("a"), dataSourceRef: source("b") });
    const problems = problemsOfChange(claimHooks, odd, odd);
    expect(problems).toHaveLength(2);
    expect(new Set(problems).size).toBe(2);
  });

  it("can be bound once; the volume name is not part of the error for other changes", () => {
    const bound = claim({ volumeName: "v", storageClassName: "b" });
    expect(problemsOfChange(claimHooks, bound, claim({ storageClassName: "a" }))).toEqual([
      expect.stringContaining('  \tVolumeName:       "v",\n'),
    ]);
    expect(problemsOfChange(claimHooks, claim({ volumeName: "v" }), claim({}))).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ["fine", {}, []],
    ["for no use", { accessModes: [] }, ["spec.accessModes: Required value: at least 1 access mode is required"]],
    ["of no size", { resources: {} }, ["spec.resources[storage]: Required value"]],
    [
      "of less than nothing",
      { resources: { requests: { storage: "-1" } } },
      ['spec.resources[storage]: Invalid value: "-1": must be greater than zero'],
    ],
    [
      "filled from two places",
      {
        dataSource: { kind: "PersistentVolumeClaim", name: "a" },
        dataSourceRef: { kind: "PersistentVolumeClaim", name: "b" },
      },
      [
        'spec: Invalid value: field.Path{name:"dataSource", index:"", parent:(*field.Path)(0xc000000000)}: must match dataSourceRef',
      ],
    ],
    [
      "filled from a kind of nobody's",
      { dataSource: { kind: "Book", name: "a" } },
      [
        "spec.dataSource: Invalid value: \"Book\": must be 'PersistentVolumeClaim' when referencing the default apiGroup",
      ],
    ],
  ])("%s", (_what, changes, expected) => {
    expect(problemsOf(claimHooks, claim(changes))).toEqual(expected);
  });

  it("has dataSource and dataSourceRef set to the same reference", () => {
    const source = { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "s" };
    expect(prepared(claimHooks, claim({ dataSource: source })).spec).toMatchObject({ dataSourceRef: source });
    expect(prepared(claimHooks, claim({ dataSourceRef: source })).spec).toMatchObject({ dataSource: source });
    const odd = { apiGroup: "example.com", kind: "Book", name: "b" };
    expect(prepared(claimHooks, claim({ dataSource: odd })).spec).not.toHaveProperty("dataSource");
    const foreign = prepared(claimHooks, claim({ dataSourceRef: { ...source, namespace: "there" } }));
    expect(foreign.spec).not.toHaveProperty("dataSourceRef");
  });

  it("can only grow when it is bound", () => {
    const bigger = { resources: { requests: { storage: "2Gi" } } };
    const detail = expect.stringMatching(
      /^spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n {2}core.PersistentVolumeClaimSpec\{\n/,
    );
    expect(problemsOfChange(claimHooks, claim(bigger), claim({}))).toEqual([]);
    expect(problemsOfChange(claimHooks, claim(bigger, { phase: "Pending" }), claim({}, { phase: "Pending" }))).toEqual([
      detail,
    ]);
    expect(problemsOfChange(claimHooks, claim({ accessModes: ["ReadOnlyMany"] }), claim({}))).toEqual([detail]);
    expect(problemsOfChange(claimHooks, claim({ volumeName: "v" }), claim({}))).toEqual([]);
    expect(problemsOfChange(claimHooks, claim({ storageClassName: "s" }), claim({}))).toEqual([]);
  });

  it("can shrink only after a failed expansion, never below the size of the volume", () => {
    const sized = (size: string) => claim({ resources: { requests: { storage: size } } });
    const recovering = contextWith({}, ["RecoverVolumeExpansionFailure"]);
    expect(problemsOfChange(claimHooks, sized("2Gi"), sized("3Gi"))).toEqual([
      "spec.resources.requests.storage: Forbidden: field can not be less than previous value",
    ]);
    expect(problemsOfChange(claimHooks, sized("2Gi"), sized("3Gi"), recovering)).toEqual([]);
    expect(problemsOfChange(claimHooks, sized("1Gi"), sized("3Gi"), recovering)).toEqual([
      "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity",
    ]);
  });

  it("returns a warning for fractional bytes", () => {
    expect(warningsOf(claimHooks, claim({ resources: { requests: { storage: "1500m" } } }))).toEqual([
      'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
    ]);
  });
});

describe("the claim of an ephemeral volume", () => {
  it("is validated like any other claim, without a name", () => {
    const errors: FieldError[] = [];
    const template = { metadata: { name: "n", labels: { a: "b" } }, spec: { ...claimSpec, accessModes: [] } };
    validateClaimTemplate(template as never, "t", errors, contextWith());
    expect(errors.map(fieldErrorText)).toEqual([
      "t.metadata.name: Forbidden: cannot be set",
      "t.spec.accessModes: Required value: at least 1 access mode is required",
    ]);
  });
});
