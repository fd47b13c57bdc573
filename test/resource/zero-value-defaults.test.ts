import { expect, it } from "vitest";
import { startPlane } from "../../runtime/plane.ts";

it("a zero default that is not serialized does not increment the generation", async () => {
  const plane = await startPlane({ listen: false, flags: { controllers: "false" } });
  const path = "/api/v1/namespaces/default/replicationcontrollers";
  const send = async (method: string, at: string, type: string, body: object) => {
    const answer = await plane.fetch(at, { method, headers: { "Content-Type": type }, body: JSON.stringify(body) });
    return (await answer.json()) as { metadata: { generation: number }; spec: object };
  };
  try {
    await plane.ready;
    const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
    const spec = { replicas: 0, selector: { a: "b" }, template };
    const created = await send("POST", path, "application/json", { metadata: { name: "quiet" }, spec });
    expect(created.spec).not.toHaveProperty("minReadySeconds");
    const labelled = { metadata: { labels: { x: "y" } } };
    const patched = await send("PATCH", `${path}/quiet`, "application/merge-patch+json", labelled);
    expect([created.metadata.generation, patched.metadata.generation]).toEqual([1, 1]);
    expect(JSON.stringify(patched)).not.toContain("minReadySeconds");
    const status = { metadata: { name: "quiet" }, status: { replicas: 0 } };
    const counted = await send("PUT", `${path}/quiet/status`, "application/json", status);
    expect(counted.metadata).toMatchObject({ labels: { a: "b" } });
  } finally {
    await plane.stop();
  }
});
