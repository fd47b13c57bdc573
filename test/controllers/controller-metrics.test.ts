import { expect, it } from "vitest";
import { GarbageCollector } from "../../runtime/controllers/garbage/garbage-collector.ts";
import { ControllerMetrics } from "../../runtime/metrics/controller-metrics.ts";
import { InMemoryObjects } from "../auth/in-memory-objects.ts";
import { servePlane } from "../fixtures/serve-plane.ts";
import { controllerParts, settle } from "./controller-parts.ts";

const { call, running } = servePlane({
  controllers: "true",
  "feature-gates": "CoordinatedLeaderElection=true",
  "runtime-config": "coordination.k8s.io/v1alpha2=true",
});

it("/metrics counts keys of the queues of the server's own controllers, their requests, and the controllers that act", async () => {
  const name = "counted";
  await call("POST", "/api/v1/namespaces", { body: { apiVersion: "v1", kind: "Namespace", metadata: { name } } });
  await running().settled();
  const { text } = await call("GET", "/metrics");
  const value = (sample: string): number => Number(text.split(`\n${sample} `)[1]?.split("\n")[0]);
  const queue = 'name="namespace-contents"';
  expect(value(`workqueue_adds_total{${queue}}`)).toBeGreaterThan(0);
  expect(value(`workqueue_work_duration_seconds_count{${queue}}`)).toBeGreaterThan(0);
  expect(value(`workqueue_queue_duration_seconds_count{${queue}}`)).toBeGreaterThan(0);
  for (const gauge of ["depth", "unfinished_work_seconds", "longest_running_processor_seconds"])
    expect(value(`workqueue_${gauge}{${queue}}`), gauge).toBe(0);
  const { host } = new URL(running().client.server);
  expect(value(`rest_client_requests_total{code="201",method="POST",host="${host}"}`)).toBeGreaterThan(0);
  expect(value(`rest_client_request_duration_seconds_count{verb="POST",host="${host}"}`)).toBeGreaterThan(0);
  expect(value('leader_election_master_status{name="leader-election-controller"}')).toBe(1);
});

it("failed keys count as retries, and failed requests by their status code", async () => {
  const metrics = new ControllerMetrics();
  const objects = new InMemoryObjects();
  const parts = { ...controllerParts(objects), metrics };
  const pods = { group: "", resource: "pods" };
  let fails = true;
  const client = metrics.client(objects, () => "localhost");
  const collector = new GarbageCollector({
    ...parts,
    reader: {
      ...client,
      get: async (...of) => {
        if (fails) throw new Error("no connection");
        return client.get(...of);
      },
    },
    writer: client,
    resources: () => [pods],
    isCollected: () => true,
    resolveKind: () => ({ resource: pods, namespaced: true }),
  });
  await collector.start();
  const ownerReferences = [{ apiVersion: "v1", kind: "Pod", name: "gone", uid: "1" }];
  await objects.create(pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a", namespace: "n", ownerReferences },
  });
  await collector.settled();
  fails = false;
  await settle(collector);
  await collector.stop();
  metrics.collect();
  const text = metrics.families.map((family) => family.expose()).join("");
  expect(text).toMatch(/workqueue_retries_total\{name="garbage-collector"\} [1-9]/);
  await expect(client.delete(pods, "n", "none")).rejects.toThrow("not found");
  const after = metrics.families.map((family) => family.expose()).join("");
  expect(after).toContain('rest_client_requests_total{code="404",method="DELETE",host="localhost"} 1');
});
