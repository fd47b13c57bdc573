import { createCipheriv, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { registry } from "../../generated/registry.ts";
import { migrateStorageCommand } from "../../runtime/cli/migrate-storage.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { EtcdStore } from "../../runtime/store/etcd/etcd-store.ts";
import type { Store } from "../../runtime/store/store.ts";
import { customDefinition } from "../fixtures/custom-definition.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { EtcdProcess } from "../tools/etcd-process.ts";
import { findTool, skipMessage } from "../tools/tools.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const SECRETS = "/api/v1/namespaces/default/secrets";
const MAPS = "/api/v1/namespaces/default/configmaps";
const available = findTool("etcd") !== undefined;
if (!available) console.warn(`encryption in etcd: ${skipMessage("etcd")}`);

type Providers = Record<string, unknown>[];
const keys = (...names: [string, number][]) => ({
  keys: names.map(([name, byte]) => ({ name, secret: Buffer.alloc(32, byte).toString("base64") })),
});

interface Backend {
  readonly flags: Record<string, string>;
  open(): Promise<Store>;
}

/** Starts a server with some encryption providers for Secrets and library books, calls `act`, and stops it. */
async function during<T>(
  directory: string,
  { flags }: Backend,
  providers: Providers | undefined,
  act: (call: ReturnType<typeof createClient>, plane: Plane) => Promise<T>,
  more: Record<string, string> = {},
): Promise<T> {
  const config: Record<string, string> =
    providers === undefined ? {} : { "encryption-provider-config": write(directory, providers) };
  const plane = await startPlane({ directory, flags: { controllers: "false", ...flags, ...config, ...more } });
  try {
    await plane.ready;
    return await act(createClient(plane), plane);
  } finally {
    await plane.stop();
  }
}

function write(directory: string, providers: Providers): string {
  const path = join(directory, "encryption.yaml");
  const resources = [{ resources: ["secrets", "books.library.example.com"], providers }];
  const document = { apiVersion: "apiserver.config.k8s.io/v1", kind: "EncryptionConfiguration", resources };
  writeFileSync(path, stringify(document));
  return path;
}

async function stored(backend: Backend, key: string): Promise<string> {
  const store = await backend.open();
  try {
    return Buffer.from((await store.get(`/registry/${key}`))?.value ?? []).toString("latin1");
  } finally {
    await store.close();
  }
}

const secret = (name: string) => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name },
  stringData: { password: "correct horse" },
});
const PASSWORD = Buffer.from("correct horse").toString("base64");

const backends: [string, boolean, (directory: string) => Promise<{ backend: Backend; stop: () => Promise<void> }>][] = [
  [
    "the embedded store",
    true,
    async (directory) => ({
      backend: { flags: {}, open: async () => openEmbeddedStore(join(directory, "data")) },
      stop: async () => undefined,
    }),
  ],
  [
    "etcd",
    available,
    async () => {
      const etcd = await EtcdProcess.start();
      return {
        backend: {
          flags: { "etcd-servers": etcd.endpoint },
          open: () => EtcdStore.connect({ endpoints: [etcd.endpoint] }),
        },
        stop: async () => void (await etcd.stop()),
      };
    },
  ],
];

describe.each(backends)("in %s", (_name, runs, start) => {
  it.runIf(runs)(
    "secrets are encrypted, keys can be rotated, and values that no key decrypts affect no other objects",
    async () => {
      const directory = temporaryDirectory();
      const { backend, stop } = await start(directory);
      try {
        const old: Providers = [{ aesgcm: keys(["old", 1]) }, { identity: {} }];
        const rotated: Providers = [{ secretbox: keys(["new", 2]) }, { aesgcm: keys(["old", 1]) }, { identity: {} }];

        await during(directory, backend, undefined, async (call) => {
          expect((await call("POST", SECRETS, { body: secret("before") })).status).toBe(201);
        });
        expect(await stored(backend, "secrets/default/before")).toContain("password");

        await during(directory, backend, old, async (call) => {
          expect((await call("POST", SECRETS, { body: secret("first") })).body.data.password).toBe(PASSWORD);
          expect((await call("GET", SECRETS)).body.items).toHaveLength(2);
          const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "plain" }, data: { a: "visible" } };
          expect((await call("POST", MAPS, { body: map })).status).toBe(201);
        });
        const first = await stored(backend, "secrets/default/first");
        expect(first.startsWith("k8s:enc:aesgcm:v1:old:")).toBe(true);
        expect(first).not.toContain("password");
        expect(await stored(backend, "secrets/default/before")).toContain("password");
        expect(await stored(backend, "configmaps/default/plain")).toContain("visible");

        await during(directory, backend, rotated, async (call) => {
          const read = await call("GET", `${SECRETS}/first`);
          expect(read.body.data.password).toBe(PASSWORD);
          // A write without changes still encrypts the value with the current key.
          const written = await call("PUT", `${SECRETS}/first`, { body: read.body });
          expect(written.status).toBe(200);
          expect(written.body.metadata.resourceVersion).not.toBe(read.body.metadata.resourceVersion);
          const again = await call("PUT", `${SECRETS}/first`, { body: written.body });
          expect(again.body.metadata.resourceVersion).toBe(written.body.metadata.resourceVersion);
          expect((await call("POST", SECRETS, { body: secret("second") })).status).toBe(201);
        });
        expect((await stored(backend, "secrets/default/first")).startsWith("k8s:enc:secretbox:v1:new:")).toBe(true);

        await during(directory, backend, [{ aesgcm: keys(["other", 9]) }, { identity: {} }], async (call) => {
          const lost = await call("GET", `${SECRETS}/second`);
          expect(lost.status).toBe(500);
          expect(lost.text).not.toContain("correct");
          expect((await call("GET", `${SECRETS}/before`)).body.data.password).toBe(PASSWORD);
          expect((await call("GET", MAPS)).status).toBe(200);
          expect((await call("GET", "/readyz")).status).toBe(200);
        });

        await during(directory, backend, undefined, async (call) => {
          const lost = await call("GET", `${SECRETS}/second`);
          expect(lost).toMatchObject({ status: 500, body: { reason: "StorageReadError" } });
          expect(lost.body.message).toMatch(
            /secrets.default.second: .*: identity transformer tried to read encrypted data$/,
          );
          expect((await call("GET", `${SECRETS}/before`)).body.data.password).toBe(PASSWORD);
        });
      } finally {
        await stop();
      }
    },
  );
});

describe("encryption", () => {
  const embedded = (directory: string): Backend => ({
    flags: {},
    open: async () => openEmbeddedStore(join(directory, "data")),
  });

  it("applies to custom objects, and to all stored objects after a migration", async () => {
    const directory = temporaryDirectory();
    const backend = embedded(directory);
    const titled = { type: "object", properties: { title: { type: "string" } } };
    const definition = customDefinition("books.library.example.com", "Book", titled);
    const book = { apiVersion: "library.example.com/v1", kind: "Book", metadata: { name: "one" }, title: "Emma" };
    const path = "/apis/library.example.com/v1/namespaces/default/books";
    await during(directory, backend, [{ aescbc: keys(["old", 1]) }], async (call) => {
      await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { body: definition });
      await expect.poll(async () => (await call("POST", path, { body: book })).status).toBe(201);
      expect((await call("GET", `${path}/one`)).body.title).toBe("Emma");
      await call("POST", SECRETS, { body: secret("first") });
    });
    expect((await stored(backend, "library.example.com/books/default/one")).startsWith("k8s:enc:aescbc:v1:old:")).toBe(
      true,
    );

    const config = write(directory, [{ aesgcm: keys(["new", 2]) }, { aescbc: keys(["old", 1]) }]);
    const lines: string[] = [];
    const code = await migrateStorageCommand(
      ["--data-dir", join(directory, "data"), "--encryption-provider-config", config],
      { stdin: () => "", out: (text) => void lines.push(text), err: (text) => void lines.push(text) },
      registry,
    );
    expect(lines.join("")).toContain("secrets: 1 of 1 rewritten");
    expect(code).toBe(0);
    expect((await stored(backend, "secrets/default/first")).startsWith("k8s:enc:aesgcm:v1:new:")).toBe(true);
  });

  it("accepts a new key while the server runs", async () => {
    const directory = temporaryDirectory();
    const backend = embedded(directory);
    const reload = { "encryption-provider-config-automatic-reload": "true" };
    const act = async (call: ReturnType<typeof createClient>) => {
      await call("POST", SECRETS, { body: secret("first") });
      write(directory, [{ aesgcm: keys(["new", 2]) }, { aesgcm: keys(["old", 1]) }]);
      await expect
        .poll(
          async () => {
            const { body } = await call("GET", `${SECRETS}/first`);
            const written = await call("PUT", `${SECRETS}/first`, { body });
            return written.body.metadata.resourceVersion !== body.metadata.resourceVersion;
          },
          { timeout: 120_000 },
        )
        .toBe(true);
    };
    await during(directory, backend, [{ aesgcm: keys(["old", 1]) }], act, reload);
    expect((await stored(backend, "secrets/default/first")).startsWith("k8s:enc:aesgcm:v1:new:")).toBe(true);
  });

  it("by a plugin of KMS v1 is refused unless the gate KMSv1 is on, as are flags that contradict each other", async () => {
    const directory = temporaryDirectory();
    const path = write(directory, [{ kms: { name: "vault", endpoint: "unix:///run/vault.sock" } }]);
    await expect(startPlane({ flags: { "encryption-provider-config": path } })).rejects.toThrow(
      "resources[0].providers[0].kms.apiVersion: Forbidden: KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.",
    );
    await expect(startPlane({ flags: { "encryption-provider-config-automatic-reload": "true" } })).rejects.toThrow(
      "--encryption-provider-config-automatic-reload must be set with --encryption-provider-config",
    );
  });

  it.runIf(available)("that a kube-apiserver did is read", async () => {
    const directory = temporaryDirectory();
    const etcd = await EtcdProcess.start();
    const backend = {
      flags: { "etcd-servers": etcd.endpoint },
      open: () => EtcdStore.connect({ endpoints: [etcd.endpoint] }),
    };
    try {
      await during(directory, backend, undefined, (call) => call("POST", SECRETS, { body: secret("theirs") }));
      const store = await backend.open();
      const key = "/registry/secrets/default/theirs";
      const entry = await store.get(key);
      if (entry === undefined) throw new Error("it was not stored");
      expect(Buffer.from(entry.value).subarray(0, 4).toString("latin1")).toBe("k8s\0");
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", Buffer.alloc(32, 7), nonce).setAAD(Buffer.from(key));
      const sealed = [
        Buffer.from("k8s:enc:aesgcm:v1:k:"),
        nonce,
        cipher.update(entry.value),
        cipher.final(),
        cipher.getAuthTag(),
      ];
      await store.put(key, Buffer.concat(sealed), { expected: entry.modRevision });
      await store.close();
      await during(directory, backend, [{ aesgcm: keys(["k", 7]) }], async (call) => {
        expect((await call("GET", `${SECRETS}/theirs`)).body.data.password).toBe(PASSWORD);
      });
    } finally {
      await etcd.stop();
    }
  });
});
