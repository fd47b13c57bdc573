import type { Parsed } from "../../../fixtures/plane-client.ts";
import type { Random } from "../../../hostile/random.ts";

const API_VERSION = "admissionregistration.k8s.io/v1";
const EXPRESSIONS = [
  "object.metadata.name != 'a'",
  "has(object.metadata.labels) && object.metadata.labels.app == 'a'",
  "!has(object.spec) || !has(object.spec.hostNetwork) || !object.spec.hostNetwork",
  "object.spec.containers.all(c, c.image.startsWith('registry.invalid/'))",
  "object.spec.replicas <= 3",
  "oldObject == null || oldObject.metadata.name == object.metadata.name",
  "request.operation != 'DELETE'",
  "request.userInfo.username != 'u1'",
  "request.userInfo.groups.exists(g, g == 'g2')",
  "authorizer.group('').resource('secrets').namespace(request.namespace).check('get').allowed()",
  "authorizer.requestResource.check('create').allowed()",
  "authorizer.serviceAccount(request.namespace, 'default').group('').resource('pods').check('list').allowed()",
  "authorizer.path('/healthz').check('get').reason() == ''",
  "namespaceObject.metadata.labels['env'] == 'a'",
  "variables.name.size() < 5",
  "request.dryRun == true",
  "request.subResource == ''",
  "request.resource.resource in ['pods', 'services']",
  "request.kind.kind == request.requestKind.kind",
  "!has(request.options.fieldManager) || request.options.fieldManager != 'x'",
  "has(object.metadata) && !has(object.command) && !has(object.stdin)",
  "has(object.metadata.ownerReferences) || quantity('1').isLessThan(quantity('2'))",
  "object.kind != 'Pod' || object.spec.?activeDeadlineSeconds.orValue(5) > 2",
  "object.metadata.uid == '' || object.metadata.creationTimestamp == timestamp('2020-01-01T00:00:00Z')",
];
const PARAM_EXPRESSIONS = [
  "params.data.name == object.metadata.name",
  "int(params.data.limit) > 1",
  "params != null",
  "params == null || params.data.limit != 'x'",
];
const MESSAGES = ["'no: ' + object.metadata.name", "variables.name + '!'", "''", "'a' + string(1 / 0)", "'  spaces '"];
const CONDITIONS = [
  "request.operation == 'CREATE'",
  "object.metadata.labels.app == 'a'",
  "!request.userInfo.username.startsWith('system:')",
  "'u0' == request.userInfo.username",
];
const RESOURCES: readonly Parsed[] = [
  { apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] },
  { apiGroups: [""], apiVersions: ["*"], resources: ["pods", "pods/ephemeralcontainers", "services"] },
  { apiGroups: ["apps"], apiVersions: ["v1"], resources: ["*"] },
  { apiGroups: ["autoscaling"], apiVersions: ["v1"], resources: ["horizontalpodautoscalers"] },
  { apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] },
  { apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] },
  { apiGroups: [""], apiVersions: ["v1"], resources: ["*/status", "configmaps"] },
  { apiGroups: [""], apiVersions: ["v1"], resources: ["pods/*", "services"] },
  { apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], resourceNames: ["plain"] },
  { apiGroups: ["compare.example.com"], apiVersions: ["v1"], resources: ["widgets"] },
];

/** Returns a policy and its binding for some of the namespaces. No namespace has two policies, because servers evaluate them in any order. */
export function policyObjects(
  random: Random,
  index: number,
  worlds: readonly string[],
): [path: string, object: Parsed][] {
  const name = `policy-${index}`;
  const hasParams = random.chance(0.4);
  const path = `/apis/${API_VERSION}/validatingadmissionpolic`;
  const policy = { kind: "ValidatingAdmissionPolicy", spec: policySpec(random, hasParams, index === 0) };
  const binding = {
    kind: "ValidatingAdmissionPolicyBinding",
    spec: { policyName: name, ...bindingSpec(random, hasParams, worlds) },
  };
  return [
    [`${path}ies`, { apiVersion: API_VERSION, metadata: { name }, ...policy }],
    [`${path}ybindings`, { apiVersion: API_VERSION, metadata: { name }, ...binding }],
  ];
}

function policySpec(random: Random, hasParams: boolean, isAnyScope: boolean): Parsed {
  const expressions = hasParams ? [...EXPRESSIONS, ...PARAM_EXPRESSIONS, ...PARAM_EXPRESSIONS] : EXPRESSIONS;
  const validation = (): Parsed => ({
    expression: random.pick(expressions),
    ...(random.chance(0.3) && { message: random.pick(["a message", "another"]) }),
    ...(random.chance(0.3) && { messageExpression: random.pick(MESSAGES) }),
    ...(random.chance(0.3) && {
      reason: random.pick(["Forbidden", "Invalid", "Unauthorized", "RequestEntityTooLarge"]),
    }),
  });
  const variable = random.pick(["object.metadata.name", "request.name", "object.metadata.labels['app']"]);
  return {
    ...(hasParams && { paramKind: { apiVersion: "v1", kind: "ConfigMap" } }),
    failurePolicy: random.pick(["Fail", "Fail", "Ignore"]),
    matchConstraints: matchResources(random, isAnyScope),
    variables: [{ name: "name", expression: variable }],
    validations: [validation(), ...random.times(2, validation)],
    ...(random.chance(0.3) && { matchConditions: [{ name: "m", expression: random.pick(CONDITIONS) }] }),
    ...(random.chance(0.2) && { auditAnnotations: [{ key: "k", valueExpression: random.pick(["'v'", "null"]) }] }),
  };
}

function bindingSpec(random: Random, hasParams: boolean, worlds: readonly string[]): Parsed {
  const param = [
    { name: "config" },
    { name: "config" },
    { name: "absent" },
    { selector: {} },
    { selector: { matchLabels: { a: "b" } } },
  ];
  return {
    validationActions: random.pick([["Deny"], ["Warn"], ["Deny"], ["Warn", "Audit"], ["Deny", "Audit"], ["Audit"]]),
    matchResources: {
      namespaceSelector: { matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "In", values: worlds }] },
      ...(random.chance(0.2) && { objectSelector: { matchLabels: { app: "a" } } }),
    },
    ...(hasParams && { paramRef: { ...random.pick(param), parameterNotFoundAction: random.pick(["Allow", "Deny"]) } }),
  };
}

/** Bindings cannot exclude cluster-scoped objects, so only one of the policies may have rules for those. */
function matchResources(random: Random, isAnyScope: boolean): Parsed {
  const operations = [["CREATE", "UPDATE"], ["*"], ["CREATE"], ["DELETE", "UPDATE"], ["CONNECT", "UPDATE"]];
  const rule = () => ({
    ...random.pick(RESOURCES),
    operations: random.pick(operations),
    scope: isAnyScope ? random.pick(["*", "Namespaced", "Cluster"]) : "Namespaced",
  });
  const labelled = { matchExpressions: [{ key: "app", operator: random.pick(["Exists", "DoesNotExist"]) }] };
  return {
    resourceRules: [rule(), ...random.times(1, rule)],
    ...(random.chance(0.2) && { excludeResourceRules: [rule()] }),
    matchPolicy: random.pick(["Equivalent", "Exact"]),
    ...(random.chance(0.1) && { objectSelector: labelled }),
    ...(random.chance(0.1) && { namespaceSelector: { matchLabels: { env: "a" } } }),
  };
}
