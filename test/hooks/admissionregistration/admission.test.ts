import { describe, expect, it } from "vitest";
import { hooks as mutatingHooks } from "../../../api-definitions/admissionregistration/v1/mutating-webhook-configuration.hooks.ts";
import { hooks as policyHooks } from "../../../api-definitions/admissionregistration/v1/validating-admission-policy.hooks.ts";
import { hooks as bindingHooks } from "../../../api-definitions/admissionregistration/v1/validating-admission-policy-binding.hooks.ts";
import { hooks as validatingHooks } from "../../../api-definitions/admissionregistration/v1/validating-webhook-configuration.hooks.ts";
import { hooks as mutatingPolicyHooks } from "../../../api-definitions/admissionregistration/v1alpha1/mutating-admission-policy.hooks.ts";
import { refusals, withValue } from "../refusals.ts";

const rule = { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], scope: "*" };
const webhook = {
  name: "check.example.com",
  clientConfig: { url: "https://127.0.0.1:9/hook" },
  rules: [rule],
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  timeoutSeconds: 10,
};

describe("expressions of a policy that changes objects", () => {
  const policy = (mutation: object, variables: object[] = []) => ({
    metadata: { name: "a" },
    spec: {
      failurePolicy: "Fail",
      reinvocationPolicy: "Never",
      matchConstraints: { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {}, resourceRules: [rule] },
      variables,
      mutations: [mutation],
    },
  });
  const applied = (expression: string) => ({ patchType: "ApplyConfiguration", applyConfiguration: { expression } });
  const patched = (expression: string) => ({ patchType: "JSONPatch", jsonPatch: { expression } });

  it.each([
    applied("Object{spec: Object.spec{replicas: object.spec.replicas + 1}}"),
    applied("has(object.spec) ? Object{} : Object{metadata: Object.metadata{labels: {'a': variables.label}}}"),
    patched('[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("a/b"), value: variables.label}]'),
  ])("are compiled: %j", (mutation) => {
    const variables = [{ name: "label", expression: "'x'" }];
    expect(refusals(mutatingPolicyHooks, policy(mutation, variables))).toEqual([]);
  });

  it.each<[mutation: object, problem: string]>([
    [
      applied("{}"),
      'applyConfiguration.expression: Invalid value: "{}": must evaluate to Object but got map(dyn, dyn)',
    ],
    [
      applied("Object.spec{}"),
      'applyConfiguration.expression: Invalid value: "Object.spec{}": must evaluate to Object but got Object.spec',
    ],
    [
      patched("[Object{}]"),
      'jsonPatch.expression: Invalid value: "[Object{}]": must evaluate to list(JSONPatch) but got list(Object)',
    ],
    [
      patched("[JSONPatch{op: 1}]"),
      `jsonPatch.expression: Invalid value: "[JSONPatch{op: 1}]": compilation failed: ERROR: <input>:1:14: expected type of field 'op' is 'string' but provided type is 'int'\n | [JSONPatch{op: 1}]\n | .............^`,
    ],
    [
      patched("params.x"),
      `jsonPatch.expression: Invalid value: "params.x": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params.x\n | ^`,
    ],
    [applied(" "), "applyConfiguration.expression: Required value"],
  ])("must return a patch or an apply configuration: %j", (mutation, problem) => {
    expect(refusals(mutatingPolicyHooks, policy(mutation))).toEqual([`spec.mutations[0].${problem}`]);
  });

  it("cannot use patch types outside of mutations", () => {
    const variables = [{ name: "x", expression: "[JSONPatch{}]" }];
    expect(refusals(mutatingPolicyHooks, policy(applied("Object{}"), variables))).toEqual([
      `spec.variables[0].expression: Invalid value: "[JSONPatch{}]": compilation failed: ERROR: <input>:1:11: undeclared reference to 'JSONPatch' (in container '')\n | [JSONPatch{}]\n | ..........^`,
    ]);
  });
});

describe("variables of a policy", () => {
  const policy = (variables: object[], ...expressions: string[]) => ({
    metadata: { name: "a" },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {}, resourceRules: [rule] },
      variables,
      validations: expressions.map((expression) => ({ expression })),
    },
  });
  const problems = (variables: object[], ...expressions: string[]) =>
    refusals(policyHooks, policy(variables, ...expressions)).map((problem) => problem.split("\n")[0]);

  it("that do not compile cause no further errors in expressions that use them", () => {
    expect(problems([{ name: "a", expression: "x" }], "variables.a == 1", "variables.b == 1")).toEqual([
      `spec.variables[0].expression: Invalid value: "x": compilation failed: ERROR: <input>:1:1: undeclared reference to 'x' (in container '')`,
      `spec.validations[1].expression: Invalid value: "variables.b == 1": compilation failed: ERROR: <input>:1:10: undefined field 'b'`,
    ]);
  });

  it("that cannot be made a program are of any type in expressions that use them", () => {
    expect(problems([{ name: "a", expression: "'a'.findAll('(')" }], "variables.a.b == 1")).toEqual([
      "spec.variables[0].expression: Internal error: program instantiation failed: error parsing regexp: missing closing ): `(`",
    ]);
  });

  it("are undeclared in a policy without them", () => {
    expect(problems([], "variables.a == 1")).toEqual([
      `spec.validations[0].expression: Invalid value: "variables.a == 1": compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container '')`,
    ]);
  });

  it("cannot be used before they are defined", () => {
    expect(problems([{ name: "a", expression: "variables.b" }], "variables.a == 1")).toEqual([
      `spec.variables[0].expression: Invalid value: "variables.b": compilation failed: ERROR: <input>:1:10: undefined field 'b'`,
    ]);
  });
});

describe("webhooks", () => {
  it.each<[change: object, ...problems: string[]]>([
    [{}],
    [
      { name: "check" },
      'webhooks[0].name: Invalid value: "check": should be a domain with at least three segments separated by dots',
    ],
    [
      { sideEffects: "Some" },
      'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    ],
    [{ sideEffects: undefined }, "webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun"],
    [
      { timeoutSeconds: 31 },
      "webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds",
    ],
    [
      { admissionReviewVersions: ["v9"] },
      'webhooks[0].admissionReviewVersions: Invalid value: []string{"v9"}: must include at least one of v1, v1beta1',
    ],
    [{ clientConfig: {} }, "webhooks[0].clientConfig: Required value: exactly one of url or service is required"],
    [
      { clientConfig: { url: "http://u@h/?q#f" } },
      `webhooks[0].clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
      'webhooks[0].clientConfig.url: Invalid value: "u": user information is not permitted in the URL',
      'webhooks[0].clientConfig.url: Invalid value: "f": fragments are not permitted in the URL',
      'webhooks[0].clientConfig.url: Invalid value: "q": query parameters are not permitted in the URL',
    ],
    [
      { clientConfig: { service: { name: "a", namespace: "b", path: "/x//y", port: 0 } } },
      "webhooks[0].clientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive",
      'webhooks[0].clientConfig.service.path: Invalid value: "/x//y": segment[1] may not be empty',
    ],
    [
      { rules: [{ ...rule, operations: ["*", "CREATE"], resources: ["pods/*", "pods/log", "*", "nodes"] }] },
      `webhooks[0].rules[0].operations: Invalid value: []admissionregistration.OperationType{"*", "CREATE"}: if '*' is present, must not specify other operations`,
      `webhooks[0].rules[0].resources[1]: Invalid value: "pods/log": if 'pods/*' is present, must not specify pods/log`,
      `webhooks[0].rules[0].resources: Invalid value: []string{"pods/*", "pods/log", "*", "nodes"}: if '*' is present, must not specify other resources without subresources`,
    ],
    [
      { matchConditions: [{ name: "a b", expression: "1" }] },
      'webhooks[0].matchConditions[0].expression: Invalid value: "1": must evaluate to bool but got int',
      expect.stringContaining('webhooks[0].matchConditions[0].name: Invalid value: "a b"'),
    ],
  ])("are checked: %j", (change, ...problems) => {
    expect(refusals(validatingHooks, { webhooks: [{ ...webhook, ...change }] })).toEqual(problems);
  });

  it("that mutate objects have a reinvocation policy", () => {
    expect(refusals(mutatingHooks, { webhooks: [{ ...webhook, reinvocationPolicy: "Odd" }] })).toEqual([
      'webhooks[0].reinvocationPolicy: Unsupported value: "Odd": supported values: "IfNeeded", "Never"',
    ]);
  });

  it("must have unique names; stored errors are tolerated", () => {
    expect(refusals(validatingHooks, { webhooks: [webhook, webhook] })).toEqual([
      'webhooks[1].name: Duplicate value: "check.example.com"',
    ]);
    const old = { webhooks: [{ ...webhook, sideEffects: "Some" }] };
    expect(refusals(validatingHooks, old, { old })).toEqual([]);
  });
});

describe("a policy", () => {
  const policy = {
    metadata: { name: "valid" },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {}, resourceRules: [rule] },
      validations: [{ expression: "true" }] as object[],
    },
  };

  it.each<[path: string, value: unknown, ...problems: string[]]>([
    ["spec.validations", [{ expression: "object.spec.replicas < 5 && request.operation == 'CREATE'" }]],
    [
      "spec.validations",
      [{ expression: "1 + 2" }],
      'spec.validations[0].expression: Invalid value: "1 + 2": must evaluate to bool but got int',
    ],
    [
      "spec.validations",
      [{ expression: "duration('1s')" }, { expression: "int('x') == 1" }],
      `spec.validations[0].expression: Invalid value: "duration('1s')": must evaluate to bool but got google.protobuf.Duration`,
      "spec.validations[1].expression: Internal error: program instantiation failed: type conversion error from 'string' to 'int'",
    ],
    [
      "spec.validations",
      [{ expression: "params.x == 1" }],
      `spec.validations[0].expression: Invalid value: "params.x == 1": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params.x == 1\n | ^`,
    ],
    [
      "spec.validations",
      [{ expression: "true", messageExpression: "1" }],
      'spec.validations[0].messageExpression: Invalid value: "1": must evaluate to string but got int',
    ],
    [
      "spec.validations",
      [{ expression: "true", message: "a\nb", reason: "Odd" }],
      'spec.validations[0].message: Invalid value: "a\\nb": message must not contain line breaks',
      'spec.validations[0].reason: Unsupported value: "Odd": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
    ],
    [
      "spec.variables",
      [
        { name: "n", expression: "object.x" },
        { name: "m", expression: "variables.n + 1" },
      ],
    ],
    [
      "spec.variables",
      [{ name: "1a", expression: "true" }],
      'spec.variables[0].name: Invalid value: "1a": name is not a valid CEL identifier',
    ],
    [
      "spec.auditAnnotations",
      [{ key: "k", valueExpression: "1" }],
      'spec.auditAnnotations[0].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int',
    ],
    [
      "spec.auditAnnotations",
      [{ key: "k", valueExpression: " 1\n" }],
      'spec.auditAnnotations[0].valueExpression: Invalid value: " 1\\n": must evaluate to one of [string null_type] but got int',
    ],
    [
      "spec.paramKind",
      { apiVersion: "a/b/c", kind: "K" },
      'spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    ],
    ["spec.matchConstraints", undefined, "spec.matchConstraints: Required value"],
  ])("is checked for %s = %j", (path, value, ...problems) => {
    expect(refusals(policyHooks, withValue(policy, path, value))).toEqual(problems);
  });

  it("may use params only if it has a paramKind", () => {
    const withParams = withValue(policy, "spec.paramKind", { apiVersion: "v1", kind: "ConfigMap" });
    expect(refusals(policyHooks, withValue(withParams, "spec.validations", [{ expression: "params.x == 1" }]))).toEqual(
      [],
    );
  });

  it("needs an action in its binding", () => {
    const spec = {
      policyName: "valid",
      validationActions: ["Deny", "Warn", "Warn"],
      paramRef: { name: "a", selector: {} },
    };
    expect(refusals(bindingHooks, { spec })).toEqual([
      "spec.paramRef.name: Forbidden: name and selector are mutually exclusive",
      "spec.paramRef.selector: Forbidden: name and selector are mutually exclusive",
      "spec.paramRef.parameterNotFoundAction: Required value",
      'spec.validationActions[2]: Duplicate value: "Warn"',
      expect.stringContaining("must not contain both Deny and Warn"),
    ]);
  });
});

describe("a mutating policy", () => {
  it("has mutations with one patch type each", () => {
    const match = { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} };
    const spec = {
      failurePolicy: "Fail",
      matchConstraints: { ...match, resourceRules: [{ ...rule, operations: ["DELETE"] }] },
      mutations: [{ patchType: "JSONPatch", applyConfiguration: { expression: "Object{}" } }],
      reinvocationPolicy: "Never",
    };
    expect(refusals(mutatingPolicyHooks, { spec })).toEqual([
      'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
      "spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch",
      'spec.mutations[0].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch',
    ]);
  });
});
