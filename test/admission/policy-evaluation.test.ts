import { describe, expect, it } from "vitest";
import { compileValidatingPolicy } from "../../runtime/admission/policies/compile-expressions.ts";
import { evaluatePolicy } from "../../runtime/admission/policies/evaluate-policy.ts";
import { RequestAuthorizer } from "../../runtime/admission/policies/expression-authorizer.ts";
import type { ValidatingPolicySpec } from "../../runtime/admission/policies/policy-objects.ts";
import { createValidatingAdmissionPolicy } from "../../runtime/admission/policies/validating-admission-policy.ts";
import type { Authorizer } from "../../runtime/contract/authorization.ts";
import type { ServedVersions } from "../../runtime/contract/served-versions.ts";
import { InMemoryObjects } from "../auth/in-memory-objects.ts";
import { admissionRequest, naming } from "./admission-requests.ts";

const object = { metadata: { name: "x" }, data: { a: "1" } };
const bindings = { object, oldObject: null, params: null, namespaceObject: null, request: { operation: "CREATE" } };
const evaluate = (spec: ValidatingPolicySpec, ignoreErrors = false) =>
  evaluatePolicy(compileValidatingPolicy(spec), { bindings, ignoreErrors });

describe("the rules of a policy", () => {
  it("are identified by their index in errors", () => {
    const { denials } = evaluate({
      validations: [
        { expression: "true" },
        { expression: " object.metadata.name == 'y' " },
        { expression: "false", message: " no ", reason: "Forbidden" },
        { expression: "object.data.missing == ''" },
      ],
    });
    expect(denials).toEqual([
      { index: 1, message: "failed expression: object.metadata.name == 'y'", reason: "Invalid" },
      { index: 2, message: "no", reason: "Forbidden" },
      {
        index: 3,
        message: "expression 'object.data.missing == ''' resulted in error: no such key: missing",
      },
    ]);
  });

  it("use the static message if messageExpression fails", () => {
    const messageOf = (messageExpression: string) =>
      evaluate({ validations: [{ expression: "false", message: "declared", messageExpression }] }).denials[0]?.message;
    expect(messageOf("'computed'")).toBe("computed");
    expect(messageOf("'  '")).toBe("declared");
    expect(messageOf("'two\\nlines'")).toBe("declared");
    expect(messageOf("string(object.data.missing)")).toBe("declared");
    expect(messageOf(`'${"x".repeat(6000)}'`)).toBe("declared");
  });

  it("are not evaluated if a match condition is false, even if another one fails", () => {
    const rules = { validations: [{ expression: "false" }] };
    const condition = (name: string, expression: string) => ({ name, expression });
    const broken = condition("broken", "object.data.missing == ''");
    expect(evaluate({ ...rules, matchConditions: [broken, condition("no", "false")] }).denials).toEqual([]);
    expect(evaluate({ ...rules, matchConditions: [condition("yes", "true"), broken] }).denials).toMatchObject([
      { message: "expression 'object.data.missing == ''' resulted in error: no such key: missing" },
    ]);
    expect(evaluate({ ...rules, matchConditions: [broken] }, true).denials).toEqual([]);
  });

  it("use variables; a variable that fails affects only the rules that use it", () => {
    const { denials } = evaluate({
      variables: [
        { name: "keys", expression: "object.data.map(k, k)" },
        { name: "first", expression: "variables.keys[0]" },
        { name: "broken", expression: "object.data.missing" },
      ],
      validations: [
        { expression: "variables.first == 'a' && (true || variables.broken == '')" },
        { expression: "variables.broken == ''" },
      ],
    });
    expect(denials.map(({ index, message }) => [index, message])).toEqual([
      [
        1,
        `expression 'variables.broken == ''' resulted in error: composited variable "broken" fails to evaluate: no such key: missing`,
      ],
    ]);
  });

  it("use the last of several variables with the same name", () => {
    const { denials } = evaluate({
      variables: [
        { name: "a", expression: "1" },
        { name: "b", expression: "variables.a" },
        { name: "a", expression: "2" },
        { name: "c", expression: "1" },
        { name: "c", expression: "variables.c + 1" },
      ],
      validations: [{ expression: "variables.a == 2 && variables.b == 2" }, { expression: "variables.c == 2" }],
    });
    expect(denials.map(({ index, message }) => [index, message])).toEqual([
      [1, expect.stringContaining('composited variable "c" refers to itself')],
    ]);
  });

  it("share one cost budget, including variables", () => {
    const twenty = `[${Array.from({ length: 20 }, (_, i) => i).join(", ")}]`;
    // About 600,000 each: dear, and within the limit of a single expression.
    const dear = (name: string) =>
      `${twenty}.all(a, ${twenty}.all(b, ${twenty}.all(c, ${twenty}.exists(d, d == 3 && object.metadata.name == '${name}'))))`;
    const many = Array.from({ length: 40 }, () => ({ expression: dear("x") }));
    expect(evaluate({ validations: many.slice(0, 2) }).denials).toEqual([]);
    const spent = evaluate({ validations: many });
    expect(spent.denials).toEqual([
      {
        index: 0,
        message: "validation failed due to running out of cost budget, no further validation rules will be run",
      },
    ]);
    expect(evaluate({ validations: many }, true)).toMatchObject({ denials: [], ignored: [spent.denials[0]?.message] });
  });

  it("add audit annotations whose value is not empty", () => {
    const auditAnnotations = [
      { key: "name", valueExpression: "'is ' + object.metadata.name" },
      { key: "none", valueExpression: "null" },
      { key: "blank", valueExpression: "'  '" },
      { key: "broken", valueExpression: "string(object.data.missing)" },
    ];
    expect(evaluate({ auditAnnotations })).toEqual({
      denials: [],
      ignored: [],
      annotations: [{ key: "name", value: "is x" }],
      annotationErrors: ["expression 'string(object.data.missing)' resulted in error: no such key: missing"],
    });
    expect(evaluate({ auditAnnotations }, true).annotationErrors).toEqual([]);
  });
});

describe("an authorizer that answers asynchronously", () => {
  it("is called once per question, with the same results as a synchronous one", async () => {
    const asked: unknown[] = [];
    const authorizer: Authorizer = {
      authorize: async (attributes) => {
        asked.push(attributes);
        return { decision: attributes.verb === "get" ? "allow" : "deny", reason: "because" };
      },
    };
    const request = admissionRequest("/configmaps", object);
    const seen = new RequestAuthorizer(authorizer, request);
    const policy = compileValidatingPolicy({
      validations: [
        { expression: "authorizer.group('apps').resource('deployments').name('d').check('get').allowed()" },
        { expression: "authorizer.requestResource.check('create').reason() == 'because'" },
        { expression: "authorizer.path('/healthz').check('post').allowed()", message: "may not" },
      ],
    });
    const inputs = { bindings: { ...bindings, ...seen.bindings }, ignoreErrors: false };
    const outcome = await seen.settle(() => evaluatePolicy(policy, inputs));
    expect(outcome.denials).toEqual([{ index: 2, message: "may not", reason: "Invalid" }]);
    expect(asked).toMatchObject([
      { verb: "get", group: "apps", resource: "deployments", name: "d" },
      { verb: "create", group: "", resource: "configmaps", namespace: "default", name: "x" },
      { verb: "post", path: "/healthz" },
    ]);
  });
});

describe("evaluations that together take long", () => {
  it("let the event loop handle other events in between", async () => {
    const allow: Authorizer = { authorize: () => ({ decision: "allow", reason: "" }) };
    const seen = new RequestAuthorizer(allow, admissionRequest("/configmaps", object));
    let turns = 0;
    const turn = () => {
      turns++;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    const work = () => {
      for (const began = performance.now(); performance.now() - began < 5; );
    };
    for (let number = 0; number < 10; number++) await seen.settle(work);
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(5);
  });
});

describe("bindings with the action Audit", () => {
  it("record failed validations and audit annotations in the audit event", async () => {
    const objects = new InMemoryObjects();
    const group = naming.group("admissionregistration");
    const versions: ServedVersions = {
      equivalents: () => [],
      find: () => undefined,
      convert: async (it) => it,
    };
    const authorizer: Authorizer = { authorize: () => ({ decision: "allow", reason: "" }) };
    const policies = createValidatingAdmissionPolicy({ naming, reader: objects, versions, authorizer });
    await policies.follow(objects);
    await objects.seed({ group: "", resource: "namespaces" }, { metadata: { name: "default" } });
    const request = admissionRequest("/configmaps", object);
    await policies.plugin.validate?.(request);
    expect(request.annotations).toEqual({});
    const resourceRules = [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] }];
    await objects.seed(
      { group, resource: "validatingadmissionpolicies" },
      {
        metadata: { name: "p" },
        spec: {
          matchConstraints: { resourceRules },
          validations: [{ expression: "true" }, { expression: "false", message: "no" }],
          auditAnnotations: [{ key: "k", valueExpression: "request.name" }],
        },
      },
    );
    const binding = { policyName: "p", validationActions: ["Audit", "Warn"] };
    await objects.seed(
      { group, resource: "validatingadmissionpolicybindings" },
      { metadata: { name: "b" }, spec: binding },
    );
    await policies.plugin.validate?.(request);
    expect(request.annotations).toEqual({
      "p/k": "x",
      "validation.policy.admission.k8s.io/validation_failure": JSON.stringify([
        { message: "no", policy: "p", binding: "b", expressionIndex: 1, validationActions: ["Audit", "Warn"] },
      ]),
    });
    expect(request.warnings).toEqual(["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': no"]);
    await expect(
      policies.plugin.validate?.(admissionRequest(`${naming.group("authentication")}/tokenreviews`, object)),
    ).resolves.toBeUndefined();
  });
});
