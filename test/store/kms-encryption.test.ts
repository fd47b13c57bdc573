import { createCipheriv, createHmac, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { startPlane } from "../../runtime/plane.ts";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { envelopeCodec } from "../../runtime/store/encryption/kms/kms-messages.ts";
import { seedCipher } from "../../runtime/store/encryption/kms/seed-cipher.ts";
import { startKmsPlugin } from "../fixtures/kms-plugin.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const SECRETS = "/api/v1/namespaces/default/secrets";
const KEY = "/registry/secrets/default/a";
const PREFIX = "k8s:enc:kms:v2:vault:";
const SECRET = { apiVersion: "v1", kind: "Secret", metadata: { name: "a" }, stringData: { password: "correct horse" } };
const PASSWORD = Buffer.from("correct horse").toString("base64");

async function during(
  directory: string,
  endpoint: string,
  act: (call: ReturnType<typeof createClient>) => Promise<void>,
): Promise<void> {
  const file = join(directory, "encryption.yaml");
  const providers = [{ kms: { apiVersion: "v2", name: "vault", endpoint, timeout: "1s" } }, { identity: {} }];
  const resources = [{ resources: ["secrets"], providers }];
  writeFileSync(
    file,
    stringify({ apiVersion: "apiserver.config.k8s.io/v1", kind: "EncryptionConfiguration", resources }),
  );
  const plane = await startPlane({ directory, flags: { controllers: "false", "encryption-provider-config": file } });
  try {
    await plane.ready;
    await act(createClient(plane));
  } finally {
    await plane.stop();
  }
}

async function storedValue(directory: string): Promise<Buffer> {
  const store = openEmbeddedStore(join(directory, "data"));
  const entry = await (await store).get(KEY);
  await (await store).close();
  return Buffer.from(entry?.value ?? []);
}

describe("a value encrypted with a plugin's key", () => {
  it("is derived from a seed as Kubernetes derives it", () => {
    const seed = Buffer.alloc(32, 5);
    const [info, nonce] = [randomBytes(32), randomBytes(12)];
    const key = createHmac("sha256", seed)
      .update(Buffer.concat([info, Buffer.from([1])]))
      .digest();
    const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(KEY));
    const sealed = Buffer.concat([info, nonce, cipher.update("a value"), cipher.final(), cipher.getAuthTag()]);
    expect(Buffer.from(seedCipher(seed).decrypt(sealed, KEY)).toString()).toBe("a value");
    expect(() => seedCipher(seed).decrypt(sealed, `${KEY}b`)).toThrow("message authentication failed");
  });

  it("is stored with the wrapped seed; the plugin is called once per seed", async () => {
    const directory = temporaryDirectory();
    const plugin = await startKmsPlugin(join(directory, "kms.sock"));
    try {
      await during(directory, plugin.endpoint, async (call) => {
        expect((await call("POST", SECRETS, { body: SECRET })).body.data.password).toBe(PASSWORD);
        expect((await call("GET", `${SECRETS}/a`)).body.data.password).toBe(PASSWORD);
        expect(plugin.state.calls).toEqual(["Status", "Encrypt"]);
        expect((await call("GET", "/readyz/kms-provider-0")).status).toBe(200);
        expect((await call("GET", "/livez/kms-provider-0")).status).toBe(404);
      });
      const value = await storedValue(directory);
      expect(value.subarray(0, PREFIX.length).toString()).toBe(PREFIX);
      expect(value.toString("latin1")).not.toContain("password");
      const envelope = envelopeCodec.deserialize(value.subarray(PREFIX.length));
      expect(envelope).toMatchObject({ keyID: "key-1", encryptedDEKSourceType: 1 });
      expect(Object.keys(envelope.annotations)).toEqual(["kms.example.com/by"]);

      plugin.state.calls.length = 0;
      plugin.rotate("key-2");
      await during(directory, plugin.endpoint, async (call) => {
        const read = await call("GET", `${SECRETS}/a`);
        expect(read.body.data.password).toBe(PASSWORD);
        expect(plugin.state.calls).toEqual(["Status", "Encrypt", "Decrypt"]);
        // The key has changed, so a write without changes encrypts the value with the new one.
        const written = await call("PUT", `${SECRETS}/a`, { body: read.body });
        expect(written.body.metadata.resourceVersion).not.toBe(read.body.metadata.resourceVersion);
      });
      const rewritten = envelopeCodec.deserialize((await storedValue(directory)).subarray(PREFIX.length));
      expect(rewritten.keyID).toBe("key-2");
    } finally {
      plugin.stop();
    }
  });

  it("cannot be read or written while the plugin is unavailable, and /readyz fails", async () => {
    const directory = temporaryDirectory();
    const socket = join(directory, "kms.sock");
    const first = await startKmsPlugin(socket);
    await during(directory, first.endpoint, async (call) => {
      expect((await call("POST", SECRETS, { body: SECRET })).status).toBe(201);
    });
    first.stop();
    await during(directory, first.endpoint, async (call) => {
      expect((await call("GET", "/readyz")).status).toBe(500);
      expect((await call("GET", "/livez")).status).toBe(200);
      const written = await call("POST", SECRETS, { body: { ...SECRET, metadata: { name: "b" } } });
      expect(written.status).toBe(503);
      expect(written.body.message).toContain("the KMS plugin vault is not healthy");
      const maps = "/api/v1/namespaces/default/configmaps";
      const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" } };
      expect((await call("POST", maps, { body: map })).status).toBe(201);
    });
  });

  it("that the plugin cannot decrypt is reported as a corrupt object", async () => {
    const directory = temporaryDirectory();
    const plugin = await startKmsPlugin(join(directory, "kms.sock"));
    try {
      await during(directory, plugin.endpoint, async (call) => {
        await call("POST", SECRETS, { body: SECRET });
      });
      plugin.rotate("key-2");
      plugin.state.known.delete("key-1");
      await during(directory, plugin.endpoint, async (call) => {
        const lost = await call("GET", `${SECRETS}/a`);
        expect(lost.status).toBe(500);
        expect(lost.body.message).toContain("failed to decrypt DEK, error: no such key");
        expect((await call("POST", SECRETS, { body: { ...SECRET, metadata: { name: "b" } } })).status).toBe(201);
        expect((await call("GET", `${SECRETS}/b`)).body.data.password).toBe(PASSWORD);
      });
    } finally {
      plugin.stop();
    }
  });
});
