import { expect, it } from "vitest";
import { ContinueTokens } from "../../runtime/watch/continue-token.ts";

const scope = "/registry/pods/";
const tokens = new ContinueTokens(Buffer.from("secret"));

it("carries a revision and a place, opaque and safe in a URL", () => {
  const token = tokens.encode({ revision: 42, startAfter: `${scope}default/ä`, delivered: 7 }, scope);
  expect(token).toMatch(/^[\w-]+$/);
  expect(tokens.decode(token, scope)).toEqual({ revision: 42, startAfter: `${scope}default/ä`, delivered: 7 });
});

it("is accepted by every server that has the same secret, and stays inside the list it is used with", () => {
  const token = tokens.encode({ revision: 1, startAfter: `${scope}a` }, scope);
  const elsewhere = new ContinueTokens(Buffer.from("secret")).decode(token, "/registry/nodes/");
  expect(elsewhere.startAfter).toBe("/registry/nodes/a");
});

it("is refused when it was changed in any place, made up, or signed with another secret", () => {
  const token = tokens.encode({ revision: 42, startAfter: `${scope}default/a` }, scope);
  const mangled = Array.from(
    token,
    (letter, i) => token.slice(0, i) + (letter === "A" ? "B" : "A") + token.slice(i + 1),
  );
  const foreign = new ContinueTokens(Buffer.from("other")).encode({ revision: 42, startAfter: `${scope}a` }, scope);
  const kubernetes = Buffer.from('{"v":"meta.k8s.io/v1","rv":5,"start":"a"}').toString("base64url");
  for (const bad of [...mangled, foreign, kubernetes, "", "%", `${token}=`, token.slice(1)]) {
    expect(() => tokens.decode(bad, scope)).toThrow(/^invalid continue token: continue key is not valid/);
  }
});
