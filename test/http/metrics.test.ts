import { beforeAll, describe, expect, it } from "vitest";
import { servePlane, servePlaneInTest } from "../fixtures/serve-plane.ts";

const { call } = servePlane();
const MAPS = "/api/v1/namespaces/default/configmaps";

/** Returns the sample with these labels in any order; undefined if there is none. */
function sample(text: string, name: string, ...labels: string[]): number | undefined {
  const line = text
    .split("\n")
    .find((each) => each.startsWith(`${name}{`) && labels.every((label) => each.includes(label)));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(" ")));
}

describe("the metrics endpoint", () => {
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

  it("counts watch events and their sizes", async () => {
    const { body } = await call("GET", MAPS);
    const sent = sample(text, "apiserver_watch_events_total", 'kind="ConfigMap"', 'version="v1"');
    expect(sent).toBe(body.items.length);
    expect(sample(text, "apiserver_watch_events_sizes_count", 'kind="ConfigMap"')).toBe(sent);
    expect(sample(text, "apiserver_watch_events_sizes_sum", 'kind="ConfigMap"')).toBeGreaterThan(100);
  });

  it("sends the Content-Type of the Prometheus text format", async () => {
    const { headers } = await call("GET", "/metrics");
    expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8; escaping=underscores");
  });

  it("counts the stored objects of all resources, including those that no client has read", async () => {
    const { body } = await call("GET", "/api/v1/configmaps");
    const count = (resource: string) => sample(text, "apiserver_storage_objects", `resource="${resource}"`);
    expect(count("configmaps")).toBe(body.items.length);
    expect(count("deployments.apps")).toBe(0);
    expect(count("priorityclasses.scheduling.k8s.io")).toBe(2);
    expect(count("tokenreviews.authentication.k8s.io")).toBeUndefined();
  });

  it("counts store requests and their duration", () => {
    const asked = (operation: string) =>
      sample(text, "etcd_requests_total", `operation="${operation}"`, 'type="configmaps"');
    expect(asked("create")).toBeGreaterThanOrEqual(3);
    expect(asked("update")).toBeGreaterThanOrEqual(1);
    expect(asked("delete")).toBe(1);
    expect(sample(text, "etcd_request_duration_seconds_count", 'operation="create"', 'type="configmaps"')).toBe(
      asked("create"),
    );
  });

  it("counts store events and shows the resource version of watch caches", () => {
    const events = sample(text, "apiserver_storage_events_received_total", 'resource="configmaps"');
    expect(events).toBeGreaterThanOrEqual(5);
    expect(sample(text, "apiserver_watch_cache_resource_version", 'resource="configmaps"')).toBeGreaterThan(5);
  });

  it("shows how full each cache is, its limit and what it dropped", () => {
    for (const cache of ["encodings", "event_frames", "event_history"]) {
      for (const family of ["used_bytes", "limit_bytes", "dropped_total"])
        expect(text).toMatch(new RegExp(`^typeplane_cache_${family}\\{cache="${cache}"\\} \\d+$`, "m"));
    }
  });

  it("counts authentication and authorization results", () => {
    expect(sample(text, "authentication_attempts", 'result="success"')).toBeGreaterThan(5);
    expect(sample(text, "authentication_attempts", 'result="failure"')).toBe(1);
    expect(sample(text, "authenticated_user_requests", 'username="admin"')).toBeGreaterThan(5);
    expect(sample(text, "authorization_attempts_total", 'result="denied"')).toBe(1);
    expect(sample(text, "authorization_attempts_total", 'result="allowed"')).toBeGreaterThan(5);
  });

  it("measures request durations and the response sizes of gets and lists", async () => {
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

  it("labels requests for one object with scope resource", () => {
    expect(sample(text, "apiserver_request_total", 'verb="POST"', 'resource="configmaps"', 'scope="resource"')).toBe(3);
    expect(sample(text, "apiserver_request_total", 'subresource="/metrics"', 'component=""')).toBeGreaterThan(0);
  });

  it("measures request body sizes", () => {
    const labels = ['resource="configmaps"', 'verb="create"'];
    expect(sample(text, "apiserver_request_body_size_bytes_count", ...labels)).toBe(3);
    const bytes = ["a", "b", "c"].map((name) => JSON.stringify({ metadata: { name } }).length);
    expect(sample(text, "apiserver_request_body_size_bytes_sum", ...labels)).toBe(bytes.reduce((a, b) => a + b));
    expect(sample(text, "apiserver_request_body_size_bytes_bucket", ...labels, 'le="3.05e+06"')).toBe(3);
  });

  it("counts requests that were terminated by a timeout", async () => {
    await call("GET", `${MAPS}?timeout=20ms&resourceVersion=99999999`);
    const { text: now } = await call("GET", "/metrics");
    const labels = ['verb="LIST"', 'resource="configmaps"', 'code="504"'];
    expect(sample(now, "apiserver_request_terminations_total", ...labels)).toBe(1);
  });

  it("counts allocated and available cluster IPs and node ports", async () => {
    const spec = { type: "NodePort", ports: [{ port: 80 }] };
    await call("POST", "/api/v1/namespaces/default/services", { body: { metadata: { name: "s" }, spec } });
    const { text: now } = await call("GET", "/metrics");
    const range = 'cidr="10.0.0.0/24"';
    expect(sample(now, "kube_apiserver_clusterip_allocator_allocated_ips", range)).toBe(2);
    expect(sample(now, "kube_apiserver_clusterip_allocator_available_ips", range)).toBe(252);
    expect(now).toMatch(/^kube_apiserver_nodeport_allocator_allocated_ports 1$/m);
    expect(now).toMatch(/^kube_apiserver_nodeport_allocator_available_ports 2767$/m);
  });

  it("labels dry runs, with one label for all invalid values", async () => {
    const body = { metadata: { name: "dry" } };
    await call("POST", `${MAPS}?dryRun=All&dryRun=All`, { body });
    await call("POST", `${MAPS}?dryRun=made-up`, { body });
    const { text: now } = await call("GET", "/metrics");
    expect(sample(now, "apiserver_request_total", 'dry_run="All"', 'code="201"')).toBe(1);
    expect(sample(now, "apiserver_request_total", 'dry_run="invalid"')).toBe(1);
    expect(now).not.toContain("made-up");
  });

  it("measures the duration of each admission plugin", () => {
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

  it("measures the duration of authentication and authorization", () => {
    const count = (name: string, result: string) => sample(text, name, `result="${result}"`);
    expect(count("authentication_duration_seconds_count", "success")).toBe(count("authentication_attempts", "success"));
    expect(count("authentication_duration_seconds_count", "failure")).toBe(1);
    expect(count("authorization_duration_seconds_count", "denied")).toBe(1);
  });

  it("shows the build information and metrics of TLS and client certificates", () => {
    expect(text).toMatch(/^kubernetes_build_info\{.*git_version="v1\.33\.0".*\} 1$/m);
    expect(text).toMatch(/^apiserver_tls_handshake_errors_total 0$/m);
    expect(text).toMatch(/^# TYPE apiserver_client_certificate_expiration_seconds histogram$/m);
  });

  it("shows at /metrics/slis the results of health checks that ran, and nothing else", async () => {
    await call("GET", "/livez?exclude=log");
    await call("GET", "/readyz/shutdown");
    const { text: slis } = await call("GET", "/metrics/slis");
    const ofCheck = (name: string, type: string, ...more: string[]) => [`name="${name}"`, `type="${type}"`, ...more];
    expect(sample(slis, "kubernetes_healthcheck", ...ofCheck("etcd", "livez"))).toBe(1);
    expect(sample(slis, "kubernetes_healthchecks_total", ...ofCheck("etcd", "livez", 'status="success"'))).toBe(1);
    expect(sample(slis, "kubernetes_healthcheck", ...ofCheck("log", "livez"))).toBeUndefined();
    expect(sample(slis, "kubernetes_healthcheck", ...ofCheck("shutdown", "readyz"))).toBeUndefined();
    expect([...slis.matchAll(/^# TYPE (.*)$/gm)].map(([, line]) => line)).toEqual([
      "process_start_time_seconds gauge",
      "kubernetes_healthcheck gauge",
      "kubernetes_healthchecks_total counter",
    ]);
    expect((await call("GET", "/metrics")).text).not.toContain("kubernetes_healthcheck");
  });

  it("measures the CEL rules of custom resources", async () => {
    const count = async (step: string) => {
      const found = new RegExp(`^apiserver_cel_${step}_duration_seconds_count (\\d+)$`, "m");
      return Number(found.exec((await call("GET", "/metrics")).text)?.[1]);
    };
    expect([await count("compilation"), await count("evaluation")]).toEqual([0, 0]);
    const rules = [{ rule: "self.size > 0" }];
    const properties = { size: { type: "integer" } };
    const schema = {
      type: "object",
      properties: { spec: { type: "object", properties, "x-kubernetes-validations": rules } },
    };
    const names = { plural: "figs", kind: "Fig" };
    const versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }];
    await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      body: {
        metadata: { name: "figs.example.com" },
        spec: { group: "example.com", scope: "Cluster", names, versions },
      },
    });
    const body = { apiVersion: "example.com/v1", kind: "Fig", metadata: { name: "f" }, spec: { size: 1 } };
    const create = async () => (await call("POST", "/apis/example.com/v1/figs?dryRun=All", { body })).status;
    await expect.poll(create).toBe(201);
    expect([await count("compilation"), await count("evaluation")]).toEqual([1, 1]);
  });

  it("counts the metrics that there are, and those that are switched off", async () => {
    expect(
      sample(text, "registered_metrics_total", 'stability_level="STABLE"', 'deprecated_version=""'),
    ).toBeGreaterThan(5);
    const flags = { "disabled-metrics": "apiserver_request_total,etcd_requests_total" };
    const shown = (await (await servePlaneInTest({ flags })).call("GET", "/metrics")).text;
    expect(shown).not.toContain("apiserver_request_total");
    expect(shown).toContain("\ndisabled_metrics_total 2\n");
    const hidden = (exposition: string) => Number(/^hidden_metrics_total (.*)$/m.exec(exposition)?.[1]);
    expect(hidden(shown)).toBe(hidden(text) + 2);
  });

  it("measures the duration of the admission steps", () => {
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

describe("DELETE of the metrics", () => {
  const EVENTS = "/apis/events.k8s.io/v1/events";
  const listed = async () =>
    sample((await call("GET", "/metrics")).text, "apiserver_request_total", 'resource="events"', 'verb="LIST"');

  it("starts the counters and histograms with labels anew, and leaves gauges", async () => {
    await call("GET", EVENTS);
    await call("GET", "/api/v1/componentstatuses");
    expect(await listed()).toBeGreaterThan(0);
    const before = (await call("GET", "/metrics")).text;
    expect(sample(before, "apiserver_requested_deprecated_apis", 'resource="componentstatuses"')).toBe(1);
    const { status, headers, text } = await call("DELETE", "/metrics");
    expect([status, headers["content-type"], text]).toEqual([200, "text/plain; charset=utf-8", "metrics reset\n"]);
    expect(await listed()).toBe(0);
    const after = (await call("GET", "/metrics")).text;
    expect(sample(after, "apiserver_request_duration_seconds_count", 'resource="events"')).toBe(0);
    expect(sample(after, "apiserver_requested_deprecated_apis")).toBeUndefined();
    expect(sample(after, "apiserver_storage_objects", 'resource="priorityclasses.scheduling.k8s.io"')).toBe(2);
    await call("GET", EVENTS);
    expect(await listed()).toBe(1);
  });

  it("resets the results of health checks at /metrics/slis", async () => {
    await call("GET", "/livez");
    expect((await call("DELETE", "/metrics/slis")).text).toBe("metrics reset\n");
    const { text } = await call("GET", "/metrics/slis");
    expect(sample(text, "kubernetes_healthchecks_total", 'name="ping"', 'status="success"')).toBe(0);
  });

  it("shows them if profiling is off", async () => {
    const { call } = await servePlaneInTest({ flags: { profiling: "false" } });
    expect((await call("DELETE", "/metrics")).text).toContain("# TYPE apiserver_request_total counter");
  });
});
