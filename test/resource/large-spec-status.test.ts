import { expect, it } from "vitest";
import { startPlane } from "../../runtime/plane.ts";

it("a status update stores a large spec as it was, and whatever else it changes", async () => {
  const plane = await startPlane({ listen: false, flags: { controllers: "false" } });
  const path = "/apis/apps/v1/namespaces/default/deployments";
  const send = async (method: string, at: string, body?: object) => {
    const headers = { "Content-Type": "application/json" };
    const answer = await plane.fetch(at, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return (await answer.json()) as { metadata: object; spec: { replicas: number }; status: object };
  };
  try {
    await plane.ready;
    const env = Array.from({ length: 200 }, (_, index) => ({
      name: `V${index}`,
      value: `<ä "spec":{ ${index}>`.repeat(3),
    }));
    const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i", env }] } };
    const spec = { selector: { matchLabels: { a: "b" } }, template };
    const annotations = { note: '},"spec":{"replicas":5}' };
    const created = await send("POST", path, { metadata: { name: "large", annotations }, spec });
    const status = { replicas: 3, observedGeneration: 1 };
    const other = { ...created.spec, replicas: 9 };
    const updated = await send("PUT", `${path}/large/status`, { ...created, spec: other, status });
    expect(updated.spec).toEqual(created.spec);
    expect(updated.status).toEqual(status);
    expect(await send("GET", `${path}/large`)).toEqual(updated);
    expect(updated.metadata).toMatchObject({ name: "large", annotations });
    const again = await send("PUT", `${path}/large/status`, updated);
    expect(again).toEqual(updated);
  } finally {
    await plane.stop();
  }
});
