import type { Parsed } from "../../../fixtures/plane-client.ts";
import type { Random } from "../../../hostile/random.ts";

const API_VERSION = "admissionregistration.k8s.io/v1alpha1";
const APPLIED = [
  "Object{metadata: Object.metadata{labels: {'added': 'yes'}}}",
  "Object{metadata: Object.metadata{annotations: {'by': request.userInfo.username, 'op': request.operation}}}",
  "Object{metadata: Object.metadata{labels: {'app': variables.name}}}",
  "has(object.metadata.labels) ? Object{} : Object{metadata: Object.metadata{labels: {'app': 'a'}}}",
  "Object{spec: Object.spec{activeDeadlineSeconds: 30}}",
  "Object{spec: Object.spec{replicas: object.spec.replicas + 1}}",
  "Object{spec: Object.spec{nodeSelector: {'zone': 'a'}}}",
  "Object{spec: Object.spec{initContainers: [Object.spec.initContainers{name: 'added', image: 'x'}]}}",
  "Object{spec: Object.spec{containers: object.spec.containers.map(c, Object.spec.containers{name: c.name, image: 'y'})}}",
  "Object{spec: Object.spec{tolerations: [Object.spec.tolerations{key: 'k', operator: 'Exists'}]}}",
  "Object{metadata: Object.metadata{name: 'renamed'}}",
];
const PATCHED = [
  "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'a': 'b'}}]",
  "[JSONPatch{op: 'test', path: '/metadata/name', value: 'a'}, JSONPatch{op: 'add', path: '/metadata/annotations', value: {'x': 'y'}}]",
  "has(object.metadata.labels) ? [JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('example.com/x'), value: 'y'}] : []",
  "[JSONPatch{op: 'remove', path: '/spec/tolerations'}]",
  "[JSONPatch{op: 'replace', path: '/spec/containers/0/image', value: 'patched'}]",
  "[JSONPatch{op: 'add', path: '/spec/tolerations/-', value: Object.spec.tolerations{key: 'k', operator: 'Exists'}}]",
  "[JSONPatch{op: 'copy', from: '/metadata/name', path: '/metadata/generateName'}]",
  "[JSONPatch{op: 'add', path: '/spec/nodeSelector', value: {'zone': string(1 / 0)}}]",
];
const RESOURCES: readonly Parsed[] = [
  { apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] },
  { apiGroups: [""], apiVersions: ["v1"], resources: ["pods", "services", "configmaps"] },
  { apiGroups: ["apps", "batch"], apiVersions: ["v1"], resources: ["*"] },
  { apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] },
  { apiGroups: ["compare.example.com"], apiVersions: ["v1"], resources: ["widgets"] },
];

/** Returns a policy that changes objects, and its binding for some of the namespaces. */
export function mutationObjects(
  random: Random,
  index: number,
  worlds: readonly string[],
): [path: string, object: Parsed][] {
  const name = `mutation-${index}`;
  const hasParams = random.chance(0.3);
  const mutation = (): Parsed =>
    random.chance(0.6)
      ? { patchType: "ApplyConfiguration", applyConfiguration: { expression: random.pick(APPLIED) } }
      : { patchType: "JSONPatch", jsonPatch: { expression: random.pick(PATCHED) } };
  const operations = random.pick([["CREATE", "UPDATE"], ["CREATE"], ["*"]]);
  const condition = random.pick(["request.operation == 'CREATE'", "object.metadata.labels.app == 'a'"]);
  const spec = {
    ...(hasParams && { paramKind: { apiVersion: "v1", kind: "ConfigMap" } }),
    failurePolicy: random.pick(["Fail", "Fail", "Ignore"]),
    matchConstraints: { resourceRules: [{ ...random.pick(RESOURCES), operations, scope: "Namespaced" }] },
    variables: [{ name: "name", expression: hasParams ? "params.data.name" : "object.metadata.name" }],
    reinvocationPolicy: random.pick(["Never", "IfNeeded"]),
    ...(random.chance(0.3) && { matchConditions: [{ name: "m", expression: condition }] }),
    mutations: [mutation(), ...random.times(1, mutation)],
  };
  const inWorlds = { matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "In", values: worlds }] };
  const paramRef = { name: random.pick(["config", "absent"]), parameterNotFoundAction: random.pick(["Allow", "Deny"]) };
  const bound = {
    policyName: name,
    matchResources: { namespaceSelector: inWorlds },
    ...(hasParams && { paramRef }),
  };
  const path = `/apis/${API_VERSION}/mutatingadmissionpolic`;
  return [
    [`${path}ies`, { apiVersion: API_VERSION, kind: "MutatingAdmissionPolicy", metadata: { name }, spec }],
    [
      `${path}ybindings`,
      { apiVersion: API_VERSION, kind: "MutatingAdmissionPolicyBinding", metadata: { name }, spec: bound },
    ],
  ];
}
