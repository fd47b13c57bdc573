import { beforeAll, describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();
const MAPS = "/api/v1/namespaces/default/configmaps";

/** The sample with these labels, whatever their order; undefined where there is none. */
function sample(text: string, name: string, ...labels: string[]): number | undefined {
  const line = text
    .split("\n")
    .find((each) => each.startsWith(`${name}{`) && labels.every((label) => each.includes(label)));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(" ")));
}

describe("metrics tell", () => {
  let text: string;

  beforeAll(async () => {
    await call("GET", MAPS);
    for (const name of ["a", "b", "c"]) await call("POST", MAPS, { body: { metadata: { name } } });
    await call("PATCH", `${MAPS}/a`, { type: "application/merge-patch+json", body: { data: { k: "v" } } });
    await call("DELETE", `${MAPS}/c`);
    await call("GET", MAPS, { anonymous: true });
    await call("GET", MAPS, { anonymous: true, headers: { Authorization: "Bearer nobody" } });
    await call("GET", `${MAPS}?watch=1&timeoutSeconds=1&resourceVersion=0`);
    text = (await call("GET", "/metrics")).text;
  });

  it("what watches were sent", async () => {
    const { body } = await call("GET", MAPS);
    const sent = sample(text, "apiserver_watch_events_total", 'kind="ConfigMap"', 'version="v1"');
    expect(sent).toBe(body.items.length);
    expect(sample(text, "apiserver_watch_events_sizes_count", 'kind="ConfigMap"')).toBe(sent);
    expect(sample(text, "apiserver_watch_events_sizes_sum", 'kind="ConfigMap"')).toBeGreaterThan(100);
  });

  it("which format of Prometheus they are in", async () => {
    const { headers } = await call("GET", "/metrics");
    expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8; escaping=underscores");
  });

  it("how many objects there are, also of resources that nobody has read", async () => {
    const { body } = await call("GET", "/api/v1/configmaps");
    const count = (resource: string) => sample(text, "apiserver_storage_objects", `resource="${resource}"`);
    expect(count("configmaps")).toBe(body.items.length);
    expect(count("deployments.apps")).toBe(0);
    expect(count("priorityclasses.scheduling.k8s.io")).toBe(2);
    expect(count("tokenreviews.authentication.k8s.io")).toBeUndefined();
  });

  it("what is asked of the store, and how long it took", () => {
    const asked = (operation: string) =>
      sample(text, "etcd_requests_total", `operation="${operation}"`, 'type="configmaps"');
    expect(asked("create")).toBeGreaterThanOrEqual(3);
    expect(asked("update")).toBeGreaterThanOrEqual(1);
    expect(asked("delete")).toBe(1);
    expect(sample(text, "etcd_request_duration_seconds_count", 'operation="create"', 'type="configmaps"')).toBe(
      asked("create"),
    );
  });

  it("what the store reported, and how far caches are", () => {
    const events = sample(text, "apiserver_storage_events_received_total", 'resource="configmaps"');
    expect(events).toBeGreaterThanOrEqual(5);
    expect(sample(text, "apiserver_watch_cache_resource_version", 'resource="configmaps"')).toBeGreaterThan(5);
  });

  it("who was let in and allowed what they wanted", () => {
    expect(sample(text, "authentication_attempts", 'result="success"')).toBeGreaterThan(5);
    expect(sample(text, "authentication_attempts", 'result="failure"')).toBe(1);
    expect(sample(text, "authenticated_user_requests", 'username="admin"')).toBeGreaterThan(5);
    expect(sample(text, "authorization_attempts_total", 'result="denied"')).toBe(1);
    expect(sample(text, "authorization_attempts_total", 'result="allowed"')).toBeGreaterThan(5);
  });

  it("how long admission took", () => {
    const steps = (type: string) =>
      sample(
        text,
        "apiserver_admission_step_admission_duration_seconds_count",
        'operation="CREATE"',
        'rejected="false"',
        `type="${type}"`,
      );
    expect(steps("admit")).toBeGreaterThanOrEqual(3);
    expect(steps("validate")).toBe(steps("admit"));
  });
});
