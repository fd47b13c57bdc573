import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";

const PODS = "/api/v1/namespaces/default/pods";
const labels = { "topology.k8s.io/zone": "a", "topology.k8s.io/region": "north", other: "x" };
const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n1", labels } };
const pod = (name: string, spec: object = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, labels: { app: name, "topology.k8s.io/zone": "said-by-the-pod" } },
  spec: { containers: [{ name: "main", image: "registry.invalid/app:1" }], ...spec },
});
const binding = (name: string) => ({
  apiVersion: "v1",
  kind: "Binding",
  metadata: { name },
  target: { kind: "Node", name: "n1" },
});

describe.each([true, false])("topology labels of a node with PodTopologyLabelsAdmission=%s", (enabled) => {
  let plane: Plane;
  let call: ReturnType<typeof createClient>;

  beforeAll(async () => {
    plane = await startPlane({
      flags: {
        controllers: "false",
        "disable-admission-plugins": "ServiceAccount",
        "feature-gates": `PodTopologyLabelsAdmission=${enabled}`,
      },
    });
    call = createClient(plane);
    await plane.ready;
    await call("POST", "/api/v1/nodes", { body: node });
  });

  afterAll(() => plane.stop());

  const expected = (name: string) =>
    enabled
      ? { app: name, "topology.k8s.io/zone": "a", "topology.k8s.io/region": "north" }
      : { app: name, "topology.k8s.io/zone": "said-by-the-pod" };

  it("are copied to a new pod with a nodeName only if enabled", async () => {
    const { body } = await call("POST", PODS, { body: pod("named", { nodeName: "n1" }) });
    expect(body.metadata.labels).toEqual(expected("named"));
  });

  it("are copied to a pod by its binding only if enabled", async () => {
    await call("POST", PODS, { body: pod("bound") });
    expect((await call("POST", `${PODS}/bound/binding`, { body: binding("bound") })).status).toBe(201);
    const { body } = await call("GET", `${PODS}/bound`);
    expect(body.spec.nodeName).toBe("n1");
    expect(body.metadata.labels).toEqual(expected("bound"));
  });

  it("are not required for a pod on an unknown node", async () => {
    const { status, body } = await call("POST", PODS, { body: pod("lost", { nodeName: "nowhere" }) });
    expect(status).toBe(201);
    expect(body.metadata.labels).toEqual({ app: "lost", "topology.k8s.io/zone": "said-by-the-pod" });
  });
});
