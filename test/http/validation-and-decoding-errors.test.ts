import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

const MERGE = "application/merge-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";
const JSON_PATCH = "application/json-patch+json";
const CORE = "/api/v1/namespaces/default";
const APPS = "/apis/apps/v1/namespaces/default";
const BATCH = "/apis/batch/v1/namespaces/default";
const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "m", image: "i" }] } };
const selector = { matchLabels: { a: "b" } };

describe("volumeAttributesClassName while its feature gate is disabled", () => {
  const claimSpec = {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "1Gi" } },
    volumeAttributesClassName: "Odd_name",
  };

  it("is removed from new PersistentVolumeClaims and PersistentVolumes", async () => {
    const { body: claim } = await call("POST", `${CORE}/persistentvolumeclaims`, {
      body: { metadata: { name: "plain" }, spec: claimSpec },
    });
    expect(claim.spec).not.toHaveProperty("volumeAttributesClassName");
    const { body: volume } = await call("POST", "/api/v1/persistentvolumes", {
      body: {
        metadata: { name: "plain" },
        spec: {
          accessModes: ["ReadWriteOnce"],
          capacity: { storage: "1Gi" },
          hostPath: { path: "/x" },
          volumeAttributesClassName: "Odd_name",
        },
      },
    });
    expect(volume.spec).not.toHaveProperty("volumeAttributesClassName");
  });

  it("is removed from the status of PersistentVolumeClaims", async () => {
    const { status, body } = await call("PATCH", `${CORE}/persistentvolumeclaims/plain/status`, {
      body: { status: { currentVolumeAttributesClassName: "c", modifyVolumeStatus: { status: "Pending" } } },
      type: MERGE,
    });
    expect([status, body.status]).toEqual([200, { phase: "Pending" }]);
  });

  it("is kept in volume claim templates, which are immutable", async () => {
    const set = (volumeAttributesClassName: string) => ({
      metadata: { name: "classy" },
      spec: {
        selector,
        template,
        serviceName: "s",
        volumeClaimTemplates: [{ metadata: { name: "c" }, spec: { ...claimSpec, volumeAttributesClassName } }],
      },
    });
    await call("POST", `${APPS}/statefulsets`, { body: set("one") });
    const { status, body } = await call("PUT", `${APPS}/statefulsets/classy`, { body: set("two") });
    expect([status, body.message]).toEqual([
      422,
      expect.stringContaining("spec: Forbidden: updates to statefulset spec for fields other than"),
    ]);
    const volumes = [{ name: "v", ephemeral: { volumeClaimTemplate: { spec: claimSpec } } }];
    const { body: pod } = await call("POST", "/api/v1/namespaces/default/podtemplates", {
      body: { metadata: { name: "classy" }, template: { ...template, spec: { ...template.spec, volumes } } },
    });
    expect(JSON.stringify(pod)).toContain('"volumeAttributesClassName":"Odd_name"');
  });
});

describe("a CertificateSigningRequest with an empty request", () => {
  it.each([
    ["", "[]byte{}"],
    ["\n", "[]byte{}"],
    [undefined, "[]byte(nil)"],
  ])("is rejected with a message that distinguishes empty from absent: %j", async (request, shown) => {
    const { body } = await call("POST", "/apis/certificates.k8s.io/v1/certificatesigningrequests", {
      body: { metadata: { name: "empty" }, spec: { request, signerName: "a.example.com/b", usages: ["client auth"] } },
    });
    expect(body.message).toContain(`spec.request: Invalid value: ${shown}: PEM block type must be CERTIFICATE REQUEST`);
  });
});

describe("a number in a field of another type", () => {
  const LABELS =
    "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type map[string]string";

  it("gets 400 as the kind of an object", async () => {
    const { body } = await call("POST", `${CORE}/configmaps`, { body: Buffer.from('{"kind":1e20}') });
    expect(body.message).toContain("json: cannot unmarshal number into Go struct field .kind of type string");
  });

  it.each(["1000.0", "1e20", "5"])("gets the same decoding error in every notation: %s", async (number) => {
    const body = Buffer.from(`{"metadata":{"name":"n","labels":${number}}}`);
    const { status, body: refused } = await call("POST", `${CORE}/configmaps`, { body });
    expect([status, refused.message]).toEqual([400, expect.stringContaining(LABELS)]);
    await call("POST", `${CORE}/configmaps`, { body: { metadata: { name: "numbers" } } });
    const { body: merged } = await call("PATCH", `${CORE}/configmaps/numbers`, { body, type: MERGE });
    expect(merged.message).toContain(LABELS);
  });

  it.each([
    ["9223372036854775807", "9223372036854775807", "cannot convert int64 to string"],
    ["9223372036854775808", "9.223372036854775808e+18", "unrecognized type: string"],
    ["1e20", "1e+20", "unrecognized type: string"],
    ["1000.0", "1000", "unrecognized type: string"],
    ["1234567.5", "1.2345675e+06", "unrecognized type: string"],
  ])("is printed as Go does in the error of a strategic merge patch: %s", async (number, shown, why) => {
    const { body } = await call("PATCH", `${CORE}/configmaps/numbers`, {
      body: Buffer.from(`{"data":{"a":${number}}}`),
      type: STRATEGIC,
    });
    const float = shown.replace("5808e", "6e");
    expect(body.message).toContain(`Invalid value: "map[data:map[a:${float}]]": ${why}`);
  });
});

describe("a patch whose result has several decoding errors", () => {
  const job = {
    metadata: { name: "several" },
    spec: { template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } } },
  };
  const patched = async (body: object, type: string, query = "") =>
    (await call("PATCH", `${BATCH}/jobs/several${query}`, { body, type })).body.message as string;

  it("gets the first one in the order of the resulting JSON", async () => {
    await call("POST", `${BATCH}/jobs`, { body: job });
    const wrong = { parallelism: "x", completions: "y" };
    expect(await patched({ spec: wrong }, MERGE)).toMatch(
      /into Go struct field JobSpec.spec.completions of type int32$/,
    );
    const operations = Object.entries(wrong).map(([key, value]) => ({ op: "replace", path: `/spec/${key}`, value }));
    expect(await patched(operations, JSON_PATCH)).toMatch(/JobSpec.spec.completions of type int32$/);
    const unknown = { zz: 1, aa: 2 };
    expect(await patched({ spec: unknown }, MERGE, "?fieldValidation=Strict")).toMatch(
      /strict decoding error: unknown field "spec.aa", unknown field "spec.zz"$/,
    );
  });

  it("gets the first one in the order of the Go fields for a strategic merge patch", async () => {
    expect(await patched({ spec: { suspend: 3, completions: [] } }, STRATEGIC)).toMatch(/: unrecognized type: int32$/);
    expect(await patched({ spec: { completions: [], suspend: 3 } }, STRATEGIC)).toMatch(/: unrecognized type: int32$/);
  });

  it("prints objects sorted if the JSON patch tested a value in them", async () => {
    const message = await patched(
      [
        { op: "test", path: "/metadata/name", value: "several" },
        { op: "replace", path: "/spec/parallelism", value: "x" },
      ],
      JSON_PATCH,
    );
    expect(message).toMatch(/metadata\\":\{\\"creationTimestamp\\":/);
  });
});

describe("a patch of the scale subresource", () => {
  it("gets 400 if it changes the namespace", async () => {
    await call("POST", `${APPS}/deployments`, { body: { metadata: { name: "scaled" }, spec: { selector, template } } });
    const { status, body } = await call("PATCH", `${APPS}/deployments/scaled/scale`, {
      body: { metadata: { namespace: "other" } },
      type: MERGE,
    });
    expect([status, body.message]).toEqual([
      400,
      "the namespace of the provided object does not match the namespace sent on the request",
    ]);
  });

  it("may apply null labels, and gets 400 for another namespace", async () => {
    const apply = (metadata: object) =>
      call("PATCH", `${APPS}/deployments/scaled/scale?fieldManager=m&force=true`, {
        body: {
          apiVersion: "autoscaling/v1",
          kind: "Scale",
          metadata: { name: "scaled", ...metadata },
          spec: { replicas: 2 },
        },
        type: "application/apply-patch+yaml",
      });
    expect((await apply({ labels: { a: null } })).status).toBe(200);
    expect((await apply({ namespace: "other" })).status).toBe(400);
  });

  it("gets 422 for invalid metadata and replicas", async () => {
    const { status, body } = await call("PATCH", `${APPS}/deployments/scaled/scale`, {
      body: { metadata: { labels: { a: "b!" } }, spec: { replicas: -1 } },
      type: MERGE,
    });
    expect([status, body.message]).toEqual([
      422,
      expect.stringMatching(
        /^Scale.autoscaling "scaled" is invalid: \[metadata.labels: .*, spec.replicas: Invalid value: -1: /,
      ),
    ]);
  });
});

describe("a deletionTimestamp that a client sets", () => {
  const deletionTimestamp = "2020-01-02T03:04:05Z";

  it("is rejected as immutable and printed as Go prints times", async () => {
    await call("POST", `${CORE}/configmaps`, { body: { metadata: { name: "dying" } } });
    const { body } = await call("PATCH", `${CORE}/configmaps/dying`, {
      body: { metadata: { deletionTimestamp } },
      type: MERGE,
    });
    expect(body.message).toBe(
      'ConfigMap "dying" is invalid: metadata.deletionTimestamp: Invalid value: 2020-01-02 03:04:05 +0000 UTC: field is immutable',
    );
  });

  it("is ignored in an update of the status of a Pod or PriorityLevelConfiguration", async () => {
    await call("POST", `${CORE}/serviceaccounts`, { body: { metadata: { name: "default" } } });
    await call("POST", `${CORE}/pods`, { body: { metadata: { name: "dying" }, spec: template.spec } });
    const levels = "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations";
    for (const path of [`${CORE}/pods/dying`, `${levels}/catch-all`]) {
      const { status, body } = await call("PATCH", `${path}/status`, {
        body: { metadata: { deletionTimestamp, generateName: "x" } },
        type: MERGE,
      });
      expect([status, body.metadata]).toEqual([200, expect.not.objectContaining({ deletionTimestamp })]);
    }
  });
});

describe("creating an object with a resourceVersion", () => {
  it("fails unless it is a dry run", async () => {
    const body = { metadata: { name: "versioned", resourceVersion: "5" } };
    expect((await call("POST", `${CORE}/configmaps?dryRun=All`, { body })).status).toBe(201);
    expect((await call("POST", `${CORE}/configmaps`, { body })).status).toBe(500);
  });
});

describe("unknown fields", () => {
  const limits = [{ type: "Pod", max: { cpu: "1" } }];

  it("are quoted as Go does and reported in the order of the document", async () => {
    const { body } = await call("POST", `${CORE}/limitranges?fieldValidation=Strict`, {
      body: { metadata: { name: "unknown" }, spec: { limits, 'z"': 1, a: 2 } },
    });
    expect(body.message).toMatch(/: unknown field "spec.z\\"", unknown field "spec.a"$/);
    const schema = { type: "object", properties: { z: { type: "string", b: 1 }, a: { type: "string", c: 1 } } };
    const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } };
    const names = { plural: "odds", kind: "Odd" };
    const definition = {
      metadata: { name: "odds.example.com" },
      spec: { group: "example.com", scope: "Cluster", names, versions: [version] },
    };
    const { body: refused } = await call(
      "POST",
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?fieldValidation=Strict",
      { body: definition },
    );
    const at = "spec.versions[0].schema.openAPIV3Schema.properties";
    expect(refused.message).toContain(`unknown field "${at}.z.b", unknown field "${at}.a.c"`);
  });

  it("have no map keys in their paths after a strategic merge patch", async () => {
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } };
    const definition = {
      metadata: { name: "evens.example.com" },
      spec: { group: "example.com", scope: "Cluster", names: { plural: "evens", kind: "Even" }, versions: [version] },
    };
    await call("POST", path, { body: definition });
    const changed = { ...schema, properties: { a: { type: "string", odd: 1 } } };
    const { body } = await call("PATCH", `${path}/evens.example.com?fieldValidation=Strict`, {
      body: { spec: { versions: [{ ...version, schema: { openAPIV3Schema: changed } }] } },
      type: STRATEGIC,
    });
    expect(body.message).toMatch(
      /strict decoding error: unknown field "spec.versions\[0\].schema.openAPIV3Schema.properties.odd"$/,
    );
  });
});

describe("an eviction", () => {
  const evict = async (deleteOptions: object, query = "") => {
    const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "evicted" }, deleteOptions };
    const answer = await call("POST", `${CORE}/pods/evicted/eviction${query}`, { body });
    return [answer.status, answer.body.message];
  };

  it("gets the validation errors of its deleteOptions", async () => {
    await call("POST", `${CORE}/serviceaccounts`, { body: { metadata: { name: "default" } } });
    await call("POST", `${CORE}/pods`, { body: { metadata: { name: "evicted" }, spec: template.spec } });
    expect(await evict({ propagationPolicy: "Odd" })).toEqual([
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Odd": supported values: "Foreground", "Background", "Orphan", "nil"',
    ]);
    const option = "ignoreStoreReadErrorWithClusterBreakingPotential";
    expect(await evict({ [option]: true })).toEqual([
      422,
      `Eviction.policy "evicted" is invalid: deleteOptions.${option}: Invalid value: true: can not be set for pod eviction, try after removing the option`,
    ]);
    expect(await evict({ dryRun: ["x"] }, "?dryRun=All")).toEqual([
      500,
      "Non-matching dry-run options in request and content: [All] and [x]",
    ]);
  });
});

describe("strings of an apply configuration", () => {
  it("get 400 for escaped surrogates, which YAML does not support", async () => {
    const body = (text: string) =>
      Buffer.from(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"y"},"data":{"a":"${text}"}}`);
    const type = "application/apply-patch+yaml";
    const path = `${CORE}/configmaps/y?fieldManager=m`;
    const { status, body: refused } = await call("PATCH", path, { body: body(String.raw`\ud835\udcb3`), type });
    expect([status, refused.message]).toEqual([
      400,
      "error decoding YAML: error converting YAML to JSON: yaml: found invalid Unicode character escape code",
    ]);
    expect((await call("PATCH", path, { body: body(String.raw`\\ud835`), type })).status).toBe(201);
  });
});

describe("a directive of a strategic merge patch that is not a string", () => {
  it("is printed as Go prints a value with the wrong format verb", async () => {
    await call("POST", `${CORE}/configmaps`, { body: { metadata: { name: "directed" } } });
    const { body } = await call("PATCH", `${CORE}/configmaps/directed`, { body: { $patch: 5 }, type: STRATEGIC });
    expect(body.message).toBe("unknown patch type: %!s(int64=5) in map: map[$patch:5]");
  });
});

describe("an update whose name and namespace both differ from the URL", () => {
  it("is rejected because of its namespace", async () => {
    await call("POST", `${CORE}/configmaps`, { body: { metadata: { name: "here" } } });
    const metadata = { name: "there", namespace: "elsewhere" };
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata };
    const path = `${CORE}/configmaps/here`;
    for (const { body: refused } of [
      await call("PUT", path, { body }),
      await call("PATCH", path, { body: { metadata }, type: MERGE }),
    ])
      expect(refused.message).toBe(
        "the namespace of the provided object does not match the namespace sent on the request",
      );
  });
});

describe("an inline PersistentVolume spec in a VolumeAttachment", () => {
  it("gets no defaults", async () => {
    const inlineVolumeSpec = { accessModes: ["ReadWriteOnce"], csi: { driver: "d.example.com", volumeHandle: "h" } };
    const { body } = await call("POST", "/apis/storage.k8s.io/v1/volumeattachments", {
      body: { metadata: { name: "inline" }, spec: { attacher: "a", nodeName: "n", source: { inlineVolumeSpec } } },
    });
    expect((body.spec as { source: object }).source).toEqual({ inlineVolumeSpec });
    const { body: volume } = await call("POST", "/api/v1/persistentvolumes", {
      body: { metadata: { name: "whole" }, spec: { ...inlineVolumeSpec, capacity: { storage: "1Gi" } } },
    });
    expect(volume.spec).toMatchObject({ persistentVolumeReclaimPolicy: "Retain", volumeMode: "Filesystem" });
  });
});

describe("a volume with two volume types", () => {
  it("is rejected for the second type in the order of Kubernetes", async () => {
    const volumeClaimTemplate = { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } } };
    const volumes = [{ name: "v", ephemeral: { volumeClaimTemplate }, photonPersistentDisk: { pdID: "p" } }];
    const { body } = await call("POST", `${CORE}/podtemplates`, {
      body: { metadata: { name: "both" }, template: { ...template, spec: { ...template.spec, volumes } } },
    });
    expect(body.message).toContain(
      "template.spec.volumes[0].ephemeral: Forbidden: may not specify more than 1 volume type",
    );
  });
});

describe("a CRD schema", () => {
  const define = async (list: object) => {
    const schema = { openAPIV3Schema: { type: "object", properties: { list } } };
    const { status, body } = await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      body: {
        metadata: { name: "lists.example.com" },
        spec: {
          group: "example.com",
          scope: "Cluster",
          names: { plural: "lists", kind: "List" },
          versions: [{ name: "v1", served: true, storage: true, schema }],
        },
      },
    });
    return `${status} ${body.message}`;
  };

  it.each(["x", 5, []])("requires items instead of %j", async (items) => {
    expect(await define({ type: "array", items })).toContain(
      "properties[list].items: Required value: must be specified",
    );
  });

  it.each([
    ["x", "(nil)"],
    [[], "{}"],
  ])("prints invalid items of a map list: %j", async (items, shown) => {
    const map = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] };
    const value = `JSONSchemas:[]apiextensions.JSONSchemaProps${shown}}`;
    expect(await define({ type: "array", items, ...map })).toContain(
      `${value}: must only have a single schema if x-kubernetes-list-type is map`,
    );
  });

  it("must not have dependencies, not even empty ones", async () => {
    expect(await define({ type: "object", dependencies: {} })).toContain("Forbidden: dependencies is not supported");
    expect(await define({ type: "object", dependencies: 5 })).toContain("of type v1.JSONSchemaDependencies");
  });
});

describe("the error of a strategic merge patch with $patch: replace", () => {
  it("prints the patch without the directive at the top", async () => {
    await call("POST", `${CORE}/configmaps`, { body: { metadata: { name: "replaced" } } });
    const { body } = await call("PATCH", `${CORE}/configmaps/replaced`, {
      body: { $patch: "replace", data: { $patch: "replace", a: [] } },
      type: STRATEGIC,
    });
    expect(body.message).toContain('patch: Invalid value: "map[data:map[$patch:replace a:[]]]": ');
  });
});

describe("a CustomResourceDefinition with several decoding errors", () => {
  it("gets the error of the nested schema first", async () => {
    const items = { type: "object", required: "x" };
    const schema = { openAPIV3Schema: { type: "object", properties: { list: { type: "array", items } } } };
    const { body } = await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      body: { metadata: { name: "n", generation: "x" }, spec: { versions: [{ name: "v1", schema }] } },
    });
    expect(body.message).toContain("openAPIV3Schema.properties.items of type []string");
  });
});
