import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

describe("a server with --enable-priority-and-fairness=false", () => {
  const { call } = servePlane({ "enable-priority-and-fairness": "false" });

  it("classifies nothing: no headers, no metrics, no debug pages", async () => {
    const { headers } = await call("GET", "/api/v1/namespaces");
    expect(Object.keys(headers).filter((name) => name.startsWith("x-kubernetes"))).toEqual([]);
    expect((await call("GET", "/metrics")).text).not.toContain("apiserver_flowcontrol_");
    expect((await call("GET", "/debug/api_priority_and_fairness/dump_queues")).status).toBe(404);
  });

  it("still stores FlowSchemas and priority levels", async () => {
    const { body } = await call("GET", "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas");
    expect(body.items.length).toBeGreaterThan(10);
  });
});
