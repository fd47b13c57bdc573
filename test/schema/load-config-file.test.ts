import { describe, expect, it } from "vitest";
import { registry } from "../../generated/registry.ts";
import { ConfigFileLoader } from "../../runtime/schema/load-config-file.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";

const loader = new ConfigFileLoader(createSchemas(registry.createTypeSource()), registry.readConfigKinds);
const load = (text: string, ...wanted: string[]) => loader.load("conf.yaml", text, wanted);
const message = (text: string, ...wanted: string[]) => {
  try {
    load(text, ...wanted);
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

const ENCRYPTION = `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets]
  providers:
  - identity: {}
`;

describe("configuration files", () => {
  it("are read by their apiVersion and kind", () => {
    const { kind, object } = load(ENCRYPTION, "EncryptionConfiguration");
    expect(kind.type).toBe("apiserver/v1.EncryptionConfiguration");
    expect(object).toMatchObject({ resources: [{ resources: ["secrets"], providers: [{ identity: {} }] }] });
  });

  it("may have an older apiVersion", () => {
    const old = ENCRYPTION.replace("apiserver.config.k8s.io/v1", "v1").replace(
      "EncryptionConfiguration",
      "EncryptionConfig",
    );
    expect(load(old, "EncryptionConfig").kind.type).toBe("apiserver/v1.EncryptionConfiguration");
  });

  it("must not have unknown or duplicate fields", () => {
    const text = `${ENCRYPTION}resorces: []\nkind: EncryptionConfiguration\n`;
    const lines = message(text, "EncryptionConfiguration");
    expect(lines).toContain('key "kind" already set in map');
    expect(lines).toContain('conf.yaml: unknown field "resorces"');
    expect(message(`${ENCRYPTION}resorces: []\n`, "EncryptionConfiguration")).toBe(
      'conf.yaml: unknown field "resorces"',
    );
  });

  it.each([
    ["kind: [", "conf.yaml: "],
    ["just text", "conf.yaml: it must be an object with apiVersion and kind"],
    [
      "resources: []",
      "conf.yaml: apiVersion and kind are missing; expected apiserver.config.k8s.io/v1 EncryptionConfiguration",
    ],
    [
      ENCRYPTION.replace("EncryptionConfiguration", "EncryptionConfigration"),
      'cannot be used here (did you mean "apiserver.config.k8s.io/v1 EncryptionConfiguration"?)',
    ],
    [ENCRYPTION.replace("[secrets]", "7"), "conf.yaml: json: cannot unmarshal number"],
  ])("are refused with their name: %s", (text, expected) => {
    expect(message(text, "EncryptionConfiguration")).toContain(expected);
  });

  it("of every declared kind can be read", () => {
    for (const { group, version, kind } of registry.readConfigKinds()) {
      const apiVersion = group === "" ? version : `${group}/${version}`;
      expect(load(`{"apiVersion": "${apiVersion}", "kind": "${kind}"}`, kind).kind.kind).toBe(kind);
    }
  });
});
