import { describe, expect, it } from "vitest";
import { hooks as revision } from "../../api-definitions/apps/v1/controller-revision.hooks.ts";
import { hooks as event } from "../../api-definitions/core/v1/event.hooks.ts";
import { hooks as driver } from "../../api-definitions/storage/v1/csi-driver.hooks.ts";
import { hooks as storageClass } from "../../api-definitions/storage/v1/storage-class.hooks.ts";
import { contextFor, refusals } from "./refusals.ts";

describe("a changed event of the new group", () => {
  const old = {
    metadata: { namespace: "default" },
    involvedObject: { kind: "Pod", name: "p" },
    eventTime: "2030-01-02T03:04:05.000000Z",
    reportingComponent: "example.com/c",
    reportingInstance: "i",
    action: "act",
    reason: "why",
    message: "text",
    type: "Normal",
  };
  const changed = (change: object) =>
    refusals(event, { ...old, ...change }, { old, apiVersion: "events.k8s.io/v1" }).filter((text) =>
      text.endsWith("immutable"),
    );

  it("shows references, texts and times as Kubernetes does", () => {
    expect(changed({ involvedObject: { kind: "Pod", name: "q" } })).toEqual([
      'involvedObject: Invalid value: core.ObjectReference{Kind:"Pod", Namespace:"", Name:"q", UID:"", APIVersion:"", ResourceVersion:"", FieldPath:""}: field is immutable',
    ]);
    expect(changed({ message: undefined })).toEqual(['message: Invalid value: "": field is immutable']);
    expect(changed({ source: { component: "c" } })).toEqual([
      'source: Invalid value: core.EventSource{Component:"c", Host:""}: field is immutable',
    ]);
    expect(changed({ eventTime: "2031-01-02T03:04:05.500000Z" })).toEqual([
      "eventTime: Invalid value: 2031-01-02 03:04:05.5 +0000 UTC: field is immutable",
    ]);
    expect(changed({ lastTimestamp: "2031-01-02T03:04:05Z" })).toEqual([
      "lastTimestamp: Invalid value: 2031-01-02 03:04:05 +0000 UTC: field is immutable",
    ]);
  });
});

describe("a changed CSI driver", () => {
  it("has a generation from its first change on", () => {
    const old = { metadata: { name: "one" }, spec: { podInfoOnMount: false } };
    const same = structuredClone(old);
    driver.lifecycle?.prepareForUpdate?.(same, old, contextFor());
    expect(same.metadata).toEqual({ name: "one" });
    const changed = { ...structuredClone(old), spec: { podInfoOnMount: true } };
    driver.lifecycle?.prepareForUpdate?.(changed, old, contextFor());
    expect(changed.metadata).toEqual({ name: "one", generation: 1 });
  });
});

describe("topologies of a storage class", () => {
  it("that are empty are reported once per term and per duplicate", () => {
    const at = (index: number) => `allowedTopologies[${index}].matchLabelExpressions: Duplicate value: ""`;
    const terms = [{}, { matchLabelExpressions: [{ key: "zone", values: ["a"] }] }, {}];
    const found = refusals(storageClass, { provisioner: "p", reclaimPolicy: "Delete", allowedTopologies: terms });
    expect(found.filter((text) => text.startsWith("allowedTopologies"))).toEqual([
      ...Array(3).fill(at(0)),
      ...Array(4).fill(at(2)),
    ]);
  });
});

describe("the data of a controller revision", () => {
  it("is printed as empty if it was removed", () => {
    expect(refusals(revision, { revision: 1 }, { old: { data: { a: 1 }, revision: 1 } })).toEqual([
      "data: Invalid value: runtime.RawExtension{Raw:[]uint8(nil), Object:runtime.Object(nil)}: field is immutable",
    ]);
    expect(refusals(revision, { data: 1, revision: 1 }, { old: { data: { a: 1 }, revision: 1 } })).toEqual([
      "data: Invalid value: runtime.RawExtension{Raw:[]uint8{0x31}, Object:runtime.Object(nil)}: field is immutable",
    ]);
  });
});
