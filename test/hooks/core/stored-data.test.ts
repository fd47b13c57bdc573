import { describe, expect, it } from "vitest";
import { hooks as configMapHooks } from "../../../api-definitions/core/v1/config-map.hooks.ts";
import { hooks as secretHooks } from "../../../api-definitions/core/v1/secret.hooks.ts";
import type { Secret } from "../../../api-definitions/core/v1/secret.ts";
import { hooks as accountHooks } from "../../../api-definitions/core/v1/service-account.hooks.ts";
import { DEFAULT_CONTEXT } from "../../fixtures/default-context.ts";
import { prepared, problemsOf, problemsOfChange, warningsOf } from "./run-hooks.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("a config map", () => {
  it("must have unique keys that are valid file names", () => {
    expect(problemsOf(configMapHooks, { data: { a: "1", ".": "2" }, binaryData: { a: "AA==" } })).toEqual([
      'data[a]: Invalid value: "a": duplicate of key present in binaryData',
      "data[.]: Invalid value: \".\": must not be '.'",
    ]);
  });

  it("holds a mebibyte at most", () => {
    const half = "x".repeat(512 * 1024);
    expect(problemsOf(configMapHooks, { data: { a: half }, binaryData: { b: base64(half) } })).toEqual([]);
    expect(problemsOf(configMapHooks, { data: { a: half, c: "x" }, binaryData: { b: base64(half) } })).toEqual([
      "[]: Too long: may not be more than 1048576 bytes",
    ]);
  });

  it("cannot be changed once it is immutable", () => {
    const frozen = { immutable: true, data: { a: "1" } };
    expect(problemsOfChange(configMapHooks, { data: { a: "2" } }, frozen)).toEqual([
      "immutable: Forbidden: field is immutable when `immutable` is set",
      "data: Forbidden: field is immutable when `immutable` is set",
    ]);
    expect(problemsOfChange(configMapHooks, frozen, { data: {} })).toEqual([]);
  });
});

describe("a secret", () => {
  it("takes text as data", () => {
    const secret = { data: { a: "AA==", b: "AA==" }, stringData: { a: "x", c: "ü" } } as Secret;
    secretHooks.default?.(secret, DEFAULT_CONTEXT);
    expect(secret).toEqual({ data: { a: base64("x"), b: "AA==", c: base64("ü") } });
  });

  it.each<[string, Record<string, string>, string[]]>([
    ["Opaque", {}, []],
    ["example.com/own", {}, []],
    [
      "kubernetes.io/service-account-token",
      {},
      ["metadata.annotations[kubernetes.io/service-account.name]: Required value"],
    ],
    ["kubernetes.io/dockercfg", {}, ["data[.dockercfg]: Required value"]],
    [
      "kubernetes.io/dockercfg",
      { ".dockercfg": base64("[]") },
      [
        'data[.dockercfg]: Invalid value: "<secret contents redacted>": json: cannot unmarshal array into Go value of type map[string]interface {}',
      ],
    ],
    [
      "kubernetes.io/dockerconfigjson",
      { ".dockerconfigjson": base64("{") },
      ['data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": unexpected end of JSON input'],
    ],
    ["kubernetes.io/dockerconfigjson", { ".dockerconfigjson": base64('{"auths":{}}') }, []],
    ["kubernetes.io/basic-auth", {}, ["data[username]: Required value", "data[password]: Required value"]],
    ["kubernetes.io/basic-auth", { password: "" }, []],
    ["kubernetes.io/ssh-auth", { "ssh-privatekey": "" }, ["data[ssh-privatekey]: Required value"]],
    ["kubernetes.io/tls", { "tls.crt": "" }, ["data[tls.key]: Required value"]],
  ])("of type %s with %j", (type, data, expected) => {
    expect(problemsOf(secretHooks, { type, data })).toEqual(expected);
  });

  it("returns a warning for an invalid key pair", () => {
    const secret = { type: "kubernetes.io/tls", data: { "tls.crt": base64("x"), "tls.key": "" } };
    expect(warningsOf(secretHooks, secret)).toEqual(["tls: failed to find any PEM data in certificate input"]);
  });
});

describe("a service account", () => {
  it("keeps names of secrets only", () => {
    const account = { secrets: [{ kind: "Secret", namespace: "there", name: "a" }] };
    expect(prepared(accountHooks, account)).toEqual({ secrets: [{ name: "a" }] });
  });

  it("returns a warning when it starts to enforce mountable secrets", () => {
    const account = { metadata: { annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } } };
    expect(warningsOf(accountHooks, account)).toHaveLength(1);
    expect(warningsOf(accountHooks, account, account)).toEqual([]);
  });
});
