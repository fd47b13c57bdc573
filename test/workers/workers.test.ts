import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AdminClient } from "../tools/admin-client.ts";
import { ServerProcess } from "../tools/server-process.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const LIMIT = 300_000;
const POLICY = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: Metadata
    verbs: [create]
    resources: [{ group: "", resources: [configmaps] }]
  - level: None
`;

const directory = mkdtempSync(join(tmpdir(), "typeplane-workers-"));
const auditLog = join(directory, "audit.log");
let server: ServerProcess;
/** Clients with their own connections, which go to the workers in turn. */
let clients: AdminClient[];
let created = 0;

beforeAll(async () => {
  const policy = join(directory, "policy.yaml");
  writeFileSync(policy, POLICY);
  const flags = ["--workers=2", "--controllers=false"];
  flags.push(`--audit-policy-file=${policy}`, `--audit-log-path=${auditLog}`);
  server = await ServerProcess.started({ directory, flags });
  clients = Array.from({ length: 4 }, () => AdminClient.fromKubeconfig(server.kubeconfig, server.port));
}, LIMIT);

afterAll(async () => {
  for (const client of clients ?? []) client.close();
  await server?.kill();
  rmSync(directory, { recursive: true, force: true });
});

const at = (index: number): AdminClient => clients[index % clients.length] as AdminClient;

async function create(name: string, client: AdminClient): Promise<void> {
  const answer = await client.request("POST", CONFIG_MAPS, { metadata: { name } });
  expect(answer.status).toBe(201);
  created += 1;
}

/** Process IDs of the current workers, by number. */
function workers(): Map<number, number> {
  const found = server.log.matchAll(/worker (\d+) serves","pid":(\d+)/g);
  return new Map([...found].map(([, worker, pid]) => [Number(worker), Number(pid)]));
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await setTimeout(50);
}

async function metrics(client: AdminClient): Promise<string> {
  return String((await client.request("GET", "/metrics", undefined, "", "text/plain")).body);
}

/** Returns the sum of the samples of a metric whose labels contain all of the given ones. */
function sumOf(text: string, name: string, ...labels: string[]): number {
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  const chosen = lines.filter((line) => labels.every((label) => line.includes(label)));
  return chosen.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}

const creations = (text: string): number =>
  sumOf(text, "apiserver_request_total", 'resource="configmaps"', 'verb="POST"', 'code="201"');

interface Listed {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
  readonly metadata: { readonly resourceVersion: string };
}

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/** Custom kinds that were created, each with a different name. */
let kinds = 0;

/** Creates a custom kind and waits until it is established; returns the path of its definition. */
async function define(plural: string, kind: string): Promise<string> {
  const path = `${DEFINITIONS}/${plural}.example.com`;
  const schema = { openAPIV3Schema: { type: "object" } };
  const definition = {
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
  expect((await at(0).request("POST", DEFINITIONS, definition)).status).toBe(201);
  await until(async () => {
    const { body } = await at(0).request("GET", path);
    return /"type":"Established","status":"True"|"status":"True"[^}]*"type":"Established"/.test(JSON.stringify(body));
  });
  return path;
}

/** The connection may be that of a worker that was killed. */
async function isReady(client: AdminClient): Promise<boolean> {
  return (await client.request("GET", "/readyz").catch(() => undefined))?.status === 200;
}

/** Watches ConfigMaps like an informer: after the end of a connection, resumes where it ended. */
class Follower {
  readonly names: string[] = [];
  connections = 0;
  readonly #stop = new AbortController();

  async follow(client: AdminClient, from: string): Promise<void> {
    for (let since = from; !this.#stop.signal.aborted; ) {
      this.connections += 1;
      const onEvent = (event: unknown): void => {
        const { type, object } = event as { type: string; object: Listed["items"][number] & Listed };
        since = object.metadata.resourceVersion;
        this.names.push(`${type} ${object.metadata.name}`);
      };
      await client.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${since}`, onEvent, this.#stop.signal);
      await setTimeout(20);
    }
  }

  stop(): void {
    this.#stop.abort();
  }
}

describe("a server with --workers=2 over the embedded store", () => {
  it("shows to every connection at once what any other connection wrote", { timeout: LIMIT }, async () => {
    for (let round = 0; round < 8; round++) {
      await create(`seen-${round}`, at(round));
      const read = clients.map((client) => client.request("GET", `${CONFIG_MAPS}/seen-${round}`));
      const listed = clients.map((client) => client.request("GET", CONFIG_MAPS));
      expect((await Promise.all(read)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      for (const { body } of await Promise.all(listed))
        expect((body as Listed).items.map(({ metadata }) => metadata.name)).toContain(`seen-${round}`);
    }
  });

  it("serves a custom kind on every connection once one of them sees it established", { timeout: LIMIT }, async () => {
    await define("gears", "Gear");
    const gear = (name: string) => ({ apiVersion: "example.com/v1", kind: "Gear", metadata: { name } });
    const answers = clients.map((client, index) =>
      client.request("POST", "/apis/example.com/v1/namespaces/default/gears", gear(`gear-${index}`)),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  });

  it("adds up the metrics of its processes", { timeout: LIMIT }, async () => {
    const text = await metrics(at(0));
    expect(creations(text)).toBe(created);
    expect(creations(await metrics(at(1)))).toBe(created);
    expect(sumOf(text, "typeplane_worker_up", 'worker="1"')).toBe(1);
    expect(sumOf(text, "typeplane_worker_up", `pid="${workers().get(2)}"`)).toBe(1);
    expect(sumOf(text, "kubernetes_build_info")).toBe(1);
    expect(sumOf(text, "typeplane_budget_limit", "longrunning_requests")).toBe(20_000);
    expect(sumOf(text, "apiserver_storage_objects", 'resource="configmaps"')).toBeGreaterThanOrEqual(created);
  });

  it("adds up at /metrics/slis the health checks of its processes", { timeout: LIMIT }, async () => {
    const slis = async (index: number): Promise<string> =>
      String((await at(index).request("GET", "/metrics/slis", undefined, "", "text/plain")).body);
    const runs = (text: string) => sumOf(text, "kubernetes_healthchecks_total", 'name="log"', 'type="healthz"');
    const before = runs(await slis(0));
    for (const index of [0, 1, 2]) await at(index).request("GET", "/healthz", undefined, "", "text/plain");
    for (const index of [0, 1]) expect(runs(await slis(index))).toBe(before + 3);
    expect(sumOf(await slis(0), "kubernetes_healthcheck", 'name="log"', 'type="healthz"')).toBe(1);
  });

  it("starts a worker again that was killed, and its clients resume without losing anything", {
    timeout: LIMIT,
  }, async () => {
    const counted = creations(await metrics(at(0)));
    const { body } = await at(0).request("GET", CONFIG_MAPS);
    const followers = clients.map(() => new Follower());
    const followed = followers.map((follower, index) =>
      follower.follow(at(index), (body as Listed).metadata.resourceVersion),
    );
    const expected: string[] = [];
    const write = async (name: string): Promise<void> => {
      await until(() => isReady(at(expected.length)));
      await create(name, at(expected.length));
      expected.push(`ADDED ${name}`);
    };
    await write("before-1");
    await write("before-2");
    await until(() => followers.every(({ names }) => names.length === 2));
    const [pid] = [workers().get(1) ?? 0];
    process.kill(pid, "SIGKILL");
    await until(() => /worker 1 \(pid \d+\) ended with SIGKILL/.test(server.log));
    for (let n = 0; n < 4; n++) await write(`after-${n}`);
    await until(() => workers().get(1) !== pid);
    await write("with-both-1");
    await write("with-both-2");
    await until(() => followers.every(({ names }) => names.length >= expected.length));
    for (const follower of followers) follower.stop();
    await Promise.all(followed);
    for (const { names } of followers) expect(names).toEqual(expected);
    // Some watches were with the worker that was killed, and those with the other one went on.
    const connections = followers.map(({ connections }) => connections);
    expect([Math.min(...connections), Math.max(...connections) > 1]).toEqual([1, true]);
    const text = await metrics(at(0));
    expect(creations(text)).toBeGreaterThanOrEqual(counted);
    expect(sumOf(text, "typeplane_worker_restarts_total")).toBe(1);
  });

  it("drops what a worker that ended had counted of a custom kind once its definition is deleted", {
    timeout: LIMIT,
  }, async () => {
    const kind = `Cog${++kinds}`;
    const plural = kind.toLowerCase();
    const path = await define(plural, kind);
    // After the restart of a worker, the others may be connected to one worker only.
    const connected = Array.from({ length: 4 }, () => AdminClient.fromKubeconfig(server.kubeconfig, server.port));
    const cog = (name: string) => ({ apiVersion: "example.com/v1", kind, metadata: { name } });
    for (const [index, client] of connected.entries()) {
      const create = () =>
        client.request("POST", `/apis/example.com/v1/namespaces/default/${plural}`, cog(`c${index}`));
      await until(async () => (await create()).status !== 404);
    }
    const counted = (text: string) =>
      sumOf(text, "apiserver_request_total", `resource="${plural}"`, 'verb="POST"', 'code="201"');
    const before = await metrics(at(0));
    for (const client of connected) client.close();
    expect(counted(before)).toBe(connected.length);
    const [pid] = [workers().get(1) ?? 0];
    process.kill(pid, "SIGKILL");
    await until(() => workers().get(1) !== pid);
    for (const client of clients) await until(() => isReady(client));
    expect(counted(await metrics(at(0)))).toBe(connected.length);
    expect((await at(0).request("DELETE", path)).status).toBe(200);
    for (const client of clients) await until(async () => (await client.request("GET", path)).status === 404);
    const left = (text: string) =>
      text.split("\n").filter((line) => line.includes(`resource="${plural}`) || line.includes(`kind="${kind}"`));
    // Series are shown once more before they are dropped.
    await metrics(at(0));
    for (const client of clients) {
      const text = await metrics(client);
      expect(left(text)).toEqual([]);
      expect(creations(text)).toBe(creations(before));
    }
  });

  it("writes one audit log with every request", { timeout: LIMIT }, async () => {
    const lines = (): string[] => readFileSync(auditLog, "utf8").trimEnd().split("\n");
    const names = lines().map((line) => (JSON.parse(line) as { objectRef: { name: string } }).objectRef.name);
    expect(names.length).toBe(created);
    expect(new Set(names).size).toBe(created);
  });

  it("resets the metrics of all of its processes", { timeout: LIMIT }, async () => {
    expect(creations(await metrics(at(0)))).toBeGreaterThan(0);
    const { status, body } = await at(1).request("DELETE", "/metrics", undefined, "", "text/plain");
    expect([status, String(body)]).toEqual([200, "metrics reset\n"]);
    for (const client of clients) expect(creations(await metrics(client))).toBe(0);
  });

  it("stops all of its processes on SIGTERM and leaves with status 0", { timeout: LIMIT }, async () => {
    const pids = [...workers().values()];
    const { ended } = server;
    await server.stop();
    expect(await ended).toBe(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });
});
