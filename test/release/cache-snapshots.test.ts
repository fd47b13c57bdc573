import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { registry } from "../../generated/registry.ts";
import { ensureClusterIdentity } from "../../runtime/auth/pki/cluster-identity.ts";
import { parseFlags, readConfig } from "../../runtime/cli/read-config.ts";
import { createServer, type Server } from "../../runtime/server/create-server.ts";
import { readSettings } from "../../runtime/server/read-settings.ts";
import { openStore } from "../../runtime/store/open-store.ts";
import type { Store } from "../../runtime/store/store.ts";

interface Body {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
  readonly metadata: { readonly resourceVersion: string; readonly continue: string };
}

const MAPS = "/api/v1/namespaces/default/configmaps";
const log = () => undefined;

/** Where lists of the past come from shows when the store has forgotten them and the cache has not. */
describe("lists of a past resource version", () => {
  let directory: string;
  let server: Server | undefined;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "typeplane-snapshots-"));
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
    rmSync(directory, { recursive: true, force: true });
  });

  async function start(...flags: string[]): Promise<Store> {
    const places = ["--secure-port=0", "--data-dir=memory", "--controllers=false", `--cert-dir=${directory}`];
    const tokenAuthFile = { path: "tokens", contents: 'sesame,admin,admin,"system:masters"\n' };
    const config = { ...readConfig(parseFlags([...places, ...flags])), tokenAuthFile };
    const names = { directory, names: ["127.0.0.1"], vendor: "kubernetes", now: () => new Date() };
    const settings = await readSettings(registry, config, log);
    const store = await openStore(config);
    server = await createServer({ settings, store, identity: ensureClusterIdentity(names), log, listens: false });
    await server.ready;
    return store;
  }

  async function ask(path: string, init: RequestInit = {}) {
    const headers = { Authorization: "Bearer sesame", "Content-Type": "application/json" };
    const answer = await server!.fetch(`https://here${path}`, { ...init, headers });
    return { status: answer.status, body: (await answer.json()) as Body };
  }

  const create = (name: string) =>
    ask(MAPS, {
      method: "POST",
      body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } }),
    });

  it.each([
    ["the store's history by default", [], 410],
    [
      "a cache snapshot with the feature gate ListFromCacheSnapshot",
      ["--feature-gates=ListFromCacheSnapshot=true"],
      200,
    ],
    ["a cache snapshot with AllAlpha", ["--feature-gates=AllAlpha=true"], 200],
  ])("are read from %s", async (_, flags, status) => {
    const store = await start(...flags);
    for (const name of ["a", "b", "c"]) await create(name);
    const first = await ask(`${MAPS}?limit=1`);
    const { resourceVersion, continue: token } = first.body.metadata;
    await ask(`${MAPS}/b`, { method: "DELETE" });
    const exact = `${MAPS}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
    const further = `${MAPS}?continue=${token}`;
    const all = await ask(exact);
    expect(all.body.items.map(nameOf)).toEqual(["a", "b", "c"]);
    expect(all.body.metadata.resourceVersion).toBe(resourceVersion);
    expect((await ask(further)).body.items.map(nameOf)).toEqual(["b", "c"]);

    await store.compact(await store.currentRevision());
    for (const path of [exact, further]) {
      const answer = await ask(path);
      expect(answer.status).toBe(status);
      if (status === 410) expect(answer.body).toMatchObject({ kind: "Status", reason: "Expired" });
      else expect(answer.body.items.map(nameOf)).toEqual(path === exact ? ["a", "b", "c"] : ["b", "c"]);
    }
  });
});

function nameOf({ metadata }: { metadata: { name: string } }): string {
  return metadata.name;
}
