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

  it("how long requests took by themselves, and how much gets and lists were answered", async () => {
    text = (await call("GET", "/metrics")).text;
    const labels = ['resource="configmaps"', 'component="apiserver"'];
    const got = (name: string, ...more: string[]) => sample(text, name, ...labels, ...more);
    const lists = ['verb="LIST"', 'scope="namespace"'];
    expect(got("apiserver_request_sli_duration_seconds_count", ...lists)).toBe(
      got("apiserver_request_duration_seconds_count", ...lists),
    );
    expect(got("apiserver_request_sli_duration_seconds_bucket", ...lists, 'le="0.05"')).toBeGreaterThanOrEqual(0);
    expect(got("apiserver_request_slo_duration_seconds_count", ...lists)).toBeUndefined();
    expect(got("apiserver_response_sizes_count", ...lists)).toBeGreaterThanOrEqual(1);
    expect(got("apiserver_response_sizes_sum", ...lists)).toBeGreaterThan(100);
    expect(got("apiserver_response_sizes_bucket", ...lists, 'le="1e+06"')).toBe(
      got("apiserver_response_sizes_count", ...lists),
    );
    expect(got("apiserver_response_sizes_count", 'verb="POST"')).toBeUndefined();
    const before = got("apiserver_response_sizes_sum", ...lists) ?? 0;
    const { text: list } = await call("GET", MAPS);
    text = (await call("GET", "/metrics")).text;
    expect((got("apiserver_response_sizes_sum", ...lists) ?? 0) - before).toBe(Buffer.byteLength(list));
  });

  it("one object as one, whatever is done with it, and nothing else as a resource", () => {
    expect(sample(text, "apiserver_request_total", 'verb="POST"', 'resource="configmaps"', 'scope="resource"')).toBe(3);
    expect(sample(text, "apiserver_request_total", 'subresource="/metrics"', 'component=""')).toBeGreaterThan(0);
  });

  it("how long bodies are", () => {
    const labels = ['resource="configmaps"', 'verb="create"'];
    expect(sample(text, "apiserver_request_body_size_bytes_count", ...labels)).toBe(3);
    const bytes = ["a", "b", "c"].map((name) => JSON.stringify({ metadata: { name } }).length);
    expect(sample(text, "apiserver_request_body_size_bytes_sum", ...labels)).toBe(bytes.reduce((a, b) => a + b));
    expect(sample(text, "apiserver_request_body_size_bytes_bucket", ...labels, 'le="3.05e+06"')).toBe(3);
  });

  it("what was given up", async () => {
    await call("GET", `${MAPS}?timeout=20ms&resourceVersion=99999999`);
    const { text: now } = await call("GET", "/metrics");
    const labels = ['verb="LIST"', 'resource="configmaps"', 'code="504"'];
    expect(sample(now, "apiserver_request_terminations_total", ...labels)).toBe(1);
  });

  it("which addresses and ports services have, and how many are left", async () => {
    const spec = { type: "NodePort", ports: [{ port: 80 }] };
    await call("POST", "/api/v1/namespaces/default/services", { body: { metadata: { name: "s" }, spec } });
    const { text: now } = await call("GET", "/metrics");
    const range = 'cidr="10.0.0.0/24"';
    expect(sample(now, "kube_apiserver_clusterip_allocator_allocated_ips", range)).toBe(2);
    expect(sample(now, "kube_apiserver_clusterip_allocator_available_ips", range)).toBe(252);
    expect(now).toMatch(/^kube_apiserver_nodeport_allocator_allocated_ports 1$/m);
    expect(now).toMatch(/^kube_apiserver_nodeport_allocator_available_ports 2767$/m);
  });

  it("dry runs, without letting strangers make labels", async () => {
    const body = { metadata: { name: "dry" } };
    await call("POST", `${MAPS}?dryRun=All&dryRun=All`, { body });
    await call("POST", `${MAPS}?dryRun=made-up`, { body });
    const { text: now } = await call("GET", "/metrics");
    expect(sample(now, "apiserver_request_total", 'dry_run="All"', 'code="201"')).toBe(1);
    expect(sample(now, "apiserver_request_total", 'dry_run="invalid"')).toBe(1);
    expect(now).not.toContain("made-up");
  });

  it("how long each plugin took", () => {
    const plugin = (name: string, type: string) =>
      sample(
        text,
        "apiserver_admission_controller_admission_duration_seconds_count",
        `name="${name}"`,
        `type="${type}"`,
        'operation="CREATE"',
        'rejected="false"',
      );
    expect(plugin("NamespaceLifecycle", "admit")).toBeGreaterThanOrEqual(3);
    expect(plugin("ResourceQuota", "validate")).toBeGreaterThanOrEqual(3);
  });

  it("how long it took to know who asks, and to decide", () => {
    const count = (name: string, result: string) => sample(text, name, `result="${result}"`);
    expect(count("authentication_duration_seconds_count", "success")).toBe(count("authentication_attempts", "success"));
    expect(count("authentication_duration_seconds_count", "failure")).toBe(1);
    expect(count("authorization_duration_seconds_count", "denied")).toBe(1);
  });

  it("what is running, and what clients show", () => {
    expect(text).toMatch(/^kubernetes_build_info\{.*git_version="v1\.33\.0".*\} 1$/m);
    expect(text).toMatch(/^apiserver_tls_handshake_errors_total 0$/m);
    expect(text).toMatch(/^# TYPE apiserver_client_certificate_expiration_seconds histogram$/m);
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
