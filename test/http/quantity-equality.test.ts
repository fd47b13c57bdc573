import { beforeAll, describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
const SETS = "/apis/apps/v1/namespaces/default/daemonsets";
const PODS = "/api/v1/namespaces/default/pods";
const MERGE = "application/merge-patch+json";
const containers = (cpu: string) => [{ name: "c", image: "i", resources: { limits: { cpu } } }];

beforeAll(async () => {
  const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  await call("POST", CLAIMS, { body: { metadata: { name: "claim" }, spec: claim } });
  const template = { metadata: { labels: { a: "b" } }, spec: { containers: containers("1") } };
  await call("POST", SETS, {
    body: { metadata: { name: "set" }, spec: { selector: { matchLabels: { a: "b" } }, template } },
  });
  await call("POST", "/api/v1/namespaces/default/serviceaccounts", { body: { metadata: { name: "default" } } });
  await call("POST", PODS, { body: { metadata: { name: "pod" }, spec: { containers: containers("1") } } });
});

describe("a quantity that is written in another form of the same value", () => {
  it.each(["1073741824", "01Gi", "1024Mi"])(
    "is no change of an immutable PersistentVolumeClaim: %s",
    async (storage) => {
      const body = { spec: { resources: { requests: { storage } } } };
      expect((await call("PATCH", `${CLAIMS}/claim?dryRun=All`, { body, type: MERGE })).status).toBe(200);
    },
  );

  it.each(["1.", "01", "1e0", "1000m"])("is no change of a DaemonSet's template or of a pod: %s", async (cpu) => {
    const change = { spec: { template: { spec: { containers: containers(cpu) } } } };
    const set = await call("PATCH", `${SETS}/set?dryRun=All`, { body: change, type: MERGE });
    expect([set.status, set.body.metadata.generation]).toEqual([200, 1]);
    const body = JSON.stringify([
      { op: "replace", path: "/spec/containers/0/resources", value: { limits: { cpu }, requests: { cpu } } },
    ]);
    const pod = await call("PATCH", `${PODS}/pod?dryRun=All`, { body, type: "application/json-patch+json" });
    expect(pod.status).toBe(200);
  });

  it("increments the generation only if the value differs", async () => {
    const change = { spec: { template: { spec: { containers: containers("2") } } } };
    const set = await call("PATCH", `${SETS}/set?dryRun=All`, { body: change, type: MERGE });
    expect(set.body.metadata.generation).toBe(2);
  });
});

describe("a quantity that a request leaves out", () => {
  it("differs from a stored zero, so an update takes ownership of the atomic list that contains it", async () => {
    const set = (reference: object) => {
      const volumes = [{ name: "v", downwardAPI: { items: [{ path: "x", resourceFieldRef: reference }] } }];
      const template = { metadata: { labels: { a: "b" } }, spec: { containers: containers("1"), volumes } };
      return { metadata: { name: "listed" }, spec: { selector: { matchLabels: { a: "b" } }, template } };
    };
    const owners = async (reference: object) => {
      const answer = await call("PUT", `${SETS}/listed?dryRun=All&fieldManager=second`, { body: set(reference) });
      const entries: { manager: string; fieldsV1: object }[] = answer.body.metadata.managedFields;
      return entries
        .filter((entry) => JSON.stringify(entry.fieldsV1).includes("f:items"))
        .map(({ manager }) => manager);
    };
    const reference = { containerName: "c", resource: "limits.cpu" };
    await call("POST", `${SETS}?fieldManager=first`, { body: set(reference) });
    expect(await owners(reference)).toEqual(["second"]);
    expect(await owners({ ...reference, divisor: "0" })).toEqual(["first"]);
  });
});

describe("metadata.selfLink", () => {
  it("is returned by a dry run and never stored", async () => {
    const body = { metadata: { selfLink: "x" } };
    const tried = await call("PATCH", `${CLAIMS}/claim?dryRun=All`, { body, type: MERGE });
    expect(tried.body.metadata.selfLink).toBe("x");
    const changed = await call("PATCH", `${CLAIMS}/claim`, { body, type: MERGE });
    expect(changed.body.metadata.selfLink).toBeUndefined();
    expect((await call("GET", `${CLAIMS}/claim`)).body.metadata.selfLink).toBeUndefined();
  });
});
