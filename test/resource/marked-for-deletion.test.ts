import { expect, it } from "vitest";
import { startPlane } from "../../runtime/plane.ts";

interface Stored {
  metadata: { generation: number; deletionTimestamp?: string; resourceVersion: string };
  spec: object;
  status: { conditions: { type: string; status: string }[] };
}

it("a deletion that only marks a large object returns what it stores, with the spec as it was", async () => {
  const plane = await startPlane({ listen: false, flags: { controllers: "false" } });
  const send = async (method: string, at: string, body?: object) => {
    const headers = { "Content-Type": "application/json" };
    const answer = await plane.fetch(at, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: answer.status, text: await answer.text() };
  };
  try {
    await plane.ready;
    const path = "/apis/apps/v1/namespaces/default/deployments";
    const env = Array.from({ length: 200 }, (_, index) => ({ name: `V${index}`, value: `<ä },"status":{ ${index}>` }));
    const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i", env }] } };
    const metadata = { name: "large", finalizers: ["example.com/hold"] };
    const spec = { selector: { matchLabels: { a: "b" } }, template };
    const created = JSON.parse((await send("POST", path, { metadata, spec })).text) as Stored;
    await send("PUT", `${path}/large/status`, { ...created, status: { replicas: 3 } });
    const deleted = await send("DELETE", `${path}/large`);
    expect(deleted.status).toBe(200);
    const stored = await send("GET", `${path}/large`);
    expect(stored.text).toBe(deleted.text);
    const marked = JSON.parse(deleted.text) as Stored;
    expect(marked.spec).toEqual(created.spec);
    expect(marked.status).toEqual({ replicas: 3 });
    expect(marked.metadata).toMatchObject({ finalizers: ["example.com/hold"], deletionGracePeriodSeconds: 0 });
    expect(marked.metadata.generation).toBe(created.metadata.generation + 1);
    expect(marked.metadata.resourceVersion).not.toBe(created.metadata.resourceVersion);
    const later = await send("DELETE", `${path}/large`);
    expect(later.text).toBe(deleted.text);
  } finally {
    await plane.stop();
  }
});
