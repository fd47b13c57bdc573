import { createCipheriv, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkEncryption } from "../../runtime/store/encryption/check-encryption.ts";
import { secretbox } from "../../runtime/store/encryption/ciphers.ts";
import type { ProviderConfiguration } from "../../runtime/store/encryption/encryption-configuration.ts";
import { ResourceEncryption } from "../../runtime/store/encryption/resource-encryption.ts";

const KEY = "/registry/secrets/default/a";
const TEXT = Buffer.from("k8s\0 a value");
const secret = (byte: number, size = 32) => Buffer.alloc(size, byte).toString("base64");
const keys = (...names: [string, number][]) => ({
  keys: names.map(([name, byte]) => ({ name, secret: secret(byte) })),
});
const noPlugins = () => {
  throw new Error("there are no plugins here");
};
const transformer = (providers: ProviderConfiguration[], resource = "secrets") =>
  new ResourceEncryption({ resources: [{ resources: [resource], providers }] }, noPlugins).transformerFor(
    "",
    "secrets",
  );
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

describe("an encrypted value", () => {
  it.each([
    ["aesgcm", "k8s:enc:aesgcm:v1:key1:", 12 + 16],
    ["aescbc", "k8s:enc:aescbc:v1:key1:", 16 + 4],
    ["secretbox", "k8s:enc:secretbox:v1:key1:", 24 + 16],
  ])("by %s says so, and opens", (kind, prefix, overhead) => {
    const { seal, open } = transformer([{ [kind]: keys(["key1", 1]) }]);
    const sealed = seal(KEY, TEXT);
    expect(text(sealed).startsWith(prefix)).toBe(true);
    expect(sealed.length).toBe(prefix.length + TEXT.length + overhead);
    expect(text(sealed)).not.toContain("a value");
    expect(seal(KEY, TEXT)).not.toEqual(sealed);
    expect(text(open(KEY, sealed).value)).toBe(text(TEXT));
    expect(open(KEY, sealed).stale).toBe(false);
  });

  it("has the layout of Kubernetes", () => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", Buffer.alloc(32, 1), nonce).setAAD(Buffer.from(KEY));
    const body = Buffer.concat([nonce, cipher.update(TEXT), cipher.final(), cipher.getAuthTag()]);
    const sealed = Buffer.concat([Buffer.from("k8s:enc:aesgcm:v1:key1:"), body]);
    expect(transformer([{ aesgcm: keys(["key1", 1]) }]).open(KEY, sealed).value).toEqual(TEXT);
    // The vector that NaCl itself publishes for its secret boxes.
    const box = secretbox(Buffer.from("1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389", "hex"));
    const published = Buffer.from(
      "69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37" +
        "f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186ac0dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae90224368517acfeabd6bb3732bc0e9da99832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74e355a5",
      "hex",
    );
    expect(Buffer.from(box.decrypt(published, "")).toString("hex")).toBe(
      "be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c61296cdc3c01233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd4924ca1c60902e52f0a089bc76897040e082f937763848645e0705",
    );
  });

  it("cannot be moved to another key, changed or cut", () => {
    const { seal, open } = transformer([{ aesgcm: keys(["key1", 1]) }]);
    const sealed = Buffer.from(seal(KEY, TEXT));
    expect(() => open(`${KEY}b`, sealed)).toThrow("cipher: message authentication failed");
    sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1);
    expect(() => open(KEY, sealed)).toThrow("cipher: message authentication failed");
    expect(() => open(KEY, sealed.subarray(0, 30))).toThrow("the stored data was shorter than the required size");
    expect(() =>
      transformer([{ secretbox: keys(["key1", 2]) }]).open(
        KEY,
        transformer([{ secretbox: keys(["key1", 1]) }]).seal(KEY, TEXT),
      ),
    ).toThrow("the stored data was not sealed with this key");
  });

  it("is stale unless the first key of the first provider wrote it", () => {
    const rotated = transformer([{ aesgcm: keys(["new", 2], ["old", 1]) }, { identity: {} }]);
    expect(rotated.open(KEY, transformer([{ aesgcm: keys(["old", 1]) }]).seal(KEY, TEXT))).toEqual({
      value: TEXT,
      stale: true,
    });
    expect(rotated.open(KEY, TEXT)).toEqual({ value: TEXT, stale: true });
    expect(rotated.open(KEY, rotated.seal(KEY, TEXT)).stale).toBe(false);
    const away = transformer([{ identity: {} }, { aesgcm: keys(["new", 2]) }]);
    expect(away.seal(KEY, TEXT)).toEqual(TEXT);
    expect(away.open(KEY, rotated.seal(KEY, TEXT))).toEqual({ value: TEXT, stale: true });
  });

  it("may have been written by another key of the same name", () => {
    const both = transformer([
      { aescbc: keys(["key", 2]) },
      { aesgcm: keys(["key", 3]) },
      { aesgcm: keys(["key", 1]) },
    ]);
    expect(both.open(KEY, transformer([{ aesgcm: keys(["key", 1]) }]).seal(KEY, TEXT)).value).toEqual(TEXT);
  });

  it("is not read as plaintext", () => {
    const sealed = transformer([{ aesgcm: keys(["key1", 1]) }]).seal(KEY, TEXT);
    expect(() => transformer([{ identity: {} }]).open(KEY, sealed)).toThrow("no matching prefix found");
    expect(() => transformer([{ aesgcm: keys(["key1", 1]) }], "configmaps").open(KEY, sealed)).toThrow(
      "identity transformer tried to read encrypted data",
    );
    expect(() => transformer([{ aesgcm: keys(["key1", 1]) }]).open(KEY, TEXT)).toThrow("no matching prefix found");
  });
});

describe("rules", () => {
  const encryption = new ResourceEncryption(
    {
      resources: [
        { resources: ["secrets", "books.library.example.com"], providers: [{ aesgcm: keys(["named", 1]) }] },
        { resources: ["*.apps"], providers: [{ aesgcm: keys(["apps", 1]) }] },
        { resources: ["*."], providers: [{ aesgcm: keys(["core", 1]) }] },
        { resources: ["*.*"], providers: [{ aesgcm: keys(["all", 1]) }] },
      ],
    },
    noPlugins,
  );

  it.each([
    ["", "secrets", "named"],
    ["library.example.com", "books", "named"],
    ["apps", "deployments", "apps"],
    ["", "pods", "core"],
    ["library.example.com", "loans", "all"],
  ])("for %s/%s are those of %s", (group, resource, name) => {
    expect(text(encryption.transformerFor(group, resource).seal(KEY, TEXT))).toContain(`k8s:enc:aesgcm:v1:${name}:`);
  });

  it("can be replaced while transformers are in use", () => {
    const changing = new ResourceEncryption({ resources: null }, noPlugins);
    const secrets = changing.transformerFor("", "secrets");
    expect(secrets.seal(KEY, TEXT)).toEqual(TEXT);
    changing.change({ resources: [{ resources: ["secrets"], providers: [{ aesgcm: keys(["later", 1]) }] }] });
    expect(text(secrets.seal(KEY, TEXT))).toContain(":later:");
  });
});

describe("an encryption configuration", () => {
  const problems = (...resources: { resources: string[] | null; providers: ProviderConfiguration[] | null }[]) =>
    checkEncryption({ resources }, "k8s.io").map(({ field, message }) => `${field}: ${message}`);
  const plain = [{ identity: {} }];
  const names = (...list: string[]) => problems({ resources: list, providers: plain });
  const provider = (one: ProviderConfiguration) => problems({ resources: ["secrets"], providers: [one] });

  it("may name resources, all resources of a group, or all resources", () => {
    expect(
      problems({ resources: ["secrets", "*.apps"], providers: plain }, { resources: ["*.*"], providers: plain }),
    ).toEqual([]);
  });

  it("reports missing fields", () => {
    expect(problems()).toEqual(["resources: Required value: at least one resources is required"]);
    expect(problems({ resources: null, providers: null })).toEqual([
      "resources[0].resources: Required value: at least one resources[0].resources is required",
      "resources[0].providers: Required value: at least one resources[0].providers is required",
    ]);
  });

  it.each([
    [["Secrets"], '[0]: Invalid value: "Secrets": resource name should not contain capital letters'],
    [
      ["*"],
      "[0]: Invalid value: \"*\": use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources",
    ],
    [
      ["serviceipallocations"],
      '[0]: Invalid value: "serviceipallocations": resources which do not have REST API/s cannot be encrypted',
    ],
    [
      ["events.events.k8s.io"],
      "[0]: Invalid value: \"events.events.k8s.io\": '*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file",
    ],
    [
      ["ingresses.extensions"],
      "[0]: Invalid value: \"ingresses.extensions\": 'extensions' group has been removed and cannot be used for encryption",
    ],
    [["secrets.*"], '[0]: Invalid value: "secrets.*": encrypting the same resource across groups is not supported'],
    [
      ["secrets", "secrets"],
      ': Invalid value: []string{"secrets", "secrets"}: the same resource cannot be specified multiple times',
    ],
    [
      ["secrets", "*."],
      ": Invalid value: []string{\"secrets\", \"*.\"}: using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked",
    ],
    [
      ["*.*", "deployments.apps"],
      ": Invalid value: []string{\"*.*\", \"deployments.apps\"}: using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked",
    ],
  ])("refuses the resources %j", (list, problem) => {
    expect(names(...list)).toEqual([`resources[0].resources${problem}`]);
  });

  it("rejects rules that an earlier wildcard makes useless", () => {
    expect(problems({ resources: ["*."], providers: plain }, { resources: ["secrets"], providers: plain })).toEqual([
      'resources[1].resources[0]: Invalid value: "secrets": resource "secrets" is masked by earlier rule "*."',
    ]);
  });

  it.each([
    [
      {},
      "Invalid value: provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity",
    ],
    [
      { identity: {}, aesgcm: keys(["a", 1]) },
      "Invalid value: more than one provider specified in a single element, should split into different list elements",
    ],
  ])("refuses the provider %j", (one, problem) => {
    expect(provider(one)).toEqual([`resources[0].providers[0]: ${problem}`]);
  });

  it.each([
    [{ aesgcm: { keys: null } }, "aesgcm.keys: Required value: at least one keys is required"],
    [
      { aesgcm: { keys: [{ name: "", secret: secret(1) }] } },
      "aesgcm.keys[0].name: Required value: name is a mandatory field for a key",
    ],
    [
      { aesgcm: { keys: [{ name: "a", secret: "" }] } },
      "aesgcm.keys[0].secret: Required value: secret is a mandatory field for a key",
    ],
    [
      { aesgcm: { keys: [{ name: "a", secret: "not base64!" }] } },
      'aesgcm.keys[0].secret: Invalid value: "REDACTED": secrets must be base64 encoded',
    ],
    [
      { aesgcm: { keys: [{ name: "a", secret: secret(1, 8) }] } },
      'aesgcm.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 8, expected one of [16 24 32]',
    ],
    [
      { aescbc: { keys: [{ name: "a", secret: secret(1, 16) }] } },
      'aescbc.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 16, expected one of [32]',
    ],
    [
      { secretbox: { keys: [{ name: "a", secret: secret(1, 16) }] } },
      'secretbox.keys[0].secret: Invalid value: "REDACTED": secret is not of the expected length, got 16, expected one of [32]',
    ],
    [
      { kms: { apiVersion: "v2", name: "a:b", endpoint: "unix:///x" } },
      "kms.name: Invalid value: \"a:b\": invalid KMS provider name a:b, must not contain ':'",
    ],
    [
      { kms: { apiVersion: "v2", name: "a", endpoint: "tcp://x" } },
      'kms.endpoint: Invalid value: "tcp://x": unsupported scheme "tcp" for KMS provider, only unix is supported',
    ],
    [
      { kms: { apiVersion: "v2", name: "a", endpoint: "unix:///x", cachesize: 1 } },
      "kms.cachesize: Invalid value: 1: cachesize is not supported in v2",
    ],
    [
      { kms: { apiVersion: "v2", name: "a", endpoint: "unix:///x", timeout: "0s" } },
      'kms.timeout: Invalid value: "0s": timeout should be a positive value',
    ],
  ])("refuses keys %#", (one, problem) => {
    expect(provider(one)).toEqual([`resources[0].providers[0].${problem}`]);
  });
});
