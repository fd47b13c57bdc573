import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { stringify } from "yaml";
import { registry } from "../../generated/registry.ts";
import { moveCommand } from "../../runtime/cli/move.ts";
import { parseFlags } from "../../runtime/cli/read-config.ts";
import { runServer } from "../../runtime/cli/run-server.ts";
import { verifyCommand } from "../../runtime/cli/verify.ts";
import { apiVersionOf } from "../../runtime/contract/group-version.ts";
import type { TypeRef } from "../../runtime/contract/type-table.ts";
import { decodeEnvelope } from "../../runtime/encoding/protobuf/envelope.ts";
import { loadHooks } from "../../runtime/kinds/loaded-hooks.ts";
import { startPlane } from "../../runtime/plane.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { UnavailableError } from "../../runtime/store/errors.ts";
import { EtcdStore } from "../../runtime/store/etcd/etcd-store.ts";
import { DEFAULT_CONTEXT } from "../fixtures/default-context.ts";
import { wireFolder, wirePairs } from "../fixtures/facts-tables.ts";
import { fleet } from "../fixtures/fleet-registry.ts";
import { startKmsPlugin, startKmsV1Plugin } from "../fixtures/kms-plugin.ts";
import { createClient, type Parsed } from "../fixtures/plane-client.ts";
import { EtcdProcess } from "../tools/etcd-process.ts";
import { findTool, skipMessage } from "../tools/tools.ts";
import { type Call, createMoved, shown } from "./moved-objects.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const available = findTool("etcd") !== undefined;
if (!available) console.log(skipMessage("etcd"));

let etcd: EtcdProcess;
let store: EtcdStore;
let prefixes = 0;

beforeAll(async () => {
  if (!available) return;
  etcd = await EtcdProcess.start();
  store = await EtcdStore.connect({ endpoints: [etcd.endpoint] });
});
afterAll(async () => {
  await store?.close();
  await etcd?.stop();
});

const newPrefix = (): string => `/registry-${prefixes++}`;

/** Runs a command. Returns its exit status and its standard output. */
async function said(run: typeof moveCommand, ...args: string[]): Promise<string> {
  let output = "";
  const out = (part: string): void => void (output += part);
  const status = await run(args, { stdin: () => "", out, err: () => undefined }, registry);
  return `${status} ${output}`;
}

const move = (from: string, to: string, ...flags: string[]): Promise<string> =>
  said(moveCommand, `--from=${from}`, `--to=${to}`, ...flags);

const AESGCM = { aesgcm: { keys: [{ name: "one", secret: Buffer.alloc(32, 1).toString("base64") }] } };

function encryptionFile(directory: string, provider: object = AESGCM): string {
  const resources = [{ resources: ["secrets", "books.library.example.com"], providers: [provider, { identity: {} }] }];
  const header = { apiVersion: "apiserver.config.k8s.io/v1", kind: "EncryptionConfiguration" };
  const file = join(directory, "encryption.yaml");
  writeFileSync(file, stringify({ ...header, resources }), { mode: 0o600 });
  return file;
}

async function during<T>(
  directory: string | undefined,
  flags: Readonly<Record<string, string>>,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const plane = await startPlane({ ...(directory && { directory }), flags: { controllers: "false", ...flags } });
  try {
    await plane.ready;
    return await work(createClient(plane));
  } finally {
    await plane.stop();
  }
}

/** A data directory with ConfigMaps m0, m1 …, the last of which is the first in the order of keys. */
async function writeMaps(directory: string, count: number): Promise<void> {
  const made = await openEmbeddedStore(directory);
  for (let index = 0; index < count; index++) {
    const object = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: `m${index}`, namespace: "default" } };
    const value = Buffer.from(JSON.stringify(object));
    await made.put(`/registry/configmaps/default/m${index}`, value, { expected: 0 });
  }
  await made.close();
}

const MAP_OF_NOBODY = JSON.stringify({ kind: "ConfigMap", apiVersion: "v1", metadata: { name: "other" } });

function serveOver(prefix: string, ...flags: string[]): Promise<number> {
  const args = [`--etcd-servers=${etcd.endpoint}`, `--etcd-prefix=${prefix}`, "--cert-dir=memory", "--secure-port=0"];
  const nowhere = { stdin: () => "", out: () => undefined, err: () => undefined };
  return runServer(parseFlags([...args, ...flags]), nowhere);
}

describe.runIf(available)("typeplane move", () => {
  it("moves a data directory to etcd as kube-apiserver stores it, and back, with the same resourceVersions", async () => {
    const directory = temporaryDirectory();
    const encryption = { "encryption-provider-config": encryptionFile(directory) };
    const before = await during(directory, encryption, async (call) => {
      await createMoved(call);
      return shown(call);
    });
    // Of a new etcd: that of the other tests may have a higher revision.
    const own = await EtcdProcess.start();
    const reader = await EtcdStore.connect({ endpoints: [own.endpoint] });
    try {
      const data = join(directory, "data");
      const encrypted = `--encryption-provider-config=${encryption["encryption-provider-config"]}`;
      const counted = await said(moveCommand, `--from=${data}`, "--dry-run", encrypted);
      expect(counted).toMatch(
        /^0 [\s\S]*books\.library\.example\.com: 1 \([0-9a-f]{16}\)\n[\s\S]*objects can be moved\n$/,
      );
      const moved = await move(data, own.endpoint, encrypted);
      expect(moved).toMatch(/\d+ objects moved and compared; all resourceVersions are the same\n$/);
      const lines = (text: string) => text.split("\n").slice(0, -2);
      expect(lines(moved), "the hashes are those of the dry run").toEqual(lines(counted));

      const value = async (key: string) =>
        Buffer.from((await reader.get(`/registry/${key}`))?.value ?? []).toString("latin1");
      expect(await value("deployments/default/d")).toMatch(/^k8s\0.*apps\/v1.*Deployment/s);
      expect(await value("horizontalpodautoscalers/default/h")).toContain("autoscaling/v2");
      expect(
        JSON.parse(await value("apiextensions.k8s.io/customresourcedefinitions/books.library.example.com")),
      ).toMatchObject({
        kind: "CustomResourceDefinition",
        metadata: { name: "books.library.example.com" },
      });
      expect(await value("secrets/default/s")).toMatch(/^k8s:enc:aesgcm:v1:one:/);
      expect(await value("library.example.com/books/default/b")).toMatch(/^k8s:enc:aesgcm:v1:one:/);
      const [event] = await reader.keys("/registry/events/default/e", 0);
      const seconds = await reader.leaseSeconds(event?.lease ?? "0");
      expect(seconds).toBeGreaterThan(3000);
      expect(seconds).toBeLessThan(3800);
      expect(await reader.keys("/typeplane-move", 0)).toEqual([]);
      expect(await said(verifyCommand, `--etcd-servers=${own.endpoint}`, encrypted)).toMatch(
        /^0 .*nothing is wrong\n$/,
      );
      await expect(move(data, own.endpoint, encrypted)).rejects.toThrow(
        "etcd already has keys under /registry/, such as",
      );

      await during(undefined, { ...encryption, "etcd-servers": own.endpoint }, async (call) => {
        expect(await shown(call)).toEqual(before);
      });
      const back = join(directory, "back");
      expect(await move(own.endpoint, join(back, "data"), encrypted)).toContain("all resourceVersions are the same");
      await during(back, encryption, async (call) => expect(await shown(call)).toEqual(before));
    } finally {
      await reader.close();
      await own.stop();
    }
  });

  it("moves objects that a KMS plugin encrypts, in both directions, and none that the plugin cannot decrypt", async () => {
    const [directory, prefix] = [temporaryDirectory(), newPrefix()];
    const plugin = await startKmsPlugin(join(directory, "kms.sock"));
    onTestFinished(() => plugin.stop());
    const kms = { kms: { apiVersion: "v2", name: "vault", endpoint: plugin.endpoint, timeout: "1s" } };
    const encryption = { "encryption-provider-config": encryptionFile(directory, kms) };
    const secrets = "/api/v1/namespaces/default/secrets";
    const show = async (call: Call): Promise<unknown> => (await call("GET", secrets)).body.items;
    const before = await during(directory, encryption, async (call) => {
      const body = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, stringData: { password: "p" } };
      expect((await call("POST", secrets, { body })).status).toBe(201);
      return show(call);
    });
    // The key of the stored objects is no longer that of new ones.
    plugin.rotate("key-2");
    const [data, back] = [join(directory, "data"), join(directory, "back")];
    const flags = [
      `--encryption-provider-config=${encryption["encryption-provider-config"]}`,
      `--etcd-prefix=${prefix}`,
    ];
    plugin.state.known.clear();
    await expect(move(data, etcd.endpoint, ...flags)).rejects.toThrow(/secrets\/default\/s/);
    expect((await store.range({ prefix: `${prefix}/secrets/` })).entries).toEqual([]);
    plugin.state.known.add("key-1").add("key-2");

    expect(await move(data, etcd.endpoint, ...flags)).toContain("objects moved and compared");
    const stored = await store.get(`${prefix}/secrets/default/s`);
    expect(Buffer.from(stored?.value ?? []).toString("latin1")).toMatch(/^k8s:enc:kms:v2:vault:/);
    const overEtcd = { ...encryption, "etcd-servers": etcd.endpoint, "etcd-prefix": prefix };
    const withoutVersion = (items: unknown): unknown =>
      JSON.parse(JSON.stringify(items, (name, value: unknown) => (name === "resourceVersion" ? "" : value)));
    await during(undefined, overEtcd, async (call) =>
      expect(withoutVersion(await show(call))).toEqual(withoutVersion(before)),
    );
    expect(await move(etcd.endpoint, join(back, "data"), ...flags)).toContain("objects moved and compared");
    await during(back, encryption, async (call) =>
      expect(withoutVersion(await show(call))).toEqual(withoutVersion(before)),
    );
  });

  it("moves objects that a plugin of KMS v1 encrypts, in both directions", async () => {
    const [directory, prefix] = [temporaryDirectory(), newPrefix()];
    const plugin = await startKmsV1Plugin(join(directory, "kms.sock"));
    onTestFinished(() => plugin.stop());
    const kms = { kms: { apiVersion: "v1", name: "vault", endpoint: plugin.endpoint, timeout: "1s" } };
    const file = encryptionFile(directory, kms);
    const encryption = { "encryption-provider-config": file, "feature-gates": "KMSv1=true" };
    const secrets = "/api/v1/namespaces/default/secrets";
    const body = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, stringData: { password: "p" } };
    const password = async (call: Call): Promise<unknown> => (await call("GET", `${secrets}/s`)).body.data.password;
    await during(directory, encryption, async (call) =>
      expect((await call("POST", secrets, { body })).status).toBe(201),
    );
    const [data, back] = [join(directory, "data"), join(directory, "back")];
    const flags = [`--encryption-provider-config=${file}`, "--feature-gates=KMSv1=true", `--etcd-prefix=${prefix}`];

    expect(await move(data, etcd.endpoint, ...flags)).toContain("objects moved and compared");
    const stored = await store.get(`${prefix}/secrets/default/s`);
    expect(Buffer.from(stored?.value ?? []).toString("latin1")).toMatch(/^k8s:enc:kms:v1:vault:/);
    const overEtcd = { ...encryption, "etcd-servers": etcd.endpoint, "etcd-prefix": prefix };
    await during(undefined, overEtcd, async (call) => expect(await password(call)).toBe("cA=="));
    expect(await move(etcd.endpoint, join(back, "data"), ...flags)).toContain("objects moved and compared");
    await during(back, encryption, async (call) => expect(await password(call)).toBe("cA=="));
  });

  it("continues where it was interrupted, and servers refuse to start before it is finished", async () => {
    const [directory, prefix] = [temporaryDirectory(), newPrefix()];
    await writeMaps(directory, 30);
    const { change } = EtcdStore.prototype;
    let written = 0;
    const broken = vi.spyOn(EtcdStore.prototype, "change").mockImplementation(function (this: EtcdStore, what) {
      if (what.puts?.[0]?.key.startsWith(`${prefix}/`) && ++written > 10) throw new UnavailableError("etcd is gone");
      return change.call(this, what);
    });
    await expect(move(directory, etcd.endpoint, `--etcd-prefix=${prefix}`)).rejects.toThrow(
      `${prefix}/configmaps/default/m10: etcd is gone. Run the same command again to continue`,
    );
    broken.mockRestore();
    const half = (await store.keys(`${prefix}/`, 0)).map(({ key, modRevision }) => [key, modRevision]);
    expect(half).toHaveLength(10);
    await expect(serveOver(prefix, "--data-dir=memory")).rejects.toThrow("a move to this etcd is not finished");
    await expect(serveOver(prefix, `--data-dir=${directory}`)).rejects.toThrow(
      `the data directory ${directory} has objects, but with --etcd-servers the objects in etcd are served: move them (typeplane move --from ${directory} --to ${etcd.endpoint}), or start without --data-dir`,
    );
    expect(await move(directory, etcd.endpoint, `--etcd-prefix=${prefix}`)).toContain("30 objects moved and compared");
    const all = await store.keys(`${prefix}/`, 0);
    expect(all.map(({ key, modRevision }) => [key, modRevision])).toEqual(expect.arrayContaining(half));
    const inOrder = [...all].sort((a, b) => a.modRevision - b.modRevision).map(({ key }) => key.split("/m").at(-1));
    expect(inOrder, "in the order of their last changes").toEqual(Array.from({ length: 30 }, (_, i) => String(i)));
  });

  it("continues when objects that it has written have expired in the source", async () => {
    const [directory, prefix] = [temporaryDirectory(), newPrefix()];
    const made = await openEmbeddedStore(directory);
    const event = {
      kind: "Event",
      apiVersion: "v1",
      metadata: { name: "e", namespace: "default" },
      involvedObject: {},
    };
    const whole = { ...event, source: {}, reportingComponent: "", reportingInstance: "" };
    await made.put("/registry/events/default/e", Buffer.from(JSON.stringify(whole)), { expected: 0, ttlSeconds: 600 });
    await made.close();
    await writeMaps(directory, 2);
    const { change } = EtcdStore.prototype;
    const broken = vi.spyOn(EtcdStore.prototype, "change").mockImplementation(function (this: EtcdStore, what) {
      if (what.puts?.[0]?.key.endsWith("/m1")) throw new UnavailableError("etcd is gone");
      return change.call(this, what);
    });
    await expect(move(directory, etcd.endpoint, `--etcd-prefix=${prefix}`)).rejects.toThrow("etcd is gone");
    broken.mockRestore();
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 601_000);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await move(directory, etcd.endpoint, `--etcd-prefix=${prefix}`)).toContain("2 objects moved and compared");
  });

  it("names an object that reads differently at the destination, and one that is not of the source", async () => {
    const [directory, prefix] = [temporaryDirectory(), newPrefix()];
    const at = `--etcd-prefix=${prefix}`;
    await writeMaps(directory, 3);
    const { change } = EtcdStore.prototype;
    const bad = vi.spyOn(EtcdStore.prototype, "change").mockImplementation(function (this: EtcdStore, what) {
      const puts = what.puts?.map((put) =>
        put.key.endsWith("/m1") ? { ...put, value: Buffer.from(MAP_OF_NOBODY) } : put,
      );
      return change.call(this, { ...what, ...(puts && { puts }) });
    });
    await expect(move(directory, etcd.endpoint, at)).rejects.toThrow(
      `${prefix}/configmaps/default/m1 at the destination differs from the source`,
    );
    bad.mockRestore();
    await expect(serveOver(prefix, "--data-dir=memory")).rejects.toThrow("a move to this etcd is not finished");
    await store.put(`${prefix}/configmaps/default/a`, Buffer.from(MAP_OF_NOBODY), { expected: 0 });
    await expect(move(directory, etcd.endpoint, at)).rejects.toThrow(
      `${prefix}/configmaps/default/a is at the destination, but not in the source`,
    );
  });

  it("finds kinds of a project in etcd in JSON, as a kube-apiserver with their definitions reads and writes them", async () => {
    const prefix = newPrefix();
    const flags = { controllers: "false", "etcd-servers": etcd.endpoint, "etcd-prefix": prefix };
    const plane = await startPlane({ kinds: fleet(), base: "none", flags });
    onTestFinished(() => plane.stop());
    await plane.ready;
    const call = createClient(plane);
    const trucks = "/apis/fleet.example.com/v1/namespaces/default/trucks";
    const truck = { apiVersion: "fleet.example.com/v1", kind: "Truck", metadata: { name: "t", labels: { a: "b" } } };
    const { status, body } = await call("POST", trucks, { body: truck });
    expect(status).toBe(201);
    const key = `${prefix}/fleet.example.com/trucks/default/t`;
    const stored = Buffer.from((await store.get(key))?.value ?? []).toString();
    const { resourceVersion: _revision, ...metadata } = body.metadata;
    expect(JSON.parse(stored)).toEqual({ ...body, metadata });
    expect((await call("GET", `${trucks}/t`)).body).toEqual(body);
  });

  it("refuses places that are in use, not empty, or have changed since an interrupted move", async () => {
    const [directory, prefix] = [temporaryDirectory(), newPrefix()];
    const at = `--etcd-prefix=${prefix}`;
    await writeMaps(directory, 2);
    const used = await openEmbeddedStore(directory);
    await expect(move(directory, etcd.endpoint, at)).rejects.toThrow(
      `is in use by the process with pid ${process.pid}`,
    );
    await used.close();
    const absent = join(directory, "absent");
    await expect(move(absent, etcd.endpoint, at)).rejects.toThrow("is not a data directory: it has no data.mdb");
    await expect(move(directory, absent)).rejects.toThrow("both directories: use typeplane backup");
    await expect(move(etcd.endpoint, etcd.endpoint)).rejects.toThrow("both etcd: use etcdctl snapshot save");

    await store.put(`${prefix}/masterleases/10.0.0.1`, Buffer.from("{}"), { expected: 0 });
    await expect(move(etcd.endpoint, absent, at)).rejects.toThrow("an API server uses this etcd");
    await expect(move(directory, etcd.endpoint, at)).rejects.toThrow(`etcd already has keys under ${prefix}/`);
    await store.change({ deletes: [`${prefix}/masterleases/10.0.0.1`] });

    const marker = { source: "another", revision: 3, cursor: 2 };
    await store.put(`/typeplane-move${prefix}`, Buffer.from(JSON.stringify(marker)), { expected: 0 });
    await expect(move(directory, etcd.endpoint, at)).rejects.toThrow("etcd has an unfinished move of another source");
    await store.change({ deletes: [`/typeplane-move${prefix}`] });

    const broken = await openEmbeddedStore(directory);
    await broken.put("/registry/configmaps/default/broken", Buffer.from("{"), { expected: 0 });
    await broken.close();
    await expect(move(directory, etcd.endpoint, at)).rejects.toThrow(
      /^\/registry\/configmaps\/default\/broken: .*\n1 objects cannot be moved: delete or repair them first; nothing was written$/,
    );
    expect(await store.keys(prefix, 0)).toEqual([]);
    await expect(move(etcd.endpoint, directory, at)).rejects.toThrow(`${directory} is not empty`);
  });

  it.skipIf(!existsSync(wireFolder))(
    "takes over what a kube-apiserver has stored, in every version, and stores it as before, with all defaults (skipped without ../shared)",
    async () => {
      const [directory, from, to] = [temporaryDirectory(), newPrefix(), newPrefix()];
      const schemas = createSchemas(registry.createTypeSource());
      const golden = new Map<string, Buffer>();
      const catalogue = registry.readCatalogue().resources;
      for (const { ref, protobuf } of wirePairs()) {
        const descriptor = catalogue.find(({ type }) => type === ref);
        if (descriptor === undefined || descriptor.virtual) continue;
        const { storage, namespaced: isNamespaced, group, version } = descriptor;
        const name = `${storage.prefix ?? storage.resource}/${isNamespaced ? "default/" : ""}${group}.${version}`;
        if (storage.type === ref) golden.set(name, protobuf);
        await store.put(`${from}/${name}`, protobuf, {
          expected: 0,
          ...(ref === "core/v1.Event" && { ttlSeconds: 600 }),
        });
      }
      expect(golden.size).toBeGreaterThan(40);
      // As kube-apiserver writes them: definitions in v1beta1, custom objects as they were given, both in JSON.
      const definition = {
        kind: "CustomResourceDefinition",
        apiVersion: "apiextensions.k8s.io/v1beta1",
        metadata: { name: "books.library.example.com", uid: "1", creationTimestamp: "2024-01-01T00:00:00Z" },
        spec: {
          group: "library.example.com",
          names: { plural: "books", singular: "book", kind: "Book", listKind: "BookList" },
          scope: "Namespaced",
          version: "v1",
          versions: [{ name: "v1", served: true, storage: true }],
          preserveUnknownFields: true,
        },
        status: { conditions: [], acceptedNames: { plural: "books", kind: "Book" }, storedVersions: ["v1"] },
      };
      const book = `{"apiVersion":"library.example.com/v1","kind":"Book","metadata":{"creationTimestamp":"2024-01-01T00:00:00Z","name":"b","namespace":"default","uid":"2"},"pages":9007199254740993}\n`;
      const custom = `${from}/library.example.com/books/default/b`;
      await store.put(
        `${from}/apiextensions.k8s.io/customresourcedefinitions/books.library.example.com`,
        Buffer.from(`${JSON.stringify(definition)}\n`),
        { expected: 0 },
      );
      await store.put(custom, Buffer.from(book), { expected: 0 });
      const ports = `${from}/ranges/servicenodeports`;
      await store.put(
        ports,
        wirePairs().find(({ ref }) => ref === "core/v1.RangeAllocation")?.protobuf ?? Buffer.alloc(0),
        {
          expected: 0,
        },
      );

      const data = join(directory, "data");
      expect(await move(etcd.endpoint, data, `--etcd-prefix=${from}`)).toContain("all resourceVersions are the same");
      const taken = await openEmbeddedStore(data);
      const key = "/registry/library.example.com/books/default/b";
      expect((await taken.get(key))?.modRevision).toBe((await store.get(custom))?.modRevision);
      await taken.close();
      expect(await move(data, etcd.endpoint, `--etcd-prefix=${to}`)).toContain("clients list again");

      for (const [name, protobuf] of golden) {
        const stored = Buffer.from((await store.get(`${to}/${name}`))?.value ?? []);
        const { apiVersion, kind, raw } = decodeEnvelope(stored);
        const type = catalogue.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion)?.type as TypeRef;
        const schema = schemas.of<Parsed>(type);
        const before = decodeEnvelope(protobuf);
        const expected = schema.decodeProtobuf(before.raw);
        const hooks = await loadHooks(registry, type, DEFAULT_CONTEXT);
        schema.applyDefaults(expected);
        hooks.default?.(expected);
        hooks.defaults?.stored?.(expected);
        expect([apiVersion, kind], name).toEqual([before.apiVersion, before.kind]);
        const unversioned = (object: Parsed) => ({
          ...object,
          metadata: { ...object.metadata, resourceVersion: undefined },
        });
        expect(unversioned(schema.decodeProtobuf(raw)), name).toEqual(
          unversioned(schema.decodeProtobuf(schema.encodeProtobuf(expected))),
        );
      }
      expect(Buffer.from((await store.get(custom.replace(from, to)))?.value ?? []).toString()).toBe(book);
      expect((await store.get(ports.replace(from, to)))?.value).toEqual((await store.get(ports))?.value);
      const [event] = await store.keys(`${to}/events/`, 0);
      expect(await store.leaseSeconds(event?.lease ?? "0")).toBeGreaterThan(500);
      expect(await said(verifyCommand, `--etcd-servers=${etcd.endpoint}`, `--etcd-prefix=${to}`)).toMatch(
        /^\d revision/,
      );
    },
  );
});
