import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refuseUnfinishedMove } from "../../runtime/cli/objects-elsewhere.ts";
import { readConfig } from "../../runtime/cli/read-config.ts";
import { startPlane } from "../../runtime/plane.ts";
import { EtcdStore } from "../../runtime/store/etcd/etcd-store.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { EtcdProcess, type TlsFiles } from "../tools/etcd-process.ts";
import { findTool, skipMessage } from "../tools/tools.ts";
import { Recorder, runStoreTests } from "./run-store-tests.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const available = findTool("etcd") !== undefined;
if (!available) console.warn(`etcd store: ${skipMessage("etcd")}`);

describe.runIf(available)("with a real etcd", () => {
  let etcd: EtcdProcess;
  let run = 0;
  beforeAll(async () => {
    etcd = await EtcdProcess.start();
  });
  afterAll(() => etcd.stop());
  const connect = (): Promise<EtcdStore> => EtcdStore.connect({ endpoints: [etcd.endpoint] });

  runStoreTests("etcd", async () => ({ store: await connect(), prefix: `/registry/run-${++run}/` }));

  it("continues after a restart of etcd without lost or duplicate events", async () => {
    const store = await connect();
    const prefix = `/registry/run-${++run}/`;
    const recorder = new Recorder(store, { prefix, startRevision: (await store.currentRevision()) + 1 });
    const write = async (name: string): Promise<number> =>
      (await store.put(prefix + name, Buffer.from(name), { expected: 0 })).revision;
    const revisions = [await write("a"), await write("b")];
    await recorder.until(() => recorder.events.length === 2);
    await etcd.kill();
    await expect(store.get(`${prefix}a`)).rejects.toMatchObject({ code: "Unavailable" });
    await etcd.restart();
    revisions.push(await write("c"), await write("d"));
    await recorder.until(() => recorder.events.length >= 4);
    expect(recorder.events.map((event) => event.revision)).toEqual(revisions);
    await store.close();
  });

  it("tells that etcd refuses writes because its database has reached its quota", async () => {
    const own = await EtcdProcess.start(undefined, ["--quota-backend-bytes", "2000000"]);
    try {
      const store = await EtcdStore.connect({ endpoints: [own.endpoint] });
      expect(await store.diskUse()).toMatchObject([{ refusesWrites: false }]);
      const fill = async (): Promise<void> => {
        for (let count = 0; count < 20; count++)
          await store.put(`/registry/things/${count}`, Buffer.alloc(500_000, count), { expected: 0 });
      };
      await expect(fill()).rejects.toMatchObject({ code: "NoSpace" });
      expect(await store.diskUse()).toMatchObject([{ refusesWrites: true }]);
      await store.close();
    } finally {
      await own.stop();
    }
  });

  it("gives up for good when etcd goes back to an earlier revision: nothing read before is valid any more", async () => {
    const own = await EtcdProcess.start();
    try {
      const lost: string[] = [];
      const onLost = ({ message }: Error): unknown => lost.push(message);
      const store = await EtcdStore.connect({ endpoints: [own.endpoint], onLost });
      const watching = await EtcdStore.connect({ endpoints: [own.endpoint], onLost });
      const prefix = "/registry/things/";
      await store.put(`${prefix}a`, Buffer.from("a"), { expected: 0 });
      const restore = await own.save();
      const recorder = new Recorder(watching, { prefix, startRevision: 1 });
      await store.put(`${prefix}b`, Buffer.from("b"), { expected: 0 });
      await store.put(`${prefix}c`, Buffer.from("c"), { expected: 0 });
      await recorder.until(() => recorder.events.length === 3);
      await restore();
      const message =
        "etcd has other data than before: its revision was 4 and is 2 now, as after the restore of a snapshot; restart all servers over it";
      await expect
        .poll(() => store.currentRevision().catch((error: Error) => error))
        .toMatchObject({ code: "Lost", message });
      await expect
        .poll(() => watching.currentRevision().catch((error: Error) => error))
        .toMatchObject({ code: "Lost", message });
      await expect(store.put(`${prefix}d`, Buffer.from("d"), { expected: 0 })).rejects.toMatchObject({ code: "Lost" });
      expect(recorder.error).toMatchObject({ code: "Lost" });
      expect(lost).toEqual([message, message]);
      await store.close();
      await watching.close();
    } finally {
      await own.stop();
    }
  });

  it("uses another member when one cannot be reached", async () => {
    const store = await EtcdStore.connect({ endpoints: ["http://127.0.0.1:1", etcd.endpoint] });
    const prefix = `/registry/run-${++run}/`;
    await store.put(`${prefix}a`, Buffer.from("a"), { expected: 0 });
    expect(await store.get(`${prefix}a`)).toBeDefined();
    await store.close();
  });

  it("gives keys with a time to live a lease that they share", async () => {
    const store = await connect();
    const prefix = `/registry/run-${++run}/`;
    for (const name of ["a", "b"]) {
      await store.put(prefix + name, Buffer.from(name), { expected: 0, ttlSeconds: 3600 });
    }
    expect((await store.range({ prefix })).entries).toHaveLength(2);
    await store.close();
  });

  it("compacts once per interval however many servers try", async () => {
    const interval = { compactionIntervalMs: 300 };
    const stores = await Promise.all([1, 2].map(() => EtcdStore.connect({ endpoints: [etcd.endpoint], ...interval })));
    const [store] = stores as [EtcdStore, EtcdStore];
    const prefix = `/registry/run-${++run}/`;
    const first = (await store.put(`${prefix}a`, Buffer.from("1"), { expected: 0 })).revision;
    await store.put(`${prefix}a`, Buffer.from("2"), { expected: first });
    for (;;) {
      const outcome = await store.range({ prefix, atRevision: first }).catch((error: { code: string }) => error.code);
      if (outcome === "Compacted") break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect((await store.range({ prefix })).entries).toHaveLength(1);
    await Promise.all(stores.map((each) => each.close()));
  });
});

describe.runIf(available && hasOpenssl())("over TLS", () => {
  it("serves clients with a certificate of its authority and refuses others", async () => {
    const etcd = await EtcdProcess.start(makeCertificates(temporaryDirectory()));
    try {
      const store = await EtcdStore.connect(etcd.connectOptions);
      await store.put("/registry/a", Buffer.from("a"), { expected: 0 });
      await store.close();
      const anonymous = { endpoints: [etcd.endpoint], callTimeoutMs: 1000 };
      await expect(EtcdStore.connect(anonymous)).rejects.toMatchObject({ code: "Unavailable" });
    } finally {
      await etcd.stop();
    }
  });
});

describe.runIf(available && hasOpenssl() && findTool("etcdctl") !== undefined)("with authentication", () => {
  it("starts and serves with access to the keys of its prefix only", async () => {
    const files = makeCertificates(temporaryDirectory());
    const etcd = await EtcdProcess.start(files);
    try {
      const tls = [
        `--endpoints=${etcd.endpoint}`,
        `--cacert=${files.ca}`,
        `--cert=${files.cert}`,
        `--key=${files.key}`,
      ];
      const control = (command: string): unknown =>
        execFileSync(findTool("etcdctl") ?? "", [...tls, ...command.split(" ")], { stdio: "ignore" });
      for (const user of ["root", "etcd"]) control(`user add ${user} --no-password`);
      control("role add servers");
      control("role grant-permission servers readwrite --prefix=true /registry/");
      control("user grant-role etcd servers");
      control("user grant-role root root");
      control("auth enable");
      const flags = {
        ...{ controllers: "false", "etcd-servers": etcd.endpoint },
        ...{ "etcd-cafile": files.ca, "etcd-certfile": files.cert, "etcd-keyfile": files.key },
      };
      const plane = await startPlane({ flags });
      await plane.ready;
      expect((await createClient(plane)("GET", "/api/v1/namespaces/default")).status).toBe(200);
      await plane.stop();
      const store = await EtcdStore.connect({ ...etcd.connectOptions, prefix: "/registry" });
      await expect(store.get("/elsewhere")).rejects.toMatchObject({
        code: "Denied",
        message: `etcd at ${etcd.endpoint} refuses the request: etcdserver: permission denied`,
      });
      const config = readConfig(new Map(Object.entries(flags).map(([name, value]) => [name, [value]])));
      await refuseUnfinishedMove(config, store);
      await store.close();
    } finally {
      await etcd.stop();
    }
  });
});

function hasOpenssl(): boolean {
  return spawnSync("openssl", ["version"]).status === 0;
}

/** One self-signed certificate that is authority, server and client at once. */
function makeCertificates(directory: string): TlsFiles {
  const [key, cert] = [join(directory, "key.pem"), join(directory, "cert.pem")];
  const subject = ["-subj", "/CN=etcd", "-addext", "subjectAltName=IP:127.0.0.1"];
  const files = ["-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert];
  execFileSync("openssl", ["req", "-x509", "-days", "1", ...files, ...subject], { stdio: "ignore" });
  return { ca: cert, cert, key };
}

it("says what was tried when no etcd can be reached", async () => {
  const endpoints = ["http://127.0.0.1:1", "http://127.0.0.1:2"];
  await expect(EtcdStore.connect({ endpoints, callTimeoutMs: 1000 })).rejects.toMatchObject({
    code: "Unavailable",
    message: expect.stringMatching(
      /cannot connect to etcd at http:..127\.0\.0\.1:1, http:..127\.0\.0\.1:2: etcd at http:..127\.0\.0\.1:2 is not available: .*ECONNREFUSED 127\.0\.0\.1:2$/,
    ),
  });
});
