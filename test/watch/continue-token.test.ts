import { expect, it } from "vitest";
import { parseJson } from "../../runtime/encoding/json/parse-json.ts";
import { ContinueTokens } from "../../runtime/watch/continue-token.ts";

const scope = "/registry/pods/";
const tokens = new ContinueTokens(Buffer.from("secret"));

it("a continue token contains revision and start key and is safe in a URL", () => {
  const token = tokens.encode({ revision: 42, startAfter: `${scope}default/ä`, delivered: 7 }, scope);
  expect(token).toMatch(/^[\w-]+$/);
  expect(tokens.decode(token, scope)).toEqual({ revision: 42, startAfter: `${scope}default/ä`, delivered: 7 });
});

it("a continue token is accepted by servers with the same secret and only for keys of the list", () => {
  const token = tokens.encode({ revision: 1, startAfter: `${scope}a` }, scope);
  const elsewhere = new ContinueTokens(Buffer.from("secret")).decode(token, "/registry/nodes/");
  expect(elsewhere.startAfter).toBe("/registry/nodes/a");
});

it("a continue token is rejected if it was changed, truncated or signed with another secret", () => {
  const token = tokens.encode({ revision: 42, startAfter: `${scope}default/a`, delivered: 7 }, scope);
  const mangled = Array.from(
    token,
    (letter, i) => token.slice(0, i) + (letter === "A" ? "B" : "A") + token.slice(i + 1),
  );
  const foreign = new ContinueTokens(Buffer.from("other")).encode({ revision: 42, startAfter: `${scope}a` }, scope);
  const cut = Array.from(token, (_, i) => token.slice(0, i));
  for (const bad of [...mangled, ...cut, foreign, "", "%", `${token}=`, token.slice(1)]) {
    expect(() => tokens.decode(bad, scope)).toThrow(/^invalid continue token: continue key is not valid/);
  }
  const edited = { ...JSON.parse(Buffer.from(token, "base64url").toString()), rv: 43 };
  expect(() => tokens.decode(byHand(edited), scope)).toThrow("invalid continue token: continue key is not valid");
});

const byHand = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

it("a continue token has the fields of a Kubernetes token", () => {
  const token = tokens.encode({ revision: 42, startAfter: `${scope}default/a` }, scope);
  expect(JSON.parse(Buffer.from(token, "base64url").toString())).toMatchObject({
    v: "meta.k8s.io/v1",
    rv: 42,
    start: "default/a\u0000",
  });
});

it("a continue token of Kubernetes is accepted, starting at a key or after it", () => {
  const v = "meta.k8s.io/v1";
  expect(tokens.decode(byHand({ v, rv: 42, start: "default/a\u0000" }), scope)).toEqual({
    revision: 42,
    startAfter: `${scope}default/a`,
    delivered: undefined,
  });
  const { startAfter } = tokens.decode(byHand({ v, rv: 42, start: "b" }), scope);
  expect([`${scope}b`, startAfter, `${scope}az`].sort()).toEqual([`${scope}az`, startAfter, `${scope}b`]);
  expect(tokens.decode(byHand({ v, rv: -5, start: "b\u0000" }), scope).revision).toBe(-1);
});

it.each([
  [byHand({}), "server does not recognize this encoded version "],
  [byHand({ v: "v2", rv: 1, start: "a" }), "server does not recognize this encoded version v2"],
  [byHand({ v: "meta.k8s.io/v1", start: "a" }), "incorrect encoded start resourceVersion (version meta.k8s.io/v1)"],
  [byHand({ v: "meta.k8s.io/v1", rv: 1 }), "encoded start key empty (version meta.k8s.io/v1)"],
  [byHand({ v: "meta.k8s.io/v1", rv: 1, start: "../nodes/a" }), "../nodes/a"],
  [byHand({ v: 1 }), "json: cannot unmarshal number into Go struct field continueToken.v of type string"],
  [
    byHand({ v: "meta.k8s.io/v1", rv: 1.5, start: "a" }),
    "json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64",
  ],
  [
    byHand({ v: "meta.k8s.io/v1", rv: null, start: "a" }),
    "incorrect encoded start resourceVersion (version meta.k8s.io/v1)",
  ],
  [byHand(12), "json: cannot unmarshal number into Go value of type storage.continueToken"],
  [byHand([]), "json: cannot unmarshal array into Go value of type storage.continueToken"],
  ["a.b", "illegal base64 data at input byte 1"],
])("the error of the invalid continue token %s names the reason", (token, reason) => {
  expect(() => tokens.decode(token, scope)).toThrow(`invalid continue token: continue key is not valid: ${reason}`);
});

it("a continue token may have a revision of up to 64 bits", () => {
  const exact = new ContinueTokens(Buffer.from("secret"), (json) => parseJson(json).value);
  const decode = (rv: string) =>
    exact.decode(Buffer.from(`{"v":"meta.k8s.io/v1","rv":${rv},"start":"a"}`).toString("base64url"), scope);
  expect(decode("1152921504606846976").revision).toBe(2 ** 60);
  expect(decode("-1152921504606846976").revision).toBe(-1);
  expect(() => decode("9223372036854775808")).toThrow(
    "json: cannot unmarshal number 9223372036854775808 into Go struct field continueToken.rv of type int64",
  );
});
