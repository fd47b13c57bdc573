import { join } from "node:path";
import { expect, it } from "vitest";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { temporaryDirectory } from "../store/temporary-directory.ts";
import { ServerProcess } from "../tools/server-process.ts";

const COLLECTION = "/api/v1/namespaces/default/configmaps";
const KEY = "/registry/configmaps/default/broken";

it("fails reads of a corrupt object with its key, and can remove it on request", async () => {
  const directory = temporaryDirectory();
  const server = new ServerProcess({
    directory,
    flags: ["--feature-gates=AllowUnsafeMalformedObjectDeletion=true", "--controllers=false"],
  });
  await server.start();
  try {
    const namespace = async () => (await server.client.request("GET", "/api/v1/namespaces/default")).status;
    await expect.poll(namespace, { timeout: 120_000 }).toBe(200);
    for (const name of ["broken", "sound"]) {
      expect((await server.client.request("POST", COLLECTION, { metadata: { name } })).status).toBe(201);
    }
    await server.stop();
    await spoil(join(directory, "data"));
    await server.start();
    const { client } = server;
    const unreadable = { status: 500, body: { kind: "Status", message: expect.stringContaining(KEY) } };
    expect(await client.request("GET", `${COLLECTION}/broken`)).toMatchObject(unreadable);
    expect(await client.request("GET", COLLECTION)).toMatchObject(unreadable);
    expect(await client.request("DELETE", `${COLLECTION}/broken`)).toMatchObject(unreadable);
    expect(await client.request("GET", `${COLLECTION}/sound`)).toMatchObject({ status: 200 });
    expect(await client.request("GET", "/api/v1/namespaces/kube-system/configmaps")).toMatchObject({ status: 200 });
    expect(await client.request("POST", COLLECTION, { metadata: { name: "later" } })).toMatchObject({ status: 201 });
    const forced = `${COLLECTION}/broken?ignoreStoreReadErrorWithClusterBreakingPotential=true`;
    expect(await client.request("DELETE", forced)).toMatchObject({ status: 200 });
    const { body } = await client.request("GET", COLLECTION);
    const names = (body as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);
    expect(names).toEqual(expect.arrayContaining(["later", "sound"]));
    expect(names).not.toContain("broken");
  } finally {
    await server.kill();
  }
});

async function spoil(directory: string): Promise<void> {
  const store = await openEmbeddedStore(directory);
  const expected = (await store.get(KEY))?.modRevision ?? 0;
  await store.put(KEY, Buffer.from("k8s\0 and then nothing that makes sense"), { expected });
  await store.close();
}
