import { describe, expect, it } from "vitest";
import { hooks } from "../../../api-definitions/discovery/v1/endpoint-slice.hooks.ts";
import { contextFor, refusals, withValue } from "../refusals.ts";

const slice = {
  metadata: { name: "a" },
  addressType: "IPv4",
  endpoints: [{ addresses: ["10.0.0.1"] }],
  ports: [] as object[],
};

describe("a slice of endpoints", () => {
  it.each<[path: string, value: unknown, ...problems: string[]]>([
    ["ports", [{ name: "http", protocol: "TCP" }]],
    ["addressType", "Odd", 'addressType: Unsupported value: "Odd": supported values: "FQDN", "IPv4", "IPv6"'],
    ["endpoints", [{ addresses: [] }], "endpoints[0].addresses: Required value: must contain at least 1 address"],
    [
      "endpoints",
      [{ addresses: ["::1"] }],
      'endpoints[0].addresses: Invalid value: "::1": must be an IPv4 address',
      'endpoints[0].addresses[0]: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ],
    [
      "endpoints",
      [{ addresses: ["x"] }],
      'endpoints[0].addresses[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
    [
      "endpoints",
      [{ addresses: ["10.0.0.1"], hints: { forZones: [{ name: "a" }, { name: "a" }] } }],
      'endpoints[0].hints.forZones[1].name: Duplicate value: "a"',
    ],
    [
      "ports",
      [
        { name: "a", protocol: "ICMP" },
        { name: "a", protocol: "TCP" },
      ],
      'ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
      'ports[1].name: Duplicate value: "a"',
    ],
    [
      "endpoints",
      Array.from({ length: 1001 }, () => ({ addresses: ["10.0.0.1"] })),
      "endpoints: Too many: 1001: must have at most 1000 items",
    ],
  ])("is checked for %s = %j", (path, value, ...problems) => {
    expect(refusals(hooks, withValue(slice, path, value))).toEqual(problems);
  });

  it.each([
    ["web.example.com.", []],
    [
      "web",
      [
        'endpoints[0].addresses[0]: Invalid value: "web": should be a domain with at least two segments separated by dots',
      ],
    ],
    ["", ["endpoints[0].addresses[0]: Required value"]],
  ])("may name a host: %s", (name, problems) => {
    expect(refusals(hooks, { addressType: "FQDN", endpoints: [{ addresses: [name] }] })).toEqual(problems);
  });

  it("is not validated again where it did not change", () => {
    const old = withValue(slice, "endpoints", [{ addresses: ["x"] }]);
    expect(refusals(hooks, old, { old })).toEqual([]);
  });

  it("warns about addresses that are not in canonical form, unless a known controller wrote them", () => {
    const odd = withValue(slice, "endpoints", [{ addresses: ["010.0.0.1"] }]);
    expect(hooks.warn?.(odd as never, contextFor())).toHaveLength(1);
    const label = { "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io" };
    expect(hooks.warn?.(withValue(odd, "metadata.labels", label) as never, contextFor())).toEqual([]);
  });

  it("has nodes' names of its deprecated topology as nodeName when v1 changes it", () => {
    const old = {
      ...slice,
      endpoints: [{ addresses: ["10.0.0.1"], deprecatedTopology: { "kubernetes.io/hostname": "one", rack: "7" } }],
    };
    const at = (host: string, more: object = {}) => ({
      addresses: ["10.0.0.2"],
      deprecatedTopology: { "kubernetes.io/hostname": host },
      ...more,
    });
    const change = { ...slice, endpoints: [at("one"), at("two"), at("one", { nodeName: "three" })] };
    const context = contextFor({ apiVersion: "discovery.k8s.io/v1" });
    hooks.lifecycle?.prepareForUpdate?.(change as never, old as never, context);
    expect(change.endpoints).toEqual([
      { addresses: ["10.0.0.2"], nodeName: "one" },
      { addresses: ["10.0.0.2"] },
      { addresses: ["10.0.0.2"], nodeName: "three" },
    ]);
  });

  it("counts changed labels as a new generation, but no annotations", () => {
    expect(
      hooks.lifecycle?.raisesGeneration?.(withValue(slice, "metadata.labels", { a: "b" }) as never, slice as never),
    ).toBe(true);
    expect(
      hooks.lifecycle?.raisesGeneration?.(
        withValue(slice, "metadata.annotations", { a: "b" }) as never,
        slice as never,
      ),
    ).toBe(false);
  });
});
