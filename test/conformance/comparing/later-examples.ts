import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Example } from "./example-objects.ts";

const NAMESPACE = "namespaces/default/";
const selector = { cel: { expression: 'device.driver == "gpu.example.com"' } };
const opaque = {
  driver: "gpu.example.com",
  parameters: { a: "b", apiVersion: "example.com/v1", b: [1], kind: "Config" },
};
const request = {
  name: "gpu",
  deviceClassName: "gpu.example.com",
  selectors: [selector],
  allocationMode: "ExactCount",
  count: 2,
  tolerations: [{ key: "a", operator: "Exists", effect: "NoSchedule" }],
};
const constraint = { requests: ["gpu"], matchAttribute: "gpu.example.com/model" };
const claim = { devices: { requests: [request], constraints: [constraint], config: [{ requests: ["gpu"], opaque }] } };
const alternatives = {
  devices: {
    requests: [
      {
        name: "any",
        firstAvailable: [
          { name: "large", deviceClassName: "large.example.com" },
          { name: "small", deviceClassName: "small.example.com", count: 2 },
        ],
      },
    ],
  },
};
const attributes = {
  model: { string: "a" },
  "example.com/count": { int: 3 },
  isOn: { bool: true },
  driver: { version: "1.2.3" },
};
const basic = { attributes, capacity: { memory: { value: "40Gi" }, slots: { value: "7" } } };
const mutation = {
  patchType: "ApplyConfiguration",
  applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' },
};

/** Objects of kinds that are not served by default. */
export const LATER_EXAMPLES: readonly Example[] = [
  example("resource.k8s.io/v1beta1", "deviceclasses", "DeviceClass", {
    spec: { selectors: [selector], config: [{ opaque }] },
  }),
  example("resource.k8s.io/v1beta1", `${NAMESPACE}resourceclaims`, "ResourceClaim", { spec: claim }),
  example("resource.k8s.io/v1beta1", `${NAMESPACE}resourceclaims`, "ResourceClaim", { spec: alternatives }),
  example("resource.k8s.io/v1beta1", `${NAMESPACE}resourceclaimtemplates`, "ResourceClaimTemplate", {
    spec: { metadata: { labels: { a: "b" } }, spec: claim },
  }),
  example("resource.k8s.io/v1beta1", "resourceslices", "ResourceSlice", {
    spec: {
      driver: "gpu.example.com",
      nodeName: "node-1",
      pool: { name: "pool", generation: 1, resourceSliceCount: 1 },
      devices: [
        { name: "gpu-0", basic },
        { name: "gpu-1", basic: {} },
      ],
    },
  }),
  example("resource.k8s.io/v1alpha3", "devicetaintrules", "DeviceTaintRule", {
    spec: {
      deviceSelector: { driver: "gpu.example.com" },
      taint: { key: "a", value: "b", effect: "NoExecute", timeAdded: "2026-01-01T00:00:00Z" },
    },
  }),
  example("storage.k8s.io/v1beta1", "volumeattributesclasses", "VolumeAttributesClass", {
    driverName: "csi.example.com",
    parameters: { iops: "1", a: "<&>" },
  }),
  example("coordination.k8s.io/v1beta1", `${NAMESPACE}leasecandidates`, "LeaseCandidate", {
    spec: {
      leaseName: "a",
      binaryVersion: "1.33.0",
      emulationVersion: "1.32.0",
      strategy: "OldestEmulationVersion",
      pingTime: "2026-01-01T00:00:00.000001Z",
      renewTime: "2026-01-01T00:00:00.500000Z",
    },
  }),
  example("admissionregistration.k8s.io/v1alpha1", "mutatingadmissionpolicies", "MutatingAdmissionPolicy", {
    spec: {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      matchConstraints: {
        resourceRules: [
          { apiGroups: ["example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["absent"] },
        ],
      },
      variables: [{ name: "a", expression: "1" }],
      matchConditions: [{ name: "c", expression: "true" }],
      mutations: [mutation],
      reinvocationPolicy: "IfNeeded",
    },
  }),
  example("storagemigration.k8s.io/v1alpha1", "storageversionmigrations", "StorageVersionMigration", {
    spec: { resource: { group: "apps", version: "v1", resource: "deployments" } },
  }),
];

function example(apiVersion: string, path: string, kind: string, more: Parsed): Example {
  return { path: `/apis/${apiVersion}/${path}`, object: { apiVersion, kind, metadata: {}, ...more } };
}
