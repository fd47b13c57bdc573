import { describe, expect, it } from "vitest";
import { hooks as taintHooks } from "../../../api-definitions/resource/v1alpha3/device-taint-rule.hooks.ts";
import { hooks as oldSliceHooks } from "../../../api-definitions/resource/v1alpha3/resource-slice.hooks.ts";
import { hooks as classHooks } from "../../../api-definitions/resource/v1beta1/device-class.hooks.ts";
import { hooks as claimHooks } from "../../../api-definitions/resource/v1beta1/resource-claim.hooks.ts";
import { hooks as sliceHooks } from "../../../api-definitions/resource/v1beta1/resource-slice.hooks.ts";
import { hooks as newSliceHooks } from "../../../api-definitions/resource/v1beta2/resource-slice.hooks.ts";
import { DEFAULT_CONTEXT } from "../../fixtures/default-context.ts";
import { problemsOfChange } from "../core/run-hooks.ts";
import { contextFor, refusals, withValue } from "../refusals.ts";

const claim = {
  spec: {
    devices: {
      requests: [{ name: "gpu", deviceClassName: "gpu", allocationMode: "ExactCount", count: 1 }] as object[],
    },
  },
};
const at = "spec.devices.requests[0]";

describe("a CEL expression that selects devices", () => {
  const problems = (expression: string) =>
    refusals(classHooks, { spec: { selectors: [{ cel: { expression } }] } }).map((problem) =>
      problem.replace("spec.selectors[0].cel.expression: ", ""),
    );

  it.each([
    'device.driver == "gpu.example.com" && device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("1Gi"))',
    'device.attributes["gpu.example.com"].ready',
    'cel.bind(gpu, device.attributes["gpu.example.com"], gpu.ready && gpu.cores > 4)',
    'device.attributes["gpu.example.com"].version.isGreaterThan(semver("1.2.0"))',
  ])("is compiled: %s", (expression) => {
    expect(problems(expression)).toEqual([]);
  });

  it("must return a bool if its type is known", () => {
    expect(problems("device.driver")).toEqual([
      'Invalid value: "device.driver": must evaluate to bool or the unknown type, not string',
    ]);
    expect(problems("device.nothing")).toEqual([
      expect.stringMatching(
        /^Invalid value: "device.nothing": compilation failed: ERROR: <input>:1:7: undefined field/,
      ),
    ]);
  });

  it("must not exceed the cost limit", () => {
    const loops = "device.attributes.all(a, ".repeat(5);
    expect(problems(`${loops}true${")".repeat(5)}`)).toEqual(["Forbidden: too complex, exceeds cost limit"]);
    expect(problems('device.attributes["gpu.example.com"].all(a, a.size() < 10)')).toEqual([]);
  });

  it.each([
    "type(1) == int",
    "type(device.driver) == string",
    "dyn(int) == int",
    "device.attributes.gpu.model == device.attributes.gpu.name",
    'cel.bind(text, "a,b", text).split(",").exists(part, part == device.driver)',
  ])("must not compare values of unknown size: %s", (expression) => {
    expect(problems(expression)).toEqual(["Forbidden: too complex, exceeds cost limit"]);
  });

  it.each([
    "[int] == [int]",
    "device == device",
    '{device.driver: "b"}.all(key, key == device.driver)',
    'device.attributes["gpu"].model == device.attributes["gpu"]["name"]',
  ])("may compare values of known size: %s", (expression) => {
    expect(problems(expression)).toEqual([]);
  });

  it("must not iterate over attributes, which have any type", () => {
    expect(problems('device.attributes["gpu"].models.exists(m, m == "a")')).toEqual([
      expect.stringContaining("1:25: expression of type 'any' cannot be range of a comprehension"),
    ]);
  });
});

describe("a claim of devices", () => {
  it("requests one device by default", () => {
    const object = { spec: { devices: { requests: [{ name: "a", deviceClassName: "gpu" }, { name: "b" }] } } };
    claimHooks.default?.(object as never, DEFAULT_CONTEXT);
    expect(object.spec.devices.requests).toEqual([
      { name: "a", deviceClassName: "gpu", allocationMode: "ExactCount", count: 1 },
      { name: "b" },
    ]);
  });

  it.each<[request: object, ...problems: string[]]>([
    [{ name: "gpu", deviceClassName: "gpu", allocationMode: "All" }],
    [{ name: "gpu" }, `${at}: Required value: exactly one of \`exactly\` or \`firstAvailable\` is required`],
    [
      { name: "gpu", deviceClassName: "gpu", allocationMode: "All", count: 2 },
      `${at}.exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'`,
    ],
    [
      { name: "gpu", deviceClassName: "gpu", allocationMode: "Odd" },
      `${at}.exactly.allocationMode: Unsupported value: "Odd": supported values: "All", "ExactCount"`,
    ],
    [
      {
        name: "gpu",
        deviceClassName: "gpu",
        allocationMode: "All",
        selectors: [{ cel: { expression: "device.driver" } }],
      },
      `${at}.exactly.selectors[0].cel.expression: Invalid value: "device.driver": must evaluate to bool or the unknown type, not string`,
    ],
    [
      {
        name: "gpu",
        deviceClassName: "gpu",
        allocationMode: "All",
        selectors: [{ cel: { expression: 'device.attributes["gpu.example.com"].model == "x"' } }],
      },
    ],
    [
      {
        name: "gpu",
        adminAccess: false,
        firstAvailable: [{ name: "a", deviceClassName: "gpu", allocationMode: "All" }],
      },
      `${at}.exactly.deviceClassName: Required value`,
      `${at}.exactly.allocationMode: Unsupported value: "": supported values: "All", "ExactCount"`,
      `${at}: Invalid value: "null": exactly one of \`exactly\` or \`firstAvailable\` is required, but multiple fields are set`,
    ],
  ])("is checked: %j", (request, ...problems) => {
    expect(refusals(claimHooks, withValue(claim, "spec.devices.requests", [request]))).toEqual(problems);
  });

  it("refers to its own requests", () => {
    const constraint = { requests: ["gpu", "other"], matchAttribute: "model" };
    expect(refusals(claimHooks, withValue(claim, "spec.devices.constraints", [constraint]))).toEqual([
      `spec.devices.constraints[0].requests[1]: Invalid value: "other": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'`,
      'spec.devices.constraints[0].matchAttribute: Invalid value: "model": must include a domain',
    ]);
  });

  it("is reserved once it is allocated", () => {
    const status = { reservedFor: [{ resource: "pods", name: "a", uid: "1" }] };
    expect(refusals(claimHooks, { ...claim, status }, { old: claim, subresource: "status" })).toEqual([
      "status.reservedFor: Forbidden: may not be specified when `allocated` is not set",
    ]);
  });

  it("reports on devices it was given, with their addresses", () => {
    const id = { driver: "gpu.example.com", pool: "p", device: "d" };
    const allocation = { devices: { results: [{ request: "gpu", ...id }] } };
    const devices = [{ ...id, networkData: { ips: ["10.0.0.1/24", "010.0.0.2/24"] } }];
    expect(
      refusals(claimHooks, { ...claim, status: { allocation, devices } }, { old: claim, subresource: "status" }),
    ).toEqual([
      'status.devices[0].networkData.ips[1]: Invalid value: "010.0.0.2/24": must be in canonical form ("10.0.0.2/24")',
    ]);
  });
});

describe("the status of a claim", () => {
  const id = { driver: "gpu.example.com", pool: "p", device: "d" };
  const other = { ...id, device: "e" };
  const allocationOf = (...ids: object[]) => ({
    devices: { results: ids.map((each) => ({ request: "gpu", ...each })) },
  });

  it.each([
    ["the allocation is removed", undefined, undefined],
    ["the allocation changes", allocationOf(other), [other]],
    ["the allocation stays", allocationOf(id, other), [id, other]],
  ])("keeps devices that are not released: %s", (_what, allocation, kept) => {
    const old = { ...claim, status: { allocation: allocationOf(id, other), devices: [id, other] } };
    const changed = { ...claim, status: { ...(allocation && { allocation }), devices: [id, other] } };
    const context = { ...contextFor({ subresource: "status" }), old: old as never };
    claimHooks.lifecycle?.prepareForUpdate?.(changed as never, old as never, context as never);
    expect(changed.status.devices).toEqual(kept);
  });

  it("keeps devices that were not allocated before, for validation to refuse", () => {
    const old = { ...claim, status: {} };
    const changed = { ...claim, status: { devices: [id] } };
    const context = { ...contextFor({ subresource: "status" }), old: old as never };
    claimHooks.lifecycle?.prepareForUpdate?.(changed as never, old as never, context as never);
    expect(refusals(claimHooks, changed, { old, subresource: "status" })).toEqual([
      "status.devices[0]: Invalid value: gpu.example.com/p/d: must be an allocated device in the claim",
    ]);
  });

  it("names each device once", () => {
    const status = { allocation: allocationOf(id), devices: [id, id] };
    expect(refusals(claimHooks, { ...claim, status }, { old: { ...claim, status }, subresource: "status" })).toEqual([
      "status.devices[1].deviceID: Duplicate value: gpu.example.com/p/d",
    ]);
  });

  it("cannot change the allocation, which messages show in full", () => {
    const old = { ...claim, status: { allocation: allocationOf(id) } };
    const changed = { ...claim, status: { allocation: allocationOf(other) } };
    expect(refusals(claimHooks, changed, { old, subresource: "status" })).toEqual([
      'status.allocation: Invalid value: resource.AllocationResult{Devices:resource.DeviceAllocationResult{Results:[]resource.DeviceRequestAllocationResult{resource.DeviceRequestAllocationResult{Request:"gpu", Driver:"gpu.example.com", Pool:"p", Device:"e", AdminAccess:(*bool)(nil), Tolerations:[]resource.DeviceToleration(nil)}}, Config:[]resource.DeviceAllocationConfiguration(nil)}, NodeSelector:(*core.NodeSelector)(nil)}: field is immutable',
    ]);
  });
});

describe("a ResourceSlice", () => {
  it("cannot change its driver, pool and node", () => {
    const { spec } = slice;
    const moved = {
      spec: { ...spec, driver: "d", pool: { ...spec.pool, name: "q" }, nodeName: undefined, allNodes: true },
    };
    expect(problemsOfChange(sliceHooks, moved, slice)).toEqual([
      'spec.pool.name: Invalid value: "q": field is immutable',
      'spec.driver: Invalid value: "d": field is immutable',
      'spec.nodeName: Invalid value: "null": field is immutable',
    ]);
  });

  const slice = {
    spec: {
      driver: "gpu.example.com",
      pool: { name: "p", generation: 1, resourceSliceCount: 1 },
      nodeName: "n1",
      devices: [{ name: "d", basic: { attributes: { model: { string: "x" } } } }] as object[],
    },
  };

  it.each<[path: string, value: unknown, ...problems: string[]]>([
    ["spec.pool.generation", 2],
    ["spec.pool.resourceSliceCount", 0, "spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero"],
    [
      "spec.nodeName",
      undefined,
      "spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required",
    ],
    [
      "spec.allNodes",
      true,
      'spec: Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required, but multiple fields are set',
    ],
    [
      "spec",
      { ...slice.spec, nodeName: undefined, nodeSelector: { nodeSelectorTerms: null } },
      "spec.nodeSelector.nodeSelectorTerms: Required value: must have at least one node selector term",
      "spec.nodeSelector.nodeSelectorTerms: Invalid value: []core.NodeSelectorTerm(nil): must have exactly one node selector term",
    ],
    ["spec.devices", [{ name: "d" }, { name: "d" }], 'spec.devices[1].name: Duplicate value: "d"'],
    [
      "spec.devices",
      [{ name: "d", basic: { attributes: { v: { version: "one" } } } }],
      'spec.devices[0].attributes[v].version: Invalid value: "one": must be a string compatible with semver.org spec 2.0.0',
    ],
    [
      "spec.devices",
      [{ name: "d", basic: { attributes: { v: {} } } }],
      "spec.devices[0].attributes[v]: Required value: exactly one value must be specified",
    ],
    [
      "spec.devices",
      [{ name: "d", basic: { consumesCounters: [{ counterSet: "m", counters: { memory: { value: "1" } } }] } }],
      'spec.devices[0].consumesCounters[0].counterSet: Invalid value: "m": must reference a counterSet defined in the ResourceSlice sharedCounters',
    ],
    [
      "spec.devices",
      [{ name: "d", basic: { attributes: { v: { string: "é".repeat(33) } } } }],
      "spec.devices[0].attributes[v].string: Too long: may not be more than 64 bytes",
    ],
    [
      "spec.sharedCounters",
      [{ name: "m", counters: { [`${"a".repeat(40)}_${"b".repeat(40)}`]: { value: "1" } } }],
      expect.stringMatching(
        /^spec\.sharedCounters\[0\]\.counters\[a{30}\.\.\.b{30}\]: Invalid value: "a{40}_b{40}": must be no more/,
      ),
      expect.stringMatching(/^spec\.sharedCounters\[0\]\.counters\[a{30}\.\.\.b{30}\]: Invalid value: /),
    ],
  ])("is checked for %s = %j", (path, value, ...problems) => {
    expect(refusals(sliceHooks, withValue(slice, path, value))).toEqual(problems);
  });

  it("cannot change its pool name", () => {
    expect(refusals(sliceHooks, withValue(slice, "spec.pool.name", "q"), { old: slice })).toEqual([
      'spec.pool.name: Invalid value: "q": field is immutable',
    ]);
  });

  it("has device classes with valid parameters, and taints with valid effects", () => {
    expect(
      refusals(classHooks, { spec: { config: [{ opaque: { driver: "a.example.com", parameters: [] } }] } }),
    ).toEqual([
      'spec.config[0].opaque.parameters: Invalid value: "<value omitted>": parameters must be a valid JSON object',
    ]);
    expect(refusals(taintHooks, { spec: { taint: { key: "a", effect: "Odd" } } })).toEqual([
      'spec.taint.effect: Unsupported value: "Odd": supported values: "NoExecute", "NoSchedule"',
    ]);
  });
});

describe("a taint of a device", () => {
  const now = () => new Date("2030-01-02T03:04:05.678Z");
  const taint = { key: "broken", effect: "NoExecute" };

  it("has the time of the write as its default time", () => {
    const rule = { spec: { taint: { ...taint } as { timeAdded?: string } } };
    taintHooks.defaults?.times?.(rule as never, now);
    expect(rule.spec.taint.timeAdded).toBe("2030-01-02T03:04:05Z");
    taintHooks.defaults?.times?.(rule as never, () => new Date(0));
    expect(rule.spec.taint.timeAdded).toBe("2030-01-02T03:04:05Z");
  });

  it("has a time in slices of every version", () => {
    const timed = { ...taint, timeAdded: "2030-01-02T03:04:05Z" };
    for (const { defaults } of [oldSliceHooks, sliceHooks]) {
      const slice = { spec: { devices: [{ name: "a", basic: { taints: [{ ...taint }] } }, { name: "b" }] } };
      defaults?.times?.(slice as never, now);
      expect(slice.spec.devices[0]?.basic?.taints).toEqual([timed]);
    }
    const slice = {
      spec: {
        devices: [
          { name: "a", taints: [{ ...taint }] },
          { name: "b", taints: null },
        ],
      },
    };
    newSliceHooks.defaults?.times?.(slice as never, now);
    expect(slice.spec.devices[0]?.taints).toEqual([timed]);
  });
});
