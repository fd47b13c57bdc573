import { createCipheriv, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { startPlane } from "../../runtime/plane.ts";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { aesGcm } from "../../runtime/store/encryption/ciphers.ts";
import { KmsV1Plugin } from "../../runtime/store/encryption/kms/kms-v1-plugin.ts";
import { startKmsPlugin, startKmsV1Plugin } from "../fixtures/kms-plugin.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { ManualClock } from "../watch/manual-clock.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const SECRETS = "/api/v1/namespaces/default/secrets";
const PASSWORD = Buffer.from("correct horse").toString("base64");
const keyOf = (name: string) => `/registry/secrets/default/${name}`;

async function withStore<T>(
  directory: string,
  act: (store: Awaited<ReturnType<typeof openEmbeddedStore>>) => Promise<T>,
): Promise<T> {
  const store = await openEmbeddedStore(join(directory, "data"));
  try {
    return await act(store);
  } finally {
    await store.close();
  }
}

const prefixOf = (directory: string, name: string) =>
  withStore(directory, async (store) => {
    const value = Buffer.from((await store.get(keyOf(name)))?.value ?? []).toString("latin1");
    return value.split(":").slice(0, 5).join(":");
  });

async function during(
  directory: string,
  providers: readonly object[],
  act: (call: ReturnType<typeof createClient>) => Promise<void>,
): Promise<void> {
  const file = join(directory, "encryption.yaml");
  const resources = [{ resources: ["secrets"], providers: [...providers, { identity: {} }] }];
  writeFileSync(
    file,
    stringify({ apiVersion: "apiserver.config.k8s.io/v1", kind: "EncryptionConfiguration", resources }),
  );
  const flags = { controllers: "false", "encryption-provider-config": file, "feature-gates": "KMSv1=true" };
  const plane = await startPlane({ directory, flags });
  try {
    await plane.ready;
    await act(createClient(plane));
  } finally {
    await plane.stop();
  }
}

/** A Secret as kube-apiserver stores it with KMS v1; until 1.24 it encrypted with CBC. */
function writtenByKubernetes(name: string, mode: "gcm" | "cbc", wrap: (key: Uint8Array) => Buffer): Buffer {
  const metadata = { name, namespace: "default", uid: `uid-${name}`, creationTimestamp: "2022-05-03T00:00:00Z" };
  const text = JSON.stringify({
    kind: "Secret",
    apiVersion: "v1",
    metadata,
    data: { password: PASSWORD },
    type: "Opaque",
  });
  const key = randomBytes(32);
  let data: Uint8Array;
  if (mode === "gcm") data = aesGcm(key).encrypt(Buffer.from(text), keyOf(name));
  else {
    const first = randomBytes(16);
    const cipher = createCipheriv("aes-256-cbc", key, first);
    data = Buffer.concat([first, cipher.update(text), cipher.final()]);
  }
  const wrapped = wrap(key);
  return Buffer.concat([Buffer.from("k8s:enc:kms:v1:vault:"), Buffer.from([0, wrapped.length]), wrapped, data]);
}

describe("values that Kubernetes encrypted with KMS v1", () => {
  it("are read, written again with GCM, and moved to KMS v2", async () => {
    const directory = temporaryDirectory();
    const old = await startKmsV1Plugin(join(directory, "old.sock"));
    const next = await startKmsPlugin(join(directory, "next.sock"));
    const v1 = { kms: { name: "vault", endpoint: old.endpoint, timeout: "5s" } };
    const v2 = { kms: { apiVersion: "v2", name: "next", endpoint: next.endpoint, timeout: "5s" } };
    const rewrite = async (call: ReturnType<typeof createClient>, name: string): Promise<boolean> => {
      const { body } = await call("GET", `${SECRETS}/${name}`);
      const written = await call("PUT", `${SECRETS}/${name}`, { body });
      return written.body.metadata.resourceVersion !== body.metadata.resourceVersion;
    };
    try {
      await withStore(directory, async (store) => {
        for (const mode of ["gcm", "cbc"] as const)
          await store.put(keyOf(mode), writtenByKubernetes(mode, mode, old.wrap), { expected: 0 });
      });
      await during(directory, [v1], async (call) => {
        const { body } = await call("GET", SECRETS);
        expect(body.items.map((item: { data: object }) => item.data)).toEqual([
          { password: PASSWORD },
          { password: PASSWORD },
        ]);
        expect((await call("GET", "/readyz/kms-provider-0")).status).toBe(200);
        // Only values that were written with CBC are stale.
        expect([await rewrite(call, "gcm"), await rewrite(call, "cbc"), await rewrite(call, "cbc")]).toEqual([
          false,
          true,
          false,
        ]);
        const fresh = { metadata: { name: "fresh" }, stringData: { password: "correct horse" } };
        expect((await call("POST", SECRETS, { body: fresh })).status).toBe(201);
      });
      expect(await prefixOf(directory, "fresh")).toBe("k8s:enc:kms:v1:vault");
      await during(directory, [v2, v1], async (call) => {
        for (const name of ["gcm", "cbc", "fresh"]) {
          expect((await call("GET", `${SECRETS}/${name}`)).body.data.password).toBe(PASSWORD);
          expect(await rewrite(call, name)).toBe(true);
        }
      });
      expect(await prefixOf(directory, "fresh")).toBe("k8s:enc:kms:v2:next");
    } finally {
      old.stop();
      next.stop();
    }
  });

  it("need one call for each wrapped key that is not among the last `cachesize` ones, and one for each read if that is negative", async () => {
    const clock = new ManualClock();
    const asked: string[] = [];
    const open = (cacheSize: number) =>
      new KmsV1Plugin({
        name: "vault",
        clock,
        cacheSize,
        failed: () => undefined,
        client: {
          version: async () => "v1beta1",
          encrypt: async (key: Uint8Array) => key,
          decrypt: async (key: Uint8Array) => {
            asked.push(Buffer.from(key).toString("hex").slice(0, 2));
            return key;
          },
          close: () => undefined,
        } as unknown as ConstructorParameters<typeof KmsV1Plugin>[0]["client"],
      });
    const sealed = (byte: number): Uint8Array => {
      const key = Buffer.alloc(32, byte);
      return Buffer.concat([Buffer.from([0, 32]), key, aesGcm(key).encrypt(Buffer.from("value"), "/a")]);
    };
    const read = async (plugin: KmsV1Plugin, byte: number) => {
      const value = sealed(byte);
      await plugin.prepare(value);
      expect(Buffer.from(plugin.decrypt(value, "/a")).toString()).toBe("value");
      // Long enough that nothing is kept for running reads.
      await clock.advance(31_000);
      await clock.advance(31_000);
    };
    const cached = open(2);
    for (const byte of [1, 2, 1, 3, 1, 2]) await read(cached, byte);
    expect(asked.splice(0)).toEqual(["01", "02", "03", "02"]);
    const uncached = open(-1);
    await uncached.prepare(sealed(9));
    for (const byte of [4, 4, 5]) await read(uncached, byte);
    expect(asked).toEqual(["09", "04", "04", "05"]);
  });
});
