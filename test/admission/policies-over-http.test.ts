import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const REGISTRATION = "/apis/admissionregistration.k8s.io/v1";
const MAPS = "/api/v1/namespaces/default/configmaps";

const { call } = servePlane();

const rules = (resources: string[], apiGroups = [""], apiVersions = ["v1"]) => [
  { apiGroups, apiVersions, operations: ["CREATE", "UPDATE", "DELETE"], resources },
];

interface Put {
  readonly policy: object;
  readonly binding?: object;
}

/** Puts a policy into force that matches ConfigMaps in the default namespace unless it states otherwise. */
async function enforce(name: string, { policy, binding = {} }: Put): Promise<void> {
  const created = await call("POST", `${REGISTRATION}/validatingadmissionpolicies`, {
    body: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name },
      spec: { matchConstraints: { resourceRules: rules(["configmaps"]) }, ...policy },
    },
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const bound = await call("POST", `${REGISTRATION}/validatingadmissionpolicybindings`, {
    body: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name },
      spec: { policyName: name, validationActions: ["Deny"], ...binding },
    },
  });
  expect(bound.status, JSON.stringify(bound.body)).toBe(201);
}

async function lift(name: string): Promise<void> {
  await call("DELETE", `${REGISTRATION}/validatingadmissionpolicybindings/${name}`);
  await call("DELETE", `${REGISTRATION}/validatingadmissionpolicies/${name}`);
}

const map = (name: string, data: object = {}, labels: object = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, labels },
  data,
});

/** Returns the response to a creation as dry run. */
const preview = (name: string, data: object = {}, labels: object = {}) =>
  call("POST", `${MAPS}?dryRun=All`, { body: map(name, data, labels) });

const messageOf = async (name: string, data: object = {}, labels: object = {}): Promise<string> =>
  (await preview(name, data, labels)).body.message ?? "";

describe("a validating policy", () => {
  it("does not apply to policies and bindings, so that a policy that rejects everything can be deleted", async () => {
    const everything = { resourceRules: rules(["*/*"], ["*"], ["*"]) };
    await enforce("never", { policy: { matchConstraints: everything, validations: [{ expression: "false" }] } });
    await expect.poll(async () => (await preview("p")).status).toBe(422);
    const path = `${REGISTRATION}/validatingadmissionpolicybindings/never`;
    const body = { metadata: { labels: { still: "writable" } } };
    const changed = await call("PATCH", path, { body, headers: { "Content-Type": "application/merge-patch+json" } });
    expect(changed.status).toBe(200);
    expect((await call("DELETE", path)).status).toBe(200);
    expect((await call("DELETE", `${REGISTRATION}/validatingadmissionpolicies/never`)).status).toBe(200);
    await expect.poll(async () => (await preview("p")).status).toBe(201);
  });

  it("rejects objects that fail a validation, with Kubernetes' message, until its binding is deleted", async () => {
    await enforce("deny", { policy: { validations: [{ expression: "object.data.size() < 2", message: "too many" }] } });
    await expect.poll(async () => (await preview("p", { a: "1", b: "2" })).status).toBe(422);
    const refused = await call("POST", MAPS, { body: map("denied", { a: "1", b: "2" }) });
    const message = "ValidatingAdmissionPolicy 'deny' with binding 'deny' denied request: too many";
    expect(refused.body).toMatchObject({
      kind: "Status",
      status: "Failure",
      code: 422,
      reason: "Invalid",
      message: `configmaps "denied" is forbidden: ${message}`,
      details: { name: "denied", kind: "configmaps", causes: [{ message }] },
    });
    expect((await call("POST", MAPS, { body: map("fine", { a: "1" }) })).status).toBe(201);
    const patched = await call("PATCH", `${MAPS}/fine`, {
      type: "application/merge-patch+json",
      body: { data: { b: "2" } },
    });
    expect(patched.status).toBe(422);
    await lift("deny");
    await expect.poll(async () => (await preview("p", { a: "1", b: "2" })).status).toBe(201);
  });

  it("evaluates messageExpression, returns its reason, and provides every CEL variable", async () => {
    await enforce("words", {
      policy: {
        variables: [
          { name: "keys", expression: "object.data.map(k, k)" },
          { name: "count", expression: "variables.keys.size()" },
          { name: "broken", expression: "object.data['absent']" },
        ],
        validations: [
          {
            expression: "variables.count < 1 || request.operation == 'DELETE'",
            messageExpression:
              "'%d key in %s of %s'.format([variables.count, namespaceObject.metadata.name, request.name])",
            reason: "Forbidden",
          },
        ],
      },
    });
    await expect.poll(() => messageOf("w", { a: "1" })).toContain("denied request: 1 key in default of w");
    expect((await preview("w", { a: "1" })).body).toMatchObject({ code: 403, reason: "Forbidden" });
    await lift("words");
  });

  it("rejects a request if evaluation fails, unless failurePolicy is Ignore", async () => {
    const validations = [{ expression: "object.data['absent'] == 'x'" }];
    await enforce("strict", { policy: { validations } });
    await expect
      .poll(() => messageOf("s", { a: "1" }))
      .toContain("expression 'object.data['absent'] == 'x'' resulted in error: no such key: absent");
    await lift("strict");
    await expect.poll(async () => (await preview("s", { a: "1" })).status).toBe(201);
    await enforce("lenient", { policy: { validations, failurePolicy: "Ignore" } });
    await enforce("witness", { policy: { validations: [{ expression: "object.metadata.name != 'witness'" }] } });
    await expect.poll(async () => (await preview("witness")).status).toBe(422);
    expect((await preview("s", { a: "1" })).status).toBe(201);
    await lift("lenient");
    await lift("witness");
  });

  it("returns a warning if the binding's action is Warn", async () => {
    await enforce("warn", {
      policy: { validations: [{ expression: "!('bad' in object.data)", message: "better not" }] },
      binding: { validationActions: ["Warn"] },
    });
    const warned = "299 - \"Validation failed for ValidatingAdmissionPolicy 'warn' with binding 'warn': better not\"";
    await expect.poll(async () => (await preview("x", { bad: "1" })).headers.warning).toContain(warned);
    expect((await preview("x", { bad: "1" })).status).toBe(201);
    await lift("warn");
  });

  it("applies to requests that its selectors, conditions and rules match", async () => {
    await enforce("selective", {
      policy: {
        matchConstraints: {
          resourceRules: rules(["configmaps"]),
          excludeResourceRules: [{ ...rules(["configmaps"])[0], resourceNames: ["spared"] }],
          objectSelector: { matchExpressions: [{ key: "checked", operator: "Exists" }] },
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "default" } },
        },
        matchConditions: [{ name: "not-free", expression: "!object.metadata.name.startsWith('free')" }],
        validations: [{ expression: "false", message: "never" }],
      },
    });
    const labels = { checked: "yes" };
    await expect.poll(() => messageOf("caught", {}, labels)).toContain("denied request: never");
    expect((await preview("unlabelled")).status).toBe(201);
    expect((await preview("free-one", {}, labels)).status).toBe(201);
    expect((await preview("spared", {}, labels)).status).toBe(201);
    const elsewhere = await call("POST", "/api/v1/namespaces/kube-system/configmaps?dryRun=All", {
      body: map("caught", {}, labels),
    });
    expect(elsewhere.status).toBe(201);
    await lift("selective");
  });

  it("applies to requests in equivalent versions, converted to the version that it names", async () => {
    const autoscaler = {
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "h" },
      spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" }, maxReplicas: 3 },
    };
    const create = () =>
      call("POST", "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers?dryRun=All", {
        body: { ...autoscaler, apiVersion: "autoscaling/v2" },
      });
    const validations = [
      {
        expression: "false",
        messageExpression:
          "object.apiVersion + ' ' + request.resource.version + ' ' + request.requestResource.version + ' ' + request.kind.kind",
      },
    ];
    const resourceRules = rules(["horizontalpodautoscalers"], ["autoscaling"], ["v1"]);
    const expression = "request.resource.version == 'v2' && request.kind.version == 'v1'";
    const matchConditions = [{ name: "resource-of-the-request", expression }];
    await enforce("equivalent", { policy: { matchConstraints: { resourceRules }, matchConditions, validations } });
    await expect
      .poll(async () => (await create()).body.message)
      .toContain("denied request: autoscaling/v1 v1 v2 HorizontalPodAutoscaler");
    await lift("equivalent");
    await enforce("exact", { policy: { matchConstraints: { resourceRules, matchPolicy: "Exact" }, validations } });
    await enforce("witness", { policy: { validations: [{ expression: "object.metadata.name != 'witness'" }] } });
    await expect.poll(async () => (await preview("witness")).status).toBe(422);
    expect((await create()).status).toBe(201);
    await lift("exact");
    await lift("witness");
  });

  it("can call the authorizer for the user of the request", async () => {
    await enforce("asks", {
      policy: {
        validations: [
          {
            expression:
              "authorizer.requestResource.check('create').allowed() && !authorizer.serviceAccount('default', 'nobody').group('').resource('secrets').check('get').allowed() && object.metadata.name != 'asked'",
            message: "asked",
          },
        ],
      },
    });
    await expect.poll(() => messageOf("asked")).toContain("denied request: asked");
    expect((await preview("other")).status).toBe(201);
    await lift("asks");
  });

  it("fails when its cost budget is used up", async () => {
    await enforce("costly", {
      policy: {
        validations: [
          {
            expression:
              "[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, [1,2,3,4,5,6,7,8,9,10].all(f, a+b+c+d+e+f > 0 || object.metadata.name == '')))))) && false",
          },
        ],
      },
    });
    await expect.poll(() => messageOf("x")).toContain("operation cancelled: actual cost limit exceeded");
    await lift("costly");
  });
});

describe("parameters of a policy", () => {
  const policy = {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    matchConstraints: { resourceRules: rules(["secrets"]) },
    validations: [
      {
        expression: "object.metadata.name.size() <= int(params.data.longest)",
        messageExpression: "'longest is ' + params.data.longest + ' in ' + params.metadata.name",
      },
    ],
  };
  const secret = (name: string) =>
    call("POST", "/api/v1/namespaces/default/secrets?dryRun=All", {
      body: { apiVersion: "v1", kind: "Secret", metadata: { name } },
    });

  it("are found by name; parameterNotFoundAction decides about missing ones", async () => {
    await enforce("by-name", {
      policy,
      binding: { paramRef: { name: "limits", parameterNotFoundAction: "Deny" } },
    });
    await expect
      .poll(async () => (await secret("abc")).body.message)
      .toContain("no params found for policy binding with `Deny` parameterNotFoundAction");
    await call("POST", MAPS, { body: map("limits", { longest: "3" }) });
    expect((await secret("abc")).status).toBe(201);
    expect((await secret("abcd")).body.message).toContain("denied request: longest is 3 in limits");
    await lift("by-name");
    await call("DELETE", `${MAPS}/limits`);
  });

  it("are all evaluated if a selector finds several", async () => {
    await call("POST", MAPS, { body: map("wide", { longest: "9" }, { limit: "yes" }) });
    await call("POST", MAPS, { body: map("narrow", { longest: "2" }, { limit: "yes" }) });
    await enforce("by-selector", {
      policy,
      binding: { paramRef: { selector: { matchLabels: { limit: "yes" } }, parameterNotFoundAction: "Allow" } },
    });
    await expect.poll(async () => (await secret("abcd")).body.message).toContain("longest is 2 in narrow");
    expect((await secret("ab")).status).toBe(201);
    await lift("by-selector");
  });

  it("of a kind that is not served make the policy fail", async () => {
    await enforce("unknown", {
      policy: { ...policy, paramKind: { apiVersion: "example.com/v1", kind: "Limit" } },
      binding: { paramRef: { name: "limits", parameterNotFoundAction: "Deny" } },
    });
    await expect
      .poll(async () => (await secret("abc")).body.message)
      .toContain(
        "ValidatingAdmissionPolicy 'unknown' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=Limit'",
      );
    await lift("unknown");
  });
});

describe("requests without an object name, and connections", () => {
  const refuseAll = [{ expression: "false", message: "no" }];
  const constraints = (operations: string[], resources: string[]) => ({
    matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations, resources }] },
  });

  it("are rejected with the name Unknown in the message when a collection is deleted", async () => {
    await call("POST", MAPS, { body: map("kept") });
    await enforce("keep", { policy: { ...constraints(["DELETE"], ["configmaps"]), validations: refuseAll } });
    const one = await call("DELETE", `${MAPS}/kept`);
    expect(one.body.message).toMatch(/^configmaps "kept" is forbidden: /);
    const all = await call("DELETE", MAPS);
    expect(all.body.message).toMatch(/^configmaps "Unknown" is forbidden: /);
    await lift("keep");
  });

  it("are rejected as connections before their target is looked up", async () => {
    const validations = [{ expression: "object.command[0] != 'sh'", messageExpression: "string(object.kind)" }];
    await enforce("quiet", { policy: { ...constraints(["CONNECT"], ["pods/exec"]), validations } });
    const exec = (query: string) => call("GET", `/api/v1/namespaces/default/pods/nobody/exec?${query}`);
    expect((await exec("command=sh&command=-c&stdin=true")).body.message).toBe(
      `pods "nobody" is forbidden: ValidatingAdmissionPolicy 'quiet' with binding 'quiet' denied request: PodExecOptions`,
    );
    expect((await exec("command=ls")).body.message).toBe('pods "nobody" not found');
    expect((await exec("command=ls&dryRun=All")).body.message).toBe("dryRun is not supported");
    await lift("quiet");
  });

  it("are seen with the options of their kind, without metadata and parameters that are false or empty", async () => {
    const names = ["metadata", "stdin", "stdout", "tty", "container", "command", "ports"];
    const messageExpression = `[${names.map((name) => `has(object.${name}) ? '${name}' : ''`)}].filter(n, n != '').join(' ')`;
    const validations = [{ expression: "false", messageExpression }];
    await enforce("seen", { policy: { ...constraints(["CONNECT"], ["pods/*"]), validations } });
    const seen = async (path: string) => {
      const { body } = await call("GET", `/api/v1/namespaces/default/pods/nobody/${path}`);
      return body.message.replace(/.*denied request: /, "");
    };
    expect(await seen("exec?command=ls&stdin=true&stdout=false&container=&ports=1")).toBe("stdin command");
    expect(await seen("exec?container=c")).toBe("container command");
    expect(await seen("attach?tty=1&command=ls")).toBe("tty");
    expect(await seen("portforward?ports=80&stdin=true")).toBe("ports");
    await lift("seen");
  });
});

it("the metrics of validating policies count failed validations by action and error, while the policy exists", async () => {
  const checks = async () =>
    (await call("GET", "/metrics")).text.match(/^apiserver_validating_admission_policy_check_total.*$/gm) ?? [];
  const broken = { expression: "object.data.missing == 'x'" };
  await enforce("counted", {
    policy: { validations: [{ expression: "object.metadata.name != 'counted'" }] },
    binding: { validationActions: ["Warn", "Audit"] },
  });
  await enforce("lenient", { policy: { failurePolicy: "Ignore", validations: [broken] } });
  await expect.poll(async () => (await preview("counted")).headers.warning).toContain("counted");
  await expect.poll(checks).toHaveLength(3);
  const labels = (policy: string, action: string) =>
    `{policy="${policy}",policy_binding="${policy}",error_type="invalid_error",enforcement_action="${action}"}`;
  const found = (await checks()).join();
  for (const sample of [labels("counted", "warn"), labels("counted", "audit"), labels("lenient", "allow")])
    expect(found).toContain(sample);
  await lift("counted");
  await lift("lenient");
  await expect.poll(checks).toEqual([]);
});
