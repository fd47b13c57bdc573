import type { Parsed } from "../../../fixtures/plane-client.ts";
import type { Random } from "../../../hostile/random.ts";
import { GROUP } from "../custom-kinds.ts";
import type { StreamedKind } from "../streamed-kinds.ts";
import { CONDITIONS, randomConstraints } from "./matching.ts";

export type Placed = readonly [path: string, object: Parsed];

export const V1 = "admissionregistration.k8s.io/v1";
export const ALPHA = "admissionregistration.k8s.io/v1alpha1";

const REQUEST_FACTS = [
  "request.operation",
  "request.kind.group + '/' + request.kind.version + '/' + request.kind.kind",
  "request.resource.group + '/' + request.resource.version + '/' + request.resource.resource",
  "request.requestKind.group + '/' + request.requestKind.version + '/' + request.requestKind.kind",
  "request.requestResource.group + '/' + request.requestResource.version + '/' + request.requestResource.resource",
  "(has(request.subResource) ? request.subResource : '-') + (has(request.requestSubResource) ? request.requestSubResource : '-')",
  "(has(request.name) ? request.name : '-') + '/' + (has(request.namespace) ? request.namespace : '-')",
  "request.userInfo.username + (has(request.userInfo.groups) ? string(size(request.userInfo.groups)) : '-')",
  "string(request.dryRun) + (has(request.uid) ? 'u' + string(size(request.uid)) : '-')",
  "(has(request.options) ? string(size(request.options)) + (has(request.options.kind) ? request.options.kind : '-') : 'none')",
];
const objectFacts = (name: string): string[] => [
  `(${name} == null ? 'null' : (has(${name}.kind) ? ${name}.apiVersion + '/' + ${name}.kind : '-') + string(size(${name})))`,
  `(${name} == null || !has(${name}.metadata) ? 'null' : string(size(${name}.metadata)) + (has(${name}.metadata.name) ? ${name}.metadata.name : '-'))`,
  `(${name} == null || !has(${name}.metadata) ? 'null' : (has(${name}.metadata.labels) ? string(size(${name}.metadata.labels)) : '-') + (has(${name}.metadata.managedFields) ? 'm' + string(size(${name}.metadata.managedFields)) : '-'))`,
  `(${name} == null || !has(${name}.metadata) ? 'null' : (has(${name}.metadata.uid) ? 'u' : '-') + (has(${name}.metadata.creationTimestamp) ? 'c' : '-') + (has(${name}.metadata.resourceVersion) ? 'r' : '-') + (has(${name}.metadata.generation) ? 'g' + string(${name}.metadata.generation) : '-') + (has(${name}.metadata.deletionTimestamp) ? 'd' : '-') + (has(${name}.metadata.namespace) ? 'n' : '-'))`,
  `(${name} == null || !has(${name}.spec) ? 'null' : string(size(${name}.spec)))`,
  `(${name} == null || !has(${name}.status) ? 'null' : string(size(${name}.status)))`,
];
const FACTS = [
  ...REQUEST_FACTS,
  ...objectFacts("object"),
  ...objectFacts("oldObject"),
  "(namespaceObject == null ? 'null' : namespaceObject.metadata.name + string(size(namespaceObject.metadata.labels)) + namespaceObject.status.phase + (has(namespaceObject.metadata.uid) ? 'u' : '-'))",
];
const PARAM_FACTS = [
  "(params == null ? 'null' : params.apiVersion + '/' + params.kind + '/' + params.metadata.name + string(size(params)))",
  "(params == null || !has(params.data) ? 'null' : params.data.name)",
  "(params == null || !has(params.spec) ? 'null' : string(size(params.spec)))",
];
const VALIDATIONS = [
  "object == null || !has(object.metadata) || !has(object.metadata.labels) || !('colour' in object.metadata.labels) || object.metadata.labels.colour != 'red'",
  "request.operation != 'UPDATE' || has(request.subResource)",
  "object.metadata.labels.colour != 'blue'",
  "oldObject == null || object == null || oldObject.metadata.uid == object.metadata.uid",
  "has(object.spec) ? !has(object.spec.replicas) || object.spec.replicas < 3 : true",
  "request.dryRun || request.operation != 'DELETE'",
  "variables.count < 5",
  "!has(request.subResource) || request.subResource == 'status'",
  "authorizer.requestResource.check('update').allowed()",
  "namespaceObject == null || namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == request.namespace",
];
export const PARAM_KINDS: readonly Parsed[] = [
  { apiVersion: "v1", kind: "ConfigMap" },
  { apiVersion: `${GROUP}/v1`, kind: "Widget" },
  { apiVersion: `${GROUP}/v1beta1`, kind: "Widget" },
  { apiVersion: `${GROUP}/v1`, kind: "Gadget" },
  { apiVersion: "v1", kind: "Namespace" },
  { apiVersion: "v1", kind: "Absent" },
];

function paramRef(random: Random, id: string, { kind }: Parsed): Parsed {
  const chosen = random.pick([
    { name: `${id}-param` },
    { name: `${id}-param` },
    { name: id },
    { name: `${id}-absent` },
    { selector: { matchLabels: { param: id } } },
    { selector: { matchExpressions: [{ key: "param", operator: "In", values: [id] }] } },
  ]);
  const isCluster = kind === "Gadget" || kind === "Namespace";
  const namespace = random.chance(isCluster ? 0.1 : 0.4) ? { namespace: random.pick([id, id, "default"]) } : {};
  return { ...chosen, ...namespace, parameterNotFoundAction: random.pick(["Allow", "Deny"]) };
}

/** Returns parameters for the policies of an episode. */
export function paramObjects(id: string): Placed[] {
  const metadata = (suffix: string) => ({ name: `${id}-${suffix}`, labels: { param: id } });
  const widget = { kind: "Widget", spec: { code: "abc", colour: "green" } };
  return [
    [
      `/api/v1/namespaces/${id}/configmaps`,
      { apiVersion: "v1", kind: "ConfigMap", metadata: metadata("param"), data: { name: "a" } },
    ],
    [
      `/api/v1/namespaces/${id}/configmaps`,
      { apiVersion: "v1", kind: "ConfigMap", metadata: metadata("more"), data: { name: "b" } },
    ],
    [
      `/apis/${GROUP}/v1/namespaces/${id}/widgets`,
      { apiVersion: `${GROUP}/v1`, metadata: metadata("param"), ...widget },
    ],
    [`/apis/${GROUP}/v1/gadgets`, { apiVersion: `${GROUP}/v1`, kind: "Gadget", metadata: metadata("param"), spec: 1 }],
  ];
}

function facts(random: Random, all: readonly string[]): string {
  const chosen = all.filter(() => random.chance(0.25));
  return [`'${random.int(10)}'`, ...chosen].join(" + ' ' + ");
}

/** Returns a validating policy with its bindings. Most of its expressions use attributes of the request. */
export function validatingObjects(
  random: Random,
  name: string,
  id: string,
  kinds: readonly StreamedKind[],
  denies: boolean,
): Placed[] {
  const paramKind = random.chance(0.35) ? random.pick(PARAM_KINDS) : undefined;
  const all = paramKind === undefined ? FACTS : [...FACTS, ...PARAM_FACTS, ...PARAM_FACTS];
  const validation = (): Parsed => ({
    expression: random.chance(0.6) ? random.pick(["false", "request.operation == ''"]) : random.pick(VALIDATIONS),
    ...(random.chance(0.9) && { messageExpression: facts(random, all) }),
    ...(random.chance(0.2) && { message: "a message" }),
    ...(random.chance(0.3) && {
      reason: random.pick(["Forbidden", "Invalid", "Unauthorized", "RequestEntityTooLarge"]),
    }),
  });
  const rarely = (): Parsed => ({ expression: random.pick(VALIDATIONS), messageExpression: facts(random, all) });
  const spec = {
    ...(paramKind && { paramKind }),
    ...(random.chance(0.9) && { failurePolicy: random.pick(["Fail", "Fail", "Ignore"]) }),
    matchConstraints: randomConstraints(random, id, kinds),
    variables: [
      { name: "count", expression: "object == null || !has(object.metadata) ? 0 : size(object.metadata)" },
      { name: "again", expression: "variables.count + 1" },
    ],
    validations: denies ? [rarely(), ...random.times(1, rarely)] : [validation(), ...random.times(1, validation)],
    ...(random.chance(0.3) && { matchConditions: [{ name: "m", expression: random.pick(CONDITIONS) }] }),
    ...(random.chance(0.3) && {
      auditAnnotations: [
        { key: "k", valueExpression: random.pick([facts(random, FACTS), "null", "'' + object.metadata.name"]) },
      ],
    }),
  };
  const binding = {
    policyName: name,
    validationActions: denies
      ? ["Deny", ...(random.chance(0.3) ? ["Audit"] : [])]
      : random.pick([["Warn"], ["Warn", "Audit"]]),
    ...(random.chance(0.3) && { matchResources: randomConstraints(random, id, kinds) }),
    ...(paramKind && random.chance(0.9) && { paramRef: paramRef(random, id, paramKind) }),
  };
  return placed(V1, "Validating", name, spec, binding);
}

const MUTATIONS: readonly Parsed[] = [
  "Object{metadata: Object.metadata{labels: {'added': 'yes'}}}",
  "Object{metadata: Object.metadata{annotations: {'n': string(has(object.metadata.annotations) && 'n' in object.metadata.annotations ? int(object.metadata.annotations.n) + 1 : 1)}}}",
  "Object{metadata: Object.metadata{annotations: {'k': request.kind.version + request.resource.version + object.apiVersion, 'op': request.operation}}}",
  "Object{metadata: Object.metadata{finalizers: ['example.com/added']}}",
  "Object{spec: Object.spec{replicas: has(object.spec.replicas) ? object.spec.replicas + 1 : 1}}",
  "Object{spec: Object.spec{maxReplicas: object.spec.maxReplicas + 1}}",
  "Object{spec: Object.spec{code: 'xyz', tags: ['a']}}",
  "Object{spec: Object.spec{unknown: 1}}",
  "Object{spec: Object.spec{containers: object.spec.containers.map(c, Object.spec.containers{name: c.name, image: 'y', imagePullPolicy: 'Never'})}}",
  "Object{data: {'added': request.operation}}",
  "Object{status: Object.status{phase: 'Running'}}",
  "Object{}",
]
  .map((expression): Parsed => ({ patchType: "ApplyConfiguration", applyConfiguration: { expression } }))
  .concat(
    [
      "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'a': 'b', 'episode': object.metadata.?labels.?episode.orValue('none')}}]",
      "[JSONPatch{op: 'test', path: '/metadata/generateName', value: 'generated-'}, JSONPatch{op: 'add', path: '/metadata/labels', value: {}}]",
      "[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'was': object.metadata.?annotations.?was.orValue('') + 'x'}}]",
      "[JSONPatch{op: 'remove', path: '/spec/replicas'}]",
      "[JSONPatch{op: 'replace', path: '/spec/containers/0/image', value: 'patched'}]",
      "[JSONPatch{op: 'add', path: '/spec/tolerations', value: [Object.spec.tolerations{key: 'k', operator: 'Exists'}]}]",
      "[JSONPatch{op: 'move', from: '/metadata/labels/colour', path: '/metadata/labels/moved'}]",
      "[JSONPatch{op: 'add', path: '/metadata/finalizers', value: ['example.com/f']}]",
      "[JSONPatch{op: 'replace', path: '/spec/code', value: 5}]",
    ].map((expression): Parsed => ({ patchType: "JSONPatch", jsonPatch: { expression } })),
  );

/** Returns a mutating policy with its binding. */
export function mutatingObjects(random: Random, name: string, id: string, kinds: readonly StreamedKind[]): Placed[] {
  const paramKind = random.chance(0.2) ? random.pick(PARAM_KINDS) : undefined;
  const spec = {
    ...(paramKind && { paramKind }),
    failurePolicy: random.pick(["Fail", "Fail", "Ignore"]),
    // The real server loses changes of an object that a policy receives in another version.
    matchConstraints: {
      ...randomConstraints(random, id, kinds, [["CREATE", "UPDATE"], ["*"], ["CREATE"], ["UPDATE"]]),
      matchPolicy: "Exact",
    },
    reinvocationPolicy: random.pick(["Never", "IfNeeded"]),
    variables: [{ name: "count", expression: "object == null ? 0 : size(object.metadata)" }],
    ...(random.chance(0.3) && { matchConditions: [{ name: "m", expression: random.pick(CONDITIONS) }] }),
    mutations: [random.pick(MUTATIONS), ...random.times(2, () => random.pick(MUTATIONS))],
  };
  const binding = { policyName: name, ...(paramKind && { paramRef: paramRef(random, id, paramKind) }) };
  return placed(ALPHA, "Mutating", name, spec, binding);
}

export function placed(apiVersion: string, kind: string, name: string, spec: Parsed, bound: Parsed): Placed[] {
  const path = `/apis/${apiVersion}/${kind.toLowerCase()}admissionpolic`;
  const object = (suffix: string, content: Parsed): Parsed => ({
    apiVersion,
    kind: `${kind}AdmissionPolicy${suffix}`,
    metadata: { name },
    spec: content,
  });
  return [
    [`${path}ies`, object("", spec)],
    [`${path}ybindings`, object("Binding", bound)],
  ];
}
