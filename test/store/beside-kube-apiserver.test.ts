import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { registry } from "../../generated/registry.ts";
import { moveCommand } from "../../runtime/cli/move.ts";
import { startPlane } from "../../runtime/plane.ts";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { differencesOf } from "../fixtures/differences-of.ts";
import { wireFolder, wirePairs } from "../fixtures/facts-tables.ts";
import { createClient, type Parsed, type PlaneClient } from "../fixtures/plane-client.ts";
import { EtcdProcess } from "../tools/etcd-process.ts";
import { KubeApiserverProcess } from "../tools/kube-apiserver-process.ts";
import { findTool, skipMessage } from "../tools/tools.ts";
import { createMoved, shown } from "./moved-objects.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const available = findTool("etcd") !== undefined && KubeApiserverProcess.isRealServer();
if (!available) console.log(skipMessage(findTool("etcd") === undefined ? "etcd" : "kube-apiserver"));

const ALL_VERSIONS = "api/all=true";
const SECONDS = 300_000;

/** Every resource that can be listed, as `/apis/apps/v1/deployments`. */
async function listable(call: PlaneClient): Promise<string[]> {
  const versions = (await call("GET", "/apis")).body.groups.flatMap((group: Parsed) =>
    group.versions.map(({ groupVersion }: Parsed) => `/apis/${groupVersion}`),
  );
  const paths: string[] = [];
  for (const version of ["/api/v1", ...versions]) {
    for (const { name, verbs } of (await call("GET", version)).body.resources) {
      // Not stored: the health of other components.
      if (verbs.includes("list") && name !== "componentstatuses") paths.push(`${version}/${name}`);
    }
  }
  return paths.sort();
}

/** Returns all objects that a server shows, by the path of their list. */
async function everything(call: PlaneClient, paths: readonly string[]): Promise<Map<string, Parsed[]>> {
  const all = new Map<string, Parsed[]>();
  for (const path of paths) {
    const { status, body, text } = await call("GET", path);
    expect(status, `${path}: ${text}`).toBe(200);
    all.set(path, body.items);
  }
  return all;
}

/**
 * Waits until both servers show the same objects, and returns them. Objects that they write on their own after a start may appear between two
 * lists.
 */
async function expectSame(mine: PlaneClient, theirs: PlaneClient, accepted?: RegExp): Promise<Map<string, Parsed[]>> {
  const paths = await listable(theirs);
  expect(await listable(mine)).toEqual(paths);
  for (const deadline = Date.now() + 30_000; ; await delay(1000)) {
    const shownByThem = await everything(theirs, paths);
    const shownByMe = await everything(mine, paths);
    const differences = paths
      .flatMap((path) => differencesOf(path, shownByMe.get(path), shownByThem.get(path)))
      .filter((difference) => accepted?.test(difference) !== true);
    if (differences.length === 0) return shownByThem;
    if (Date.now() > deadline) expect(differences).toEqual([]);
  }
}

function encryptionFlag(directory: string): readonly [string, string] {
  const aescbc = { keys: [{ name: "one", secret: Buffer.alloc(32, 1).toString("base64") }] };
  const resources = [
    { resources: ["secrets", "books.library.example.com"], providers: [{ aescbc }, { identity: {} }] },
  ];
  const file = join(directory, "encryption.yaml");
  const header = { apiVersion: "apiserver.config.k8s.io/v1", kind: "EncryptionConfiguration" };
  writeFileSync(file, stringify({ ...header, resources }), { mode: 0o600 });
  return ["encryption-provider-config", file];
}

async function startEtcd(): Promise<string> {
  const etcd = await EtcdProcess.start();
  onTestFinished(() => etcd.stop());
  return etcd.endpoint;
}

interface Started {
  readonly call: PlaneClient;
  stop(): Promise<void>;
}

async function startTypeplane(flags: Readonly<Record<string, string>>, directory?: string): Promise<Started> {
  const plane = await startPlane({
    ...(directory && { directory }),
    flags: { controllers: "false", "runtime-config": ALL_VERSIONS, ...flags },
  });
  onTestFinished(() => plane.stop());
  await plane.ready;
  return { call: createClient(plane), stop: () => plane.stop() };
}

async function startKubeApiserver(etcd: string, ...flags: string[]): Promise<KubeApiserverProcess> {
  const server = await KubeApiserverProcess.start(etcd, [`--runtime-config=${ALL_VERSIONS}`, ...flags]);
  onTestFinished(() => server.stop());
  return server;
}

async function move(from: string, to: string, ...flags: string[]): Promise<void> {
  let output = "";
  const out = (part: string): void => void (output += part);
  const streams = { stdin: () => "", out, err: out };
  expect(await moveCommand([`--from=${from}`, `--to=${to}`, ...flags], streams, registry), output).toBe(0);
}

describe.runIf(available)("a kube-apiserver over the same etcd", { timeout: SECONDS }, () => {
  it("shows every object of this server as this server does, also encrypted ones", async () => {
    const [etcd, encryption] = [await startEtcd(), encryptionFlag(temporaryDirectory())];
    const mine = await startTypeplane({ "etcd-servers": etcd, [encryption[0]]: encryption[1] });
    await createMoved(mine.call);
    const theirs = await startKubeApiserver(etcd, `--${encryption.join("=")}`);
    expect(await shown(theirs.call)).toEqual(await shown(mine.call));
    await expectSame(mine.call, theirs.call);
  });

  it("stores objects that this server shows as it does, over etcd and after a move to a data directory", async () => {
    const [etcd, directory] = [await startEtcd(), temporaryDirectory()];
    const encryption = encryptionFlag(directory);
    const theirs = await startKubeApiserver(etcd, `--${encryption.join("=")}`);
    await createMoved(theirs.call);
    const mine = await startTypeplane({ "etcd-servers": etcd, [encryption[0]]: encryption[1] });
    const all = await expectSame(mine.call, theirs.call);
    await theirs.stop();
    await mine.stop();
    await move(etcd, join(directory, "data"), `--${encryption.join("=")}`);
    const moved = await startTypeplane({ [encryption[0]]: encryption[1] }, directory);
    for (const [path, items] of all) {
      const before = items.filter(({ metadata }) => !OF_A_SERVER.test(metadata.name));
      const uids = new Set(before.map(({ metadata }) => metadata.uid));
      const after = (await moved.call("GET", path)).body.items;
      expect(
        differencesOf(
          path,
          after.filter(({ metadata }: Parsed) => uids.has(metadata.uid)),
          before,
        ),
      ).toEqual([]);
    }
  });

  it("takes part in optimistic locking and watches of this server, in both directions", async () => {
    const etcd = await startEtcd();
    const mine = (await startTypeplane({ "etcd-servers": etcd })).call;
    const theirs = (await startKubeApiserver(etcd)).call;
    const maps = "/api/v1/namespaces/default/configmaps";
    for (const [name, writer, other] of [
      ["mine", mine, theirs],
      ["theirs", theirs, mine],
    ] as const) {
      const from = (await other("GET", maps)).body.metadata.resourceVersion;
      const watched = other("GET", `${maps}?watch=1&timeoutSeconds=5&resourceVersion=${from}`);
      const made = (await writer("POST", maps, { body: { metadata: { name }, data: { a: "1" } } })).body;
      const at = `${maps}/${name}`;
      const changed = await other("PUT", at, { body: { ...made, data: { a: "2" } } });
      expect(changed.status, changed.text).toBe(200);
      const late = await writer("PUT", at, { body: { ...made, data: { a: "3" } } });
      expect(late.status).toBe(409);
      expect((await writer("DELETE", at)).status).toBe(200);
      const events = (await watched).text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Parsed)
        .filter(({ object }) => object.metadata.name === name);
      expect(events.map(({ type, object }) => [type, object.data.a])).toEqual([
        ["ADDED", "1"],
        ["MODIFIED", "2"],
        ["DELETED", "2"],
      ]);
      expect(events[1].object).toEqual(changed.body);
    }
  });

  it.skipIf(!existsSync(wireFolder))(
    "shows objects with every field of every kind as this server does, after a move from a data directory (skipped without ../shared)",
    async () => {
      const [etcd, directory] = [await startEtcd(), temporaryDirectory()];
      const data = join(directory, "data");
      const store = await openEmbeddedStore(data);
      for (const { ref, json } of wirePairs()) {
        const kind = registry.readCatalogue().resources.find(({ type }) => type === ref);
        if (kind === undefined || kind.virtual || OBEYED.has(kind.group) || kind.kind === "Namespace") continue;
        const { storage, namespaced, group, version } = kind;
        const object = JSON.parse(json) as Parsed;
        object.metadata.name = `${group || "core"}.${version}`;
        object.metadata.resourceVersion = undefined;
        if (namespaced) object.metadata.namespace = "default";
        const name = `${storage.prefix ?? storage.resource}/${namespaced ? "default/" : ""}${object.metadata.name}`;
        await store.put(`/registry/${name}`, Buffer.from(JSON.stringify(object)), { expected: 0 });
      }
      await store.close();
      await move(data, etcd);
      const theirs = (await startKubeApiserver(etcd)).call;
      const mine = (await startTypeplane({ "etcd-servers": etcd })).call;
      const all = await expectSame(mine, theirs, MENDED);
      expect([...all.values()].flat().filter(({ metadata }) => metadata.uid === "uidValue").length).toBeGreaterThan(60);
    },
  );
});

/** Objects about itself that a server writes when it starts. */
const OF_A_SERVER = /^(kubernetes$|extension-apiserver-authentication$|apiserver-)/;

/** Groups whose objects affect a server: the values of the examples would stop it. */
const OBEYED: ReadonlySet<string> = new Set([
  "admissionregistration.k8s.io",
  "apiregistration.k8s.io",
  "apiextensions.k8s.io",
  "flowcontrol.apiserver.k8s.io",
]);

/**
 * The examples have a different value in each field, even if two fields must be equal or one is never stored. kube-apiserver corrects them,
 * and sets defaults, when it reads an object; this server does so when the object is written. One value in autoscaling/v1 is lost there.
 */
const MENDED = new RegExp(
  [
    "\\.serviceAccount: ",
    "\\.podCIDRs\\.0: ",
    "\\.podIPs\\.0\\.ip: ",
    "\\.resources\\.requests\\.limitsKey: ",
    "secrets\\.0\\.(data\\.stringDataKey|stringData): ",
    "\\.volumeClaimTemplates\\.0\\.(kind|apiVersion): ",
    "\\.deprecated\\.daemonset\\.template\\.generation: ",
    "\\.annotations\\.conversion\\.k8s\\.io/carried: ",
  ].join("|"),
);
