import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringifyJson } from "../../runtime/encoding/json/stringify-json.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";

const labels = { app: "web" };
const note = "x".repeat(1024);
const env = [
  { name: "A", value: '<ä "spec":{>' },
  { name: "B", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
];
const resources = { requests: { cpu: "100m", memory: "128Mi" }, limits: { cpu: "2", memory: "1Gi" } };
const container = { name: "c", image: "i", env, resources, args: [note] };
// The volume of a token would have a random name.
const podSpec = { automountServiceAccountToken: false, containers: [container], tolerations: [] };
const template = { metadata: { labels }, spec: podSpec };

interface Sample {
  readonly path: string;
  readonly object: object;
  readonly status: object;
}

const samples: Record<string, Sample> = {
  pods: {
    path: "/api/v1/namespaces/default/pods",
    object: { spec: podSpec },
    status: { phase: "Running", podIP: "10.0.0.1", podIPs: [{ ip: "10.0.0.1" }] },
  },
  deployments: {
    path: "/apis/apps/v1/namespaces/default/deployments",
    object: { spec: { replicas: 3, selector: { matchLabels: labels }, template } },
    status: { replicas: 2, observedGeneration: 1 },
  },
  jobs: {
    path: "/apis/batch/v1/namespaces/default/jobs",
    object: { spec: { suspend: true, template: { spec: { ...podSpec, restartPolicy: "Never" } } } },
    status: { active: 0 },
  },
  services: {
    path: "/api/v1/namespaces/default/services",
    object: {
      metadata: { annotations: { note } },
      spec: { clusterIP: "None", selector: labels, ports: [{ port: 80, targetPort: "http" }] },
    },
    status: { loadBalancer: {} },
  },
  configmaps: { path: "/api/v1/namespaces/default/configmaps", object: { data: { note } }, status: {} },
};

type Read = { metadata: Record<string, unknown>; spec?: object; status?: object };

/** Bodies that a client sends back after it got an object. */
const changes: Record<string, (read: Read) => object> = {
  "nothing changed": (read) => read,
  "another annotation": (read) => withMeta(read, { annotations: { changed: "yes" } }),
  "another label and no managedFields": (read) => withMeta(read, { labels: { more: "1" }, managedFields: undefined }),
  "a label that is wrong": (read) => withMeta(read, { labels: { "-": "wrong" } }),
  "a field that is unknown": (read) => withMeta(read, { unknown: 1 }),
  "a field of another type": (read) => withMeta(read, { labels: 7 }),
  "an unknown field beside": (read) => ({ unknown: { a: 1 }, ...read }),
  "a resourceVersion of the past": (read) => withMeta(read, { resourceVersion: "1" }),
  "no resourceVersion": (read) => withMeta(read, { resourceVersion: undefined }),
  "another uid": (read) => withMeta(read, { uid: "other" }),
  "no spec": ({ spec: _spec, ...read }) => read,
  "no status": ({ status: _status, ...read }) => read,
};

const withMeta = (read: Read, metadata: object) => ({ ...read, metadata: { ...read.metadata, ...metadata } });

describe.each(Object.entries(samples))("PUT of what was read of %s", (_resource, { path, object, status }) => {
  let plane: Plane;
  let made = 0;
  beforeAll(async () => {
    plane = await startPlane({ listen: false, flags: { controllers: "false" } });
    await plane.ready;
    const account = { metadata: { name: "default" } };
    await send("POST", "/api/v1/namespaces/default/serviceaccounts", JSON.stringify(account));
    // From here on, objects are in memory.
    await send("GET", path);
  });
  afterAll(() => plane.stop());

  const send = async (method: string, at: string, body?: string) => {
    const headers = { "Content-Type": "application/json" };
    const answer = await plane.fetch(at, { method, headers, ...(body !== undefined && { body }) });
    return { code: answer.status, warning: answer.headers.get("warning"), text: await answer.text() };
  };

  /** Returns the responses to a PUT of a new object and to a subsequent GET, without values that differ between objects. */
  const answersTo = async (at: string, query: string, print: (read: Read) => string) => {
    const { metadata = {} } = object as { metadata?: object };
    const name = `made-${made++}`;
    const { code, text } = await send(
      "POST",
      path,
      JSON.stringify({ ...object, metadata: { ...metadata, name, labels } }),
    );
    expect([code, text]).toEqual([201, text]);
    const changed = { ...JSON.parse(text), status };
    if (Object.keys(status).length > 0) await send("PUT", `${path}/${name}/status`, JSON.stringify(changed));
    const read = JSON.parse((await send("GET", `${path}/${name}`)).text);
    const put = await send("PUT", `${path}/${name}${at}${query}`, print(read));
    const got = await send("GET", `${path}/${name}`);
    return JSON.stringify([put, got])
      .replaceAll(new RegExp(`${name}\\b`, "g"), "NAME")
      .replaceAll(read.metadata.uid, "UID")
      .replaceAll(/(resourceVersion\\":\\")\d+/g, "$1")
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "TIME");
  };

  for (const [what, change] of Object.entries(changes))
    for (const at of Object.keys(status).length > 0 ? ["", "/status"] : [""])
      it(`has the same answer however JSON is spaced, with ${what}${at && ` to ${at}`}`, async () => {
        for (const validation of ["Warn", "Strict"]) {
          const query = `?fieldValidation=${validation}&fieldManager=writer`;
          const compact = await answersTo(at, query, (read) => `${stringifyJson(change(read))}\n`);
          // The bytes of the body before the last member differ from all that the server has.
          const spaced = await answersTo(at, query, (read) => spacedOut(change(read)));
          expect(compact).toBe(spaced);
        }
      });
});

/** JSON with white space before its last brace. */
function spacedOut(value: object): string {
  return `${stringifyJson(value).slice(0, -1)} }`;
}
