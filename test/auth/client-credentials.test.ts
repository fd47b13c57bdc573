import { describe, expect, it } from "vitest";
import { createClientCredentials } from "../../runtime/auth/webhook/client-credentials.ts";

const users = (...names: string[]) => names.map((name) => ({ name, user: { token: name } }));
const kubeconfig = (names: string[], current = "") => ({
  "current-context": current,
  contexts: [{ name: "here", context: { cluster: "", user: "me" } }],
  clusters: null,
  users: users(...names),
});
const whoTo = (address: string, names: string[], current?: string) =>
  createClientCredentials("/etc/hooks", kubeconfig(names, current))(address)?.authorization();

describe("the credentials that the server sends to a webhook", () => {
  const service = "hooks.default.svc:443";

  it.each([
    [["hooks.default.svc:443", "hooks.default.svc", "*"], "hooks.default.svc:443"],
    [["*.default.svc:443", "hooks.default.svc", "*"], "*.default.svc:443"],
    [["hooks.default.svc", "*.svc", "*"], "hooks.default.svc"],
    [["*.svc", "*.default.svc", "*"], "*.default.svc"],
    [["*.svc", "*"], "*.svc"],
    [["other.default.svc", "*"], "*"],
  ])("of %j is %s", (names, expected) => {
    expect(whoTo(service, names)).toBe(`Bearer ${expected}`);
  });

  it("are those of the current context if no entry matches, and none without one", () => {
    expect(whoTo(service, ["me"], "here")).toBe("Bearer me");
    expect(whoTo(service, ["me"])).toBeUndefined();
  });

  it("match a host with a port other than 443 only if the entry names the port", () => {
    expect(whoTo("hooks.default.svc:8443", ["hooks.default.svc", "*.svc"])).toBeUndefined();
    expect(whoTo("hooks.default.svc:8443", ["*.svc:8443"])).toBe("Bearer *.svc:8443");
  });

  it("must not be those of an exec plugin", () => {
    const users = [{ name: "*", user: { exec: { command: "login" } } }];
    expect(() => createClientCredentials("/etc/hooks", { ...kubeconfig([]), users })).toThrow(
      "/etc/hooks: exec cannot be used for webhooks",
    );
  });
});
