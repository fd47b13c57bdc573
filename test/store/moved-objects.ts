import { expect } from "vitest";
import { customDefinition } from "../fixtures/custom-definition.ts";
import type { createClient, Parsed } from "../fixtures/plane-client.ts";

export type Call = ReturnType<typeof createClient>;

const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const namespaced = (path: string): string => path.replace("~", "/namespaces/default/");
/** Objects for every form in which values are stored: protobuf, JSON, encrypted. */
const OBJECTS: readonly (readonly [string, object])[] = [
  ["/api/v1~secrets", { kind: "Secret", metadata: { name: "s" }, stringData: { password: "correct horse" } }],
  ["/api/v1~configmaps", { kind: "ConfigMap", metadata: { name: "m", labels: { a: "b" } }, data: { a: "ü<&>" } }],
  [
    "/api/v1~services",
    {
      kind: "Service",
      metadata: { name: "s" },
      spec: { type: "NodePort", selector: { a: "b" }, ports: [{ port: 80 }] },
    },
  ],
  [
    "/api/v1~events",
    {
      kind: "Event",
      metadata: { name: "e" },
      involvedObject: { namespace: "default" },
      reason: "R",
      type: "Normal",
      source: { component: "c" },
    },
  ],
  [
    "/apis/apps/v1~deployments",
    {
      kind: "Deployment",
      metadata: { name: "d" },
      spec: { selector: { matchLabels: { a: "b" } }, template, strategy: { rollingUpdate: { maxSurge: "25%" } } },
    },
  ],
  [
    "/apis/autoscaling/v1~horizontalpodautoscalers",
    {
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "h" },
      spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" } },
    },
  ],
  ["/apis/rbac.authorization.k8s.io/v1/clusterroles", { kind: "ClusterRole", metadata: { name: "empty" }, rules: [] }],
  [
    "/apis/apps/v1~controllerrevisions",
    {
      kind: "ControllerRevision",
      metadata: { name: "r" },
      revision: 1,
      data: { b: 9007199254740993n.toString(), a: {} },
    },
  ],
  ["/apis/apiextensions.k8s.io/v1/customresourcedefinitions", customDefinition("books.library.example.com", "Book")],
  [
    "/apis/library.example.com/v1~books",
    { kind: "Book", metadata: { name: "b" }, z: { half: 0.5, none: null, list: [] } },
  ],
];

/** Creates all of these objects. */
export async function createMoved(call: Call): Promise<void> {
  for (const [path, body] of OBJECTS) {
    const apiVersion = path.replace(/^\/apis?\//, "").replace(/[~/][^~/]*$/, "");
    await expect.poll(async () => (await call("GET", namespaced(path))).status).toBe(200);
    const { status, text } = await call("POST", namespaced(path), { body: { apiVersion, ...body } });
    expect(status, text).toBe(201);
  }
}

/** Returns the objects as the server shows them. */
export async function shown(call: Call): Promise<Parsed[]> {
  const all: Parsed[] = [];
  for (const [path, body] of OBJECTS) {
    const { name } = (body as { metadata: { name: string } }).metadata;
    const at = `${namespaced(path)}/${name}`;
    await expect.poll(async () => (await call("GET", at)).status).toBe(200);
    all.push((await call("GET", at)).body);
  }
  return all;
}
