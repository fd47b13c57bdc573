import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";

const REGISTRATION = "/apis/admissionregistration.k8s.io/v1alpha1";
const MAPS = "/api/v1/namespaces/default/configmaps";

let plane: Plane;
let call: ReturnType<typeof createClient>;

beforeAll(async () => {
  plane = await startPlane({
    flags: {
      controllers: "false",
      "feature-gates": "MutatingAdmissionPolicy=true",
      "runtime-config": "admissionregistration.k8s.io/v1alpha1=true",
    },
  });
  call = createClient(plane);
  await plane.ready;
});

afterAll(() => plane.stop());

const apply = (expression: string) => ({ patchType: "ApplyConfiguration", applyConfiguration: { expression } });
const patch = (expression: string) => ({ patchType: "JSONPatch", jsonPatch: { expression } });

/** Puts policies into force, waits until `isInForce` confirms it, calls `run`, and removes them. */
async function withPolicies(
  policies: Record<string, object>,
  isInForce: () => Promise<unknown>,
  run: () => Promise<void>,
) {
  for (const [name, spec] of Object.entries(policies)) {
    const created = await call("POST", `${REGISTRATION}/mutatingadmissionpolicies`, {
      body: {
        apiVersion: "admissionregistration.k8s.io/v1alpha1",
        kind: "MutatingAdmissionPolicy",
        metadata: { name },
        spec: {
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: ["", "apps"],
                apiVersions: ["v1"],
                operations: ["CREATE", "UPDATE"],
                resources: ["configmaps", "deployments"],
              },
            ],
          },
          reinvocationPolicy: "Never",
          ...spec,
        },
      },
    });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const bound = await call("POST", `${REGISTRATION}/mutatingadmissionpolicybindings`, {
      body: {
        apiVersion: "admissionregistration.k8s.io/v1alpha1",
        kind: "MutatingAdmissionPolicyBinding",
        metadata: { name },
        spec: { policyName: name },
      },
    });
    expect(bound.status, JSON.stringify(bound.body)).toBe(201);
  }
  try {
    await expect.poll(isInForce).toBeTruthy();
    await run();
  } finally {
    for (const name of Object.keys(policies)) {
      await call("DELETE", `${REGISTRATION}/mutatingadmissionpolicybindings/${name}`);
      await call("DELETE", `${REGISTRATION}/mutatingadmissionpolicies/${name}`);
    }
    await expect.poll(async () => !(await isInForce())).toBe(true);
  }
}

const preview = (name: string, data: object = { a: "1" }) =>
  call("POST", `${MAPS}?dryRun=All`, { body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data } });

const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d" },
  spec: {
    selector: { matchLabels: { app: "d" } },
    template: {
      metadata: { labels: { app: "d" } },
      spec: { containers: [{ name: "main", image: "main:1" }], nodeSelector: { disk: "ssd" } },
    },
  },
};
const previewDeployment = () =>
  call("POST", "/apis/apps/v1/namespaces/default/deployments?dryRun=All", { body: deployment });

describe("a mutating policy", () => {
  it("merges an apply configuration into the object by list keys, and the result is defaulted", async () => {
    const mutations = [
      apply(
        `Object{
          metadata: Object.metadata{labels: {"by": "policy", "name": string(object.metadata.name)}},
          spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{
            containers: [Object.spec.template.spec.containers{name: "main", imagePullPolicy: "Always"}],
            initContainers: [Object.spec.template.spec.initContainers{name: "first", image: "first:1"}]
          }}}
        }`,
      ),
    ];
    const isInForce = async () => (await previewDeployment()).body.metadata.labels?.by === "policy";
    await withPolicies({ lay: { mutations, matchConditions: isDeployment } }, isInForce, async () => {
      const { body } = await previewDeployment();
      expect(body.metadata.labels).toEqual({ by: "policy", name: "d" });
      const { spec } = body.spec.template;
      expect(spec.containers).toMatchObject([{ name: "main", image: "main:1", imagePullPolicy: "Always" }]);
      expect(spec.initContainers).toMatchObject([
        { name: "first", image: "first:1", terminationMessagePath: "/dev/termination-log" },
      ]);
    });
  });

  it("fails if an apply configuration changes an atomic list, map or struct", async () => {
    const mutations = [
      apply("Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {'app': 'other'}}}}"),
    ];
    const isInForce = async () => (await previewDeployment()).status === 403;
    await withPolicies({ whole: { mutations, matchConditions: isDeployment } }, isInForce, async () => {
      const { body } = await previewDeployment();
      const message =
        "policy 'whole' with binding 'whole' denied request: error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.selector";
      expect(body).toMatchObject({ code: 403, reason: "Invalid", message, details: { causes: [{ message }] } });
    });
  });

  it("applies JSON patches in order, unless a test operation fails", async () => {
    const mutations = [
      patch("[JSONPatch{op: 'add', path: '/data/' + jsonpatch.escapeKey('x/y'), value: variables.text}]"),
      patch("[JSONPatch{op: 'test', path: '/data/a', value: '1'}, JSONPatch{op: 'add', path: '/data/b', value: '2'}]"),
      patch("has(object.data.b) ? [JSONPatch{op: 'move', from: '/data/b', path: '/data/c'}] : []"),
    ];
    const variables = [{ name: "text", expression: "'size ' + string(object.data.size())" }];
    const isInForce = async () => "c" in ((await preview("p")).body.data ?? {});
    // A key may not hold a slash: that change is refused later, as if a client had made it.
    await withPolicies({ steps: { mutations: mutations.slice(1), matchConditions: isMap } }, isInForce, async () => {
      expect((await preview("p")).body.data).toEqual({ a: "1", c: "2" });
      expect((await preview("p", { a: "other" })).body.data).toEqual({ a: "other" });
    });
    const isRefused = async () => (await preview("p")).status === 422;
    await withPolicies(
      { first: { mutations: [mutations[0]], variables, matchConditions: isMap } },
      isRefused,
      async () => {
        expect((await preview("p")).body.message).toContain('data[x/y]: Invalid value: "x/y"');
      },
    );
  });

  it("is evaluated again after other mutations if reinvocationPolicy is IfNeeded", async () => {
    const count = (key: string) =>
      patch(`[JSONPatch{op: 'add', path: '/data/${key}', value: 'b' in object.data ? 'seen' : 'unseen'}]`);
    const isInForce = async () =>
      "a2" in ((await preview("p")).body.data ?? {}) && "b" in (await preview("p")).body.data;
    const second = {
      mutations: [patch("[JSONPatch{op: 'add', path: '/data/b', value: '1'}]")],
      matchConditions: isMap,
    };
    const first = { mutations: [count("a2")], matchConditions: isMap };
    await withPolicies({ "a-first": first, "b-second": second }, isInForce, async () => {
      expect((await preview("p")).body.data).toEqual({ a: "1", a2: "unseen", b: "1" });
    });
    await withPolicies(
      { "a-first": { ...first, reinvocationPolicy: "IfNeeded" }, "b-second": second },
      isInForce,
      async () => {
        expect((await preview("p")).body.data).toEqual({ a: "1", a2: "seen", b: "1" });
      },
    );
  });

  it("is evaluated again after its own change if reinvocationPolicy is IfNeeded", async () => {
    const mutations = [patch("[JSONPatch{op: 'add', path: '/data/n', value: object.data.?n.orValue('') + 'x'}]")];
    const isInForce = async () => "n" in ((await preview("p")).body.data ?? {});
    for (const [reinvocationPolicy, n] of [
      ["Never", "x"],
      ["IfNeeded", "xx"],
    ] as const)
      await withPolicies({ own: { mutations, matchConditions: isMap, reinvocationPolicy } }, isInForce, async () => {
        expect((await preview("p")).body.data).toEqual({ a: "1", n });
      });
  });

  it("rejects the request if a JSON patch adds a field that a built-in kind does not have", async () => {
    const mutations = [patch("[JSONPatch{op: 'add', path: '/metadata/other', value: 'x'}]")];
    const isInForce = async () => (await preview("p")).status !== 201;
    const spec = { mutations, matchConditions: isMap, failurePolicy: "Ignore" };
    await withPolicies({ adds: spec }, isInForce, async () => {
      expect((await preview("p")).body).toMatchObject({
        code: 500,
        message: 'Internal error occurred: strict decoding error: unknown field "metadata.other"',
      });
    });
  });

  it("that merges a value which cannot be decoded rejects the request, unless failurePolicy is Ignore", async () => {
    const mutations = [apply("Object{binaryData: {'b': 'xxxxx'}}")];
    const isInForce = async () => (await preview("p")).status === 403;
    await withPolicies({ merges: { mutations, matchConditions: isMap } }, isInForce, async () => {
      expect((await preview("p")).body.message).toBe(
        "policy 'merges' with binding 'merges' denied request: unable to convert unstructured object to /v1, Kind=ConfigMap: error decoding from json: illegal base64 data at input byte 4",
      );
    });
    const label = patch("[JSONPatch{op: 'add', path: '/data/y', value: '1'}]");
    const spec = { mutations: [...mutations, label], matchConditions: isMap, failurePolicy: "Ignore" };
    const isIgnored = async () => "y" in ((await preview("p")).body.data ?? {});
    await withPolicies({ merges: spec }, isIgnored, async () => {
      expect((await preview("p")).body).toMatchObject({ data: { a: "1", y: "1" } });
    });
  });

  it("that fails rejects the request, unless failurePolicy is Ignore", async () => {
    const mutations = [patch("[JSONPatch{op: 'add', path: '/data/x', value: object.data.missing}]")];
    const isInForce = async () => (await preview("p")).status === 403;
    await withPolicies({ fails: { mutations, matchConditions: isMap } }, isInForce, async () => {
      expect((await preview("p")).body.message).toContain(
        "policy 'fails' with binding 'fails' denied request: expression '[JSONPatch{op: 'add', path: '/data/x', value: object.data.missing}]' resulted in error: no such key: missing",
      );
    });
    const ignores = { mutations: [...mutations, patch("[JSONPatch{op: 'add', path: '/data/y', value: '1'}]")] };
    const isIgnored = async () => "y" in ((await preview("p")).body.data ?? {});
    await withPolicies(
      { lax: { ...ignores, failurePolicy: "Ignore", matchConditions: isMap } },
      isIgnored,
      async () => {
        expect((await preview("p")).body.data).toEqual({ a: "1", y: "1" });
      },
    );
  });
});

const isMap = [{ name: "is-map", expression: "request.kind.kind == 'ConfigMap'" }];
const isDeployment = [{ name: "is-deployment", expression: "request.kind.kind == 'Deployment'" }];
