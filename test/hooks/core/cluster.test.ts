import { describe, expect, it } from "vitest";
import { hooks as endpointsHooks } from "../../../api-definitions/core/v1/endpoints.hooks.ts";
import { hooks as eventHooks } from "../../../api-definitions/core/v1/event.hooks.ts";
import { hooks as limitRangeHooks } from "../../../api-definitions/core/v1/limit-range.hooks.ts";
import { hooks as namespaceHooks } from "../../../api-definitions/core/v1/namespace.hooks.ts";
import { hooks as nodeHooks } from "../../../api-definitions/core/v1/node.hooks.ts";
import type { Node } from "../../../api-definitions/core/v1/node.ts";
import { DEFAULT_CONTEXT } from "../../fixtures/default-context.ts";
import { contextWith, prepared, preparedChange, problemsOf, problemsOfChange } from "./run-hooks.ts";

describe("a namespace", () => {
  it("has a finalizer until it is empty", () => {
    expect(prepared(namespaceHooks, { spec: { finalizers: ["example.com/mine"] }, status: {} })).toEqual({
      spec: { finalizers: ["example.com/mine", "kubernetes"] },
      status: { phase: "Active" },
    });
    const metadata = { deletionTimestamp: "2030-01-01T00:00:00Z" };
    expect(namespaceHooks.lifecycle?.holdsDeletion?.({ metadata, spec: { finalizers: ["kubernetes"] } })).toBe(true);
    expect(namespaceHooks.lifecycle?.holdsDeletion?.({ metadata, spec: {} })).toBe(false);
    expect(namespaceHooks.lifecycle?.holdsDeletion?.({ metadata: {}, spec: {} })).toBe(true);
  });

  it("changes its finalizers through `finalize` only", () => {
    const old = { spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } };
    const change = { spec: {}, status: { phase: "Terminating" } };
    expect(preparedChange(namespaceHooks, change, old).spec).toEqual(old.spec);
    const finalize = contextWith({ subresource: "finalize" });
    expect(preparedChange(namespaceHooks, change, old, finalize)).toEqual({ spec: {}, status: old.status });
    expect(problemsOfChange(namespaceHooks, { spec: { finalizers: ["kubernetes", "odd"] } }, old, finalize)).toEqual([
      'spec.finalizers[1]: Invalid value: "odd": name is neither a standard finalizer name nor is it fully qualified',
    ]);
  });

  it("has a phase that shows whether it is being deleted", () => {
    const context = contextWith({ subresource: "status" });
    expect(problemsOfChange(namespaceHooks, { metadata: {}, status: { phase: "Terminating" } }, {}, context)).toEqual([
      "status.Phase: Invalid value: \"Terminating\": may only be 'Active' if `deletionTimestamp` is empty",
    ]);
  });
});

describe("a limit range", () => {
  it("without a name gets a generated one", () => {
    expect(prepared(limitRangeHooks, { metadata: {} })).toEqual({ metadata: { name: "a-new-uid" } });
    expect(prepared(limitRangeHooks, { metadata: { name: "mine" } })).toEqual({ metadata: { name: "mine" } });
  });
});

describe("a node", () => {
  it("has podCIDR and podCIDRs", () => {
    const single = { spec: { podCIDR: "10.1.0.0/24" } } as Node;
    nodeHooks.default?.(single, DEFAULT_CONTEXT);
    expect(single.spec?.podCIDRs).toEqual(["10.1.0.0/24"]);
    const plural = { spec: { podCIDRs: ["10.1.0.0/24", "fd00::/64"] } } as Node;
    nodeHooks.default?.(plural, DEFAULT_CONTEXT);
    expect(plural.spec?.podCIDR).toBe("10.1.0.0/24");
  });

  it("must have valid, unique taints and at most one pod CIDR per IP family", () => {
    const taint = { key: "a", effect: "NoSchedule" };
    const node = {
      spec: { taints: [taint, taint, { key: "b", effect: "Never" }], podCIDRs: ["10.0.0.0/24", "10.1.0.0/24"] },
    };
    expect(problemsOf(nodeHooks, node)).toEqual([
      'metadata.taints[1]: Duplicate value: core.Taint{Key:"a", Value:"", Effect:"NoSchedule", TimeAdded:<nil>}: taints must be unique by key and effect pair',
      'metadata.taints[2].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      'spec.podCIDRs: Invalid value: []string{"10.0.0.0/24", "10.1.0.0/24"}: may specify no more than one CIDR for each IP family',
    ]);
  });

  it("cannot change its pod CIDRs and its provider ID", () => {
    const old = { spec: { podCIDRs: ["10.0.0.0/24"], providerID: "a" } };
    expect(problemsOfChange(nodeHooks, { spec: { podCIDRs: ["10.1.0.0/24"], providerID: "b" } }, old)).toEqual([
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    ]);
    expect(problemsOfChange(nodeHooks, old, { spec: {} })).toEqual([]);
  });

  it("may be created with a status, but not with a configSource", () => {
    const node = { spec: { configSource: {} }, status: { capacity: { cpu: "1" }, config: {} } };
    expect(prepared(nodeHooks, node)).toEqual({ spec: {}, status: { capacity: { cpu: "1" } } });
    expect(nodeHooks.lifecycle?.acceptsStatusOnCreate).toBe(true);
  });
});

describe("endpoints", () => {
  it("must have valid addresses and named ports", () => {
    const subsets = [
      {},
      {
        addresses: [{ ip: "169.254.1.1" }, { ip: "x" }],
        ports: [
          { port: 1, protocol: "TCP" },
          { name: "a", port: 0, protocol: "X" },
        ],
      },
    ];
    expect(problemsOf(endpointsHooks, { subsets })).toEqual([
      "subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`",
      'subsets[1].addresses[0].ip: Invalid value: "169.254.1.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
      'subsets[1].addresses[1].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'subsets[1].addresses[1].ip: Invalid value: "x": must be a valid IP address',
      "subsets[1].ports[0].name: Required value",
      "subsets[1].ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive",
      'subsets[1].ports[1].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
    ]);
    expect(problemsOfChange(endpointsHooks, { subsets }, { subsets })).toEqual([]);
  });
});

describe("an event", () => {
  const event = { metadata: { name: "e", namespace: "here" }, involvedObject: { namespace: "here" } };
  const modern = contextWith({ apiVersion: "events.k8s.io/v1" });

  it("must be in the namespace of the object that it is about", () => {
    expect(problemsOf(eventHooks, { ...event, involvedObject: { namespace: "there" } })).toEqual([
      'involvedObject.namespace: Invalid value: "there": does not match event.namespace',
    ]);
    expect(problemsOf(eventHooks, event)).toEqual([]);
  });

  it("needs finalizers with a domain in events.k8s.io", () => {
    const old = { ...event, type: "Normal" };
    const finalized = { ...old, metadata: { ...old.metadata, finalizers: ["a"] } };
    expect(problemsOfChange(eventHooks, finalized, old, modern)).toEqual([
      'metadata.finalizers[0]: Invalid value: "a": name is neither a standard finalizer name nor is it fully qualified',
    ]);
    expect(problemsOfChange(eventHooks, finalized, old)).toEqual([]);
    const created = { ...finalized, eventTime: undefined, metadata: { ...finalized.metadata, name: "A" } };
    expect(problemsOf(eventHooks, created, modern)).toEqual([
      expect.stringContaining('metadata.name: Invalid value: "A"'),
      'metadata.finalizers[0]: Invalid value: "a": name is neither a standard finalizer name nor is it fully qualified',
      "eventTime: Required value",
    ]);
  });

  it("needs a reporting controller and an action if it has an eventTime", () => {
    expect(problemsOf(eventHooks, { ...event, eventTime: "2026-01-02T03:04:05.000000Z" })).toEqual([
      "reportingComponent: Required value",
      'reportingComponent: Invalid value: "": name part must be non-empty',
      "reportingComponent: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      "reportingInstance: Required value",
      "action: Required value",
      "reason: Required value",
    ]);
  });

  it("must not set deprecated fields in events.k8s.io, and only its series may change", () => {
    expect(problemsOf(eventHooks, { ...event, count: 1, type: "Odd" }, modern)).toEqual([
      "eventTime: Required value",
      'type: Invalid value: "": has invalid value: Odd',
      'count: Invalid value: "": needs to be unset',
    ]);
    expect(problemsOfChange(eventHooks, { ...event, message: "b" }, { ...event, message: "a" }, modern)).toEqual([
      'message: Invalid value: "b": field is immutable',
    ]);
    expect(problemsOfChange(eventHooks, { ...event, message: "b" }, { ...event, message: "a" })).toEqual([]);
  });
});
