import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient, type Parsed } from "../fixtures/plane-client.ts";

const OFF = [
  ...["JobManagedBy", "JobPodReplacementPolicy", "MatchLabelKeysInPodTopologySpread", "PodDeletionCost"],
  ...[
    "PodLifecycleSleepActionAllowZero",
    "ProcMountType",
    "RecoverVolumeExpansionFailure",
    "RelaxedDNSSearchValidation",
  ],
  ...[
    "RelaxedEnvironmentVariableValidation",
    "SupplementalGroupsPolicy",
    "UserNamespacesSupport",
    "InPlacePodVerticalScaling",
  ],
];
const PODS = "/api/v1/namespaces/default/pods";
const JOBS = "/apis/batch/v1/namespaces/default/jobs";
const MERGE = { type: "application/merge-patch+json" };

let planes: Plane[];
let calls: Record<"on" | "off" | "sleepless", ReturnType<typeof createClient>>;

beforeAll(async () => {
  const flags = { controllers: "false", "disable-admission-plugins": "ServiceAccount" };
  const off = OFF.map((gate) => `${gate}=false`).join(",");
  const gates = ["", off, "PodLifecycleSleepAction=false"];
  planes = await Promise.all(
    gates.map((each) => startPlane({ flags: { ...flags, ...(each !== "" && { "feature-gates": each }) } })),
  );
  await Promise.all(planes.map((plane) => plane.ready));
  const [on, withOff, sleepless] = planes.map(createClient) as [typeof calls.on, typeof calls.on, typeof calls.on];
  calls = { on, off: withOff, sleepless };
});

afterAll(async () => {
  await Promise.all(planes.map((plane) => plane.stop()));
});

let made = 0;
const pod = (spec: object, container: object = {}, annotations: object = {}): Parsed => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: `pod-${made++}`, annotations },
  spec: { containers: [{ name: "main", image: "a", ...container }], ...spec },
});
const causesOf = ({ body }: Parsed): string[] =>
  body.details.causes.map(({ field, message }: Parsed) => `${field}: ${message}`);

/** Creates a pod with and without the features; the second value is the refusal, or else the pod that is stored. */
async function both(body: Parsed): Promise<[number, Parsed]> {
  const { status } = await calls.on("POST", PODS, { body });
  return [status, await calls.off("POST", PODS, { body })];
}

describe("features of pods that are off by a gate", () => {
  it("refuse names of environment variables beyond letters, digits and -_.", async () => {
    const [on, off] = await both(pod({}, { env: [{ name: "a b", value: "c" }] }));
    expect(on).toBe(201);
    expect(causesOf(off)).toEqual([
      "spec.containers[0].env[0].name: Invalid value: \"a b\": a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')",
    ]);
  });

  it("refuse search domains with an underscore, and the domain of a dot", async () => {
    const [on, off] = await both(pod({ dnsConfig: { searches: [".", "_a.b"] } }));
    expect(on).toBe(201);
    expect(off.body.details.causes.map(({ field }: Parsed) => field)).toEqual([
      "spec.dnsConfig.searches[0]",
      "spec.dnsConfig.searches[1]",
    ]);
  });

  it("refuse handlers that sleep for no time", async () => {
    const [on, off] = await both(pod({}, { lifecycle: { preStop: { sleep: { seconds: 0 } } } }));
    expect(on).toBe(201);
    expect(causesOf(off)).toEqual([
      "spec.containers[0].lifecycle.preStop.sleep: Invalid value: 0: must be greater than 0 and less than terminationGracePeriodSeconds (30). Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.",
    ]);
  });

  it("let any cost of deletion pass, which means nothing then", async () => {
    const body = pod({}, {}, { "controller.kubernetes.io/pod-deletion-cost": "much" });
    const [on, off] = await both(body);
    expect([on, off.status]).toEqual([422, 201]);
  });

  it("drop hostUsers, matchLabelKeys of topology spread, and other values of procMount than Default", async () => {
    const spread = {
      maxSkew: 1,
      topologyKey: "zone",
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector: { matchLabels: { a: "b" } },
      matchLabelKeys: ["c"],
    };
    const spec = { hostUsers: false, topologySpreadConstraints: [spread] };
    const [on, { status, body }] = await both(pod(spec, { securityContext: { procMount: "Unmasked" } }));
    expect([on, status]).toEqual([201, 201]);
    expect(body.spec).not.toHaveProperty("hostUsers");
    expect(body.spec.topologySpreadConstraints[0]).not.toHaveProperty("matchLabelKeys");
    expect(body.spec.containers[0].securityContext).toEqual({ procMount: "Default" });
  });

  it("drop handlers that sleep, with what is empty then", async () => {
    const sleep = { sleep: { seconds: 1 } };
    const containers = [
      { name: "one", image: "a", lifecycle: { preStop: sleep } },
      { name: "two", image: "a", lifecycle: { preStop: sleep, postStart: { exec: { command: ["b"] } } } },
      { name: "three", image: "a", lifecycle: {} },
    ];
    const { status, body } = await calls.sleepless("POST", PODS, { body: pod({ containers }) });
    expect(status).toBe(201);
    expect(body.spec.containers.map(({ lifecycle }: Parsed) => lifecycle)).toEqual([
      undefined,
      { postStart: { exec: { command: ["b"] } } },
      undefined,
    ]);
  });

  it("drop resources that a status says were allocated to a container", async () => {
    const body = pod({});
    await both(body);
    const state = { running: { startedAt: null } };
    const status = {
      containerStatuses: [{ name: "main", image: "a", imageID: "", allocatedResources: { cpu: "1" }, state }],
      resize: "InProgress",
    };
    const path = `${PODS}/${body.metadata.name}/status`;
    const [on, off] = await Promise.all(
      [calls.on, calls.off].map((call) => call("PATCH", path, { body: { status }, ...MERGE })),
    );
    expect(on?.body.status.containerStatuses[0].allocatedResources).toEqual({ cpu: "1" });
    expect(off?.status).toBe(200);
    expect(off?.body.status.containerStatuses[0]).not.toHaveProperty("allocatedResources");
    expect(off?.body.status.resize).toBe("InProgress");
  });
});

describe("features of Jobs and claims that are off by a gate", () => {
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "a" }] } };
  const job = (name: string, spec: object = {}) => ({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name },
    spec: { template, ...spec },
  });

  it("drop managedBy of new Jobs", async () => {
    const body = job("managed", { managedBy: "example.com/other" });
    expect((await calls.on("POST", JOBS, { body })).body.spec.managedBy).toBe("example.com/other");
    expect((await calls.off("POST", JOBS, { body })).body.spec).not.toHaveProperty("managedBy");
  });

  it("refuse a status in which a Job without a policy of success meets its criteria", async () => {
    const conditions = [{ type: "SuccessCriteriaMet", status: "True" }];
    await calls.off("POST", JOBS, { body: job("met") });
    const refused = await calls.off("PATCH", `${JOBS}/met/status`, { body: { status: { conditions } }, ...MERGE });
    expect(causesOf(refused)).toEqual([
      "status.conditions: Invalid value: cannot set SuccessCriteriaMet to NonIndexed Job",
      "status.conditions: Invalid value: cannot set SuccessCriteriaMet=True for Job without SuccessPolicy",
    ]);
  });

  it("drop the expansion of a claim from its status, and not from templates of StatefulSets", async () => {
    const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
    const status = { allocatedResources: { storage: "2Gi" } };
    const claim = { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "claim" }, spec };
    const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
    await calls.off("POST", claims, { body: claim });
    const patched = await calls.off("PATCH", `${claims}/claim/status`, { body: { status }, ...MERGE });
    expect(patched.body.status).toEqual({ phase: "Pending" });

    const labels = { a: "b" };
    const set = await calls.off("POST", "/apis/apps/v1/namespaces/default/statefulsets", {
      body: {
        apiVersion: "apps/v1",
        kind: "StatefulSet",
        metadata: { name: "set" },
        spec: {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } },
          volumeClaimTemplates: [{ metadata: { name: "data" }, spec, status }],
        },
      },
    });
    expect(set.body.spec.volumeClaimTemplates[0].status).toEqual({ phase: "Pending", ...status });
  });
});

describe("features of nodes that are off by a gate", () => {
  it("are dropped from a new node, and taken from its status", async () => {
    const status = {
      features: { supplementalGroupsPolicy: true },
      runtimeHandlers: [{ name: "a", features: { userNamespaces: true } }],
    };
    const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n" }, status };
    const created = await calls.off("POST", "/api/v1/nodes", { body: node });
    expect(created.body.status).not.toHaveProperty("features");
    expect(created.body.status.runtimeHandlers).toEqual(status.runtimeHandlers);
    const patched = await calls.off("PATCH", "/api/v1/nodes/n/status", { body: { status }, ...MERGE });
    expect(patched.body.status).toMatchObject(status);
  });
});
