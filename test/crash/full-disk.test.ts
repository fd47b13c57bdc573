import { expect, it } from "vitest";
import { temporaryDirectory } from "../store/temporary-directory.ts";
import { ServerProcess } from "../tools/server-process.ts";

const COLLECTION = "/api/v1/namespaces/default/configmaps";

it("refuses writes on a full disk with a clear Status, goes on reading, counts no unexpected error, and has lost nothing afterwards", async () => {
  const directory = temporaryDirectory();
  const server = await ServerProcess.started({ directory, fileLimit: 8000 });
  const { client } = server;
  try {
    const data = { filler: "x".repeat(100_000) };
    const written: string[] = [];
    let refusal = await client.request("POST", COLLECTION, { metadata: { name: "first" }, data });
    for (let n = 0; refusal.status === 201; n++) {
      written.push((refusal.body as { metadata: { name: string } }).metadata.name);
      refusal = await client.request("POST", COLLECTION, { metadata: { name: `filler-${n}` }, data });
    }
    expect(refusal).toMatchObject({ status: 507, body: { kind: "Status", reason: "InternalError" } });
    expect((refusal.body as { message: string }).message).toMatch(/no space left in the data directory/);
    expect((await client.request("GET", "/metrics")).body).not.toMatch(/^typeplane_unexpected_errors_total\{/m);
    expect(written.length).toBeGreaterThan(5);
    expect(await names(client)).toEqual(written.sort());
    expect((await client.request("GET", `${COLLECTION}/first`)).body).toMatchObject({ data });
  } finally {
    await server.kill();
  }
  const roomier = await ServerProcess.started({ directory });
  try {
    const kept = await names(roomier.client);
    expect(kept).toContain("first");
    expect((await roomier.client.request("POST", COLLECTION, { metadata: { name: "later" } })).status).toBe(201);
    expect(await names(roomier.client)).toEqual([...kept, "later"].sort());
  } finally {
    await roomier.kill();
  }
});

async function names(client: ServerProcess["client"]): Promise<string[]> {
  const { body } = await client.request("GET", COLLECTION);
  const { items } = body as { items: { metadata: { name: string } }[] };
  return items
    .map(({ metadata }) => metadata.name)
    .filter((name) => name !== "kube-root-ca.crt")
    .sort();
}
