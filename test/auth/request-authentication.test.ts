import { describe, expect, it } from "vitest";
import { createBearerAuthenticators } from "../../runtime/auth/authenticate/bearer-token.ts";
import { createCertificateAuthenticator } from "../../runtime/auth/authenticate/client-certificate.ts";
import { impersonate } from "../../runtime/auth/authenticate/impersonation.ts";
import { RequestAuthentication } from "../../runtime/auth/authenticate/request-authenticator.ts";
import { goodForServer } from "../../runtime/auth/authenticate/server-audiences.ts";
import { cacheTokens } from "../../runtime/auth/authenticate/token-cache.ts";
import { createTokenFileAuthenticator } from "../../runtime/auth/authenticate/token-file.ts";
import { CredentialsError } from "../../runtime/contract/authentication.ts";
import type { AccessAttributes } from "../../runtime/contract/authorization.ts";
import { createNaming } from "../../runtime/contract/naming.ts";
import { threadCpuMs } from "../tools/thread-cpu.ts";
import { credentials } from "./requests.ts";

const naming = createNaming({ domain: "k8s.io", vendor: "kubernetes" });
const tokens = createTokenFileAuthenticator(
  'secret,alice,1,"dev,ops"\n\nplain,bob,2\n,nobody,3\nquoted,"carol ""c"", sr",4,one\n',
  "tokens.csv",
);
const UPGRADE = { upgrade: "websocket", connection: "keep-alive, Upgrade" };
const make = (anonymous: { enabled: boolean; paths?: string[] } = { enabled: true }) =>
  new RequestAuthentication(
    [createCertificateAuthenticator(naming, () => new Date()), ...createBearerAuthenticators(naming, tokens, ["us"])],
    anonymous,
  );

describe("authentication of requests", () => {
  it("authenticates users of a token file, with their groups", async () => {
    const who = async (token: string) => make().authenticate(credentials({ authorization: `Bearer ${token}` }));
    expect(await who("secret")).toEqual({ name: "alice", uid: "1", groups: ["dev", "ops", "system:authenticated"] });
    expect(await who("plain")).toEqual({ name: "bob", uid: "2", groups: ["system:authenticated"] });
    expect((await who("quoted")).name).toBe('carol "c", sr');
  });

  it("accepts tokens of a file only for the server's own audiences", async () => {
    const server = goodForServer(tokens, ["us", "me"]);
    const audiences = async (wanted: string[]) => (await server.authenticateToken("plain", wanted))?.audiences;
    expect(await audiences([])).toEqual(["us", "me"]);
    expect(await audiences(["them", "me"])).toEqual(["me"]);
    expect(await audiences(["me", "us"])).toEqual(["me", "us"]);
    expect(await audiences(["them"])).toBeUndefined();
    expect(await server.authenticateToken("nonsense", [])).toBeUndefined();
  });

  it("ignores a token after two spaces, with a warning", async () => {
    const warnings: string[] = [];
    const warn = (message: string) => warnings.push(message);
    const who = (authorization: string) => make().authenticate(credentials({ authorization }, { warn }));
    expect((await who("Bearer  secret")).name).toBe("system:anonymous");
    expect(warnings).toEqual([
      "the provided Authorization header contains extra space before the bearer token, and is ignored",
    ]);
    expect((await who("Bearer")).name).toBe("system:anonymous");
    expect(warnings).toHaveLength(1);
  });

  it("asks for the server's own audiences, so that reviews of a token and its use share what is remembered", async () => {
    const asked: (readonly string[])[] = [];
    const spy = { authenticateToken: (_token: string, wanted: readonly string[]) => void asked.push(wanted) };
    const [bearer] = createBearerAuthenticators(naming, spy, ["us"]);
    await expect(bearer?.authenticate(credentials({ authorization: "Bearer x" }))).rejects.toThrow(
      "invalid bearer token",
    );
    expect(asked).toEqual([["us"]]);
  });

  it("rejects a token of more than 64 KiB without calling an authenticator", async () => {
    const asked: number[] = [];
    const spy = { authenticateToken: (token: string) => void asked.push(token.length) };
    const [bearer] = createBearerAuthenticators(naming, spy, ["us"]);
    const authenticate = async (length: number) =>
      bearer?.authenticate(credentials({ authorization: `Bearer ${"x".repeat(length)}` }));
    for (const length of [64 * 1024, 64 * 1024 + 1])
      await expect(authenticate(length)).rejects.toThrow("invalid bearer token");
    expect(asked).toEqual([64 * 1024]);
  });

  it("reads quoted fields of a token file with commas, quotes and line breaks", async () => {
    const file = 'a,"x, ""y""",1,"dev,ops"\r\n\n"b",two\rlines,2,\n"c","x\ny",3\nd,end,4,last';
    const read = createTokenFileAuthenticator(file, "tokens.csv");
    const userOf = async (token: string) => (await read.authenticateToken(token, []))?.user;
    expect(await userOf("a")).toEqual({ name: 'x, "y"', uid: "1", groups: ["dev", "ops"] });
    expect(await userOf("b")).toEqual({ name: "two\rlines", uid: "2", groups: [""] });
    expect(await userOf("c")).toEqual({ name: "x\ny", uid: "3", groups: [] });
    expect(await userOf("d")).toEqual({ name: "end", uid: "4", groups: ["last"] });
  });

  it("refuses a token file with quotes in the wrong place", () => {
    for (const record of ['to"ken,jane,1', '"token" ,jane,1', 'token,jane,1,"dev', 'token,"jane"x,1'])
      expect(() => createTokenFileAuthenticator(`a,b,c\n${record}`, "tokens.csv"), record).toThrow(
        "token file 'tokens.csv': line 2: a field has a quote that is not doubled or not closed",
      );
  });

  it("refuses a token file with too few columns", () => {
    expect(() => createTokenFileAuthenticator("a,b\n", "t.csv")).toThrow(
      "token file 't.csv' must have at least 3 columns (token, user name, user uid), found 2",
    );
  });

  it("reads user and groups from client certificates", async () => {
    const clientCertificate = { commonName: "dora", organizations: ["x", "y"], fingerprint: "ab12" };
    expect(await make().authenticate(credentials({}, { clientCertificate }))).toEqual({
      name: "dora",
      groups: ["x", "y", "system:authenticated"],
      extra: { "authentication.kubernetes.io/credential-id": ["X509SHA256=ab12"] },
    });
  });

  it("reads the UID of a client certificate, and rejects several or an empty one", async () => {
    const as = async (uids: string[], readsUids = true) => {
      const member = createCertificateAuthenticator(naming, () => new Date(), { readsUids });
      const clientCertificate = { commonName: "dora", organizations: [], fingerprint: "ab12", uids };
      const authentication = new RequestAuthentication([member], { enabled: true });
      return (await authentication.authenticate(credentials({}, { clientCertificate }))).uid;
    };
    expect(await as(["u1"])).toBe("u1");
    expect(await as([])).toBeUndefined();
    expect(await as(["u1"], false)).toBeUndefined();
    await expect(as(["u1", "u2"])).rejects.toThrow("Unauthorized");
    await expect(as([""])).rejects.toThrow("Unauthorized");
  });

  it("answers 401 to invalid credentials, and never treats them as anonymous", async () => {
    const wrong = make().authenticate(credentials({ authorization: "Bearer nonsense" }));
    await expect(wrong).rejects.toMatchObject({
      status: { code: 401, reason: "Unauthorized", message: "Unauthorized" },
    });
    const clientCertificate = { commonName: "eve", organizations: [], fingerprint: "00", problem: "SELF_SIGNED" };
    await expect(make().authenticate(credentials({}, { clientCertificate }))).rejects.toThrow("Unauthorized");
  });

  it("accepts a valid token beside an invalid certificate", async () => {
    const clientCertificate = { commonName: "eve", organizations: [], fingerprint: "00", problem: "SELF_SIGNED" };
    const both = credentials({ authorization: "Bearer plain" }, { clientCertificate });
    expect((await make().authenticate(both)).name).toBe("bob");
  });

  it("reads tokens from the WebSocket protocol header", async () => {
    const protocol = `base64url.bearer.authorization.k8s.io.${Buffer.from("plain").toString("base64url")}`;
    const headers = { ...UPGRADE, "sec-websocket-protocol": `v4.channel.k8s.io, ${protocol}` };
    expect((await make().authenticate(credentials(headers))).name).toBe("bob");
    const invalid = { ...headers, authorization: "Bearer nonsense" };
    expect((await make().authenticate(credentials(invalid))).name).toBe("bob");
    const notUpgraded = { ...headers, connection: "keep-alive" };
    expect((await make().authenticate(credentials(notUpgraded))).name).toBe("system:anonymous");
  });

  it("refuses tokens in WebSocket protocols that are not alone, not base64url, not UTF-8 or the only protocol", async () => {
    const token = (text: string | Buffer) =>
      `base64url.bearer.authorization.k8s.io.${Buffer.from(text).toString("base64url")}`;
    const send = (protocols: string | string[]) =>
      make().authenticate(credentials({ ...UPGRADE, "sec-websocket-protocol": protocols }));
    const other = "v4.channel.k8s.io";
    await expect(send(token("plain"))).rejects.toThrow("Unauthorized");
    await expect(send([`${other},${token("plain")}`, token("secret")])).rejects.toThrow("Unauthorized");
    await expect(send(`${other}, ${token("plain")}==`)).rejects.toThrow("Unauthorized");
    await expect(send(`${other}, ${token(Buffer.of(0xff))}`)).rejects.toThrow("Unauthorized");
    expect((await send(`${other}, ${token("")}`)).name).toBe("system:anonymous");
    expect((await send(`${other}, ${token("plain")}`)).name).toBe("bob");
  });

  it("does not take apart more WebSocket protocols than a token needs", async () => {
    const token = `base64url.bearer.authorization.k8s.io.${Buffer.from("plain").toString("base64url")}`;
    const send = (protocols: string) =>
      make().authenticate(credentials({ ...UPGRADE, "sec-websocket-protocol": protocols }));
    const before = threadCpuMs();
    expect((await send(",".repeat(1_000_000))).name).toBe("system:anonymous");
    await expect(send(`${",".repeat(1_000_000)}${token}`)).rejects.toThrow("Unauthorized");
    expect(threadCpuMs() - before).toBeLessThan(50);
    expect((await send(`${",".repeat(1000)}${token}`)).name).toBe("bob");
  });

  it("caches a token no longer than it is valid", async () => {
    let now = 0;
    let asked = 0;
    const inner = {
      authenticateToken: () => {
        asked++;
        if (now >= 3000) throw new CredentialsError("expired");
        return { user: { name: "bob", groups: [] }, expires: 3000 };
      },
    };
    const cache = cacheTokens(inner, () => now);
    await cache.authenticateToken("t", []);
    now = 2999;
    await cache.authenticateToken("t", []);
    expect(asked).toBe(1);
    now = 3000;
    await expect(cache.authenticateToken("t", [])).rejects.toThrow("expired");
  });

  it("treats other requests as anonymous if that is enabled", async () => {
    expect(await make().authenticate(credentials())).toEqual({
      name: "system:anonymous",
      groups: ["system:unauthenticated"],
    });
    await expect(make({ enabled: false }).authenticate(credentials())).rejects.toThrow("Unauthorized");
    const limited = make({ enabled: true, paths: ["/livez"] });
    expect((await limited.authenticate(credentials({}, { path: "/livez" }))).name).toBe("system:anonymous");
    await expect(limited.authenticate(credentials({}, { path: "/api" }))).rejects.toThrow("Unauthorized");
  });
});

describe("impersonation", () => {
  const admin = { name: "admin", groups: ["system:masters"] };
  const run = async (headers: Record<string, string | string[]>, allowed = (_: AccessAttributes) => true) => {
    const asked: AccessAttributes[] = [];
    const authorizer = {
      authorize: (attributes: AccessAttributes) => {
        asked.push(attributes);
        return { decision: allowed(attributes) ? ("allow" as const) : ("noOpinion" as const), reason: "" };
      },
    };
    const user = await impersonate(admin, credentials(headers), { naming, authorizer });
    return {
      user,
      asked: asked.map((each) =>
        "resource" in each ? `${each.resource}/${each.subresource} ${each.namespace}/${each.name}` : "",
      ),
    };
  };

  it("is not used without headers", async () => {
    expect((await run({ accept: "*/*" })).user).toBeUndefined();
  });

  it("checks every part and puts the user together", async () => {
    const { user, asked } = await run({
      "impersonate-user": "alice",
      "impersonate-group": ["g1", "g2"],
      "impersonate-uid": "7",
      "impersonate-extra-example.com%2fscope": ["a", "b"],
    });
    expect(user).toEqual({
      name: "alice",
      uid: "7",
      groups: ["g1", "g2", "system:authenticated"],
      extra: { "example.com/scope": ["a", "b"] },
    });
    expect(asked).toEqual([
      "users/ /alice",
      "groups/ /g1",
      "groups/ /g2",
      "userextras/example.com/scope /a",
      "userextras/example.com/scope /b",
      "uids/ /7",
    ]);
  });

  it("sets the groups of service accounts and anonymous users", async () => {
    const account = await run({ "impersonate-user": "system:serviceaccount:web:robot" });
    expect(account.asked).toEqual(["serviceaccounts/ web/robot"]);
    expect(account.user?.groups).toEqual([
      "system:serviceaccounts",
      "system:serviceaccounts:web",
      "system:authenticated",
    ]);
    expect((await run({ "impersonate-user": "system:anonymous" })).user?.groups).toEqual(["system:unauthenticated"]);
  });

  it("rejects what the user may not impersonate, with Kubernetes' message", async () => {
    const refused = run(
      { "impersonate-user": "alice", "impersonate-group": "g1" },
      (asked) => "resource" in asked && asked.resource !== "groups",
    );
    await expect(refused).rejects.toMatchObject({
      status: {
        code: 403,
        message:
          'groups "g1" is forbidden: User "admin" cannot impersonate resource "groups" in API group "" at the cluster scope',
      },
    });
    await expect(run({ "impersonate-group": "g1" })).rejects.toMatchObject({ status: { code: 500 } });
  });

  it("takes only names that a service account can have for those of service accounts", async () => {
    const real = await run({ "impersonate-user": "system:serviceaccount:ns:robot.v1" });
    expect(real.asked).toEqual(["serviceaccounts/ ns/robot.v1"]);
    expect(real.user?.groups).toEqual(["system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"]);
    for (const rest of [
      "ns:Robot",
      "ns:",
      ":robot",
      "ns:a:b",
      "n.s:robot",
      "ns:a b",
      "ns:*",
      `${"n".repeat(64)}:a`,
      "ns",
    ]) {
      const user = `system:serviceaccount:${rest}`;
      const made = await run({ "impersonate-user": user });
      expect(made.asked).toEqual([`users/ /${user}`]);
      expect(made.user).toEqual({ name: user, groups: ["system:authenticated"] });
    }
  });

  it("authorizes each value of an extra attribute, with its key escaped or not", async () => {
    const { user, asked } = await run({
      "impersonate-user": "bob",
      "impersonate-extra-a%2fb": ["1", "2"],
      "impersonate-extra-a/b": "3",
      "impersonate-extra-%zz": "4",
      "impersonate-extra-%c3%a9%e9": "5",
    });
    expect(user?.extra).toEqual({ "a/b": ["1", "2", "3"], "%zz": ["4"], "é\ufffd": ["5"] });
    expect(asked).toEqual([
      "users/ /bob",
      "userextras/a/b /1",
      "userextras/a/b /2",
      "userextras/a/b /3",
      "userextras/%zz /4",
      "userextras/é\ufffd /5",
    ]);
  });

  it("requires the permission for each group", async () => {
    const allowed = (each: AccessAttributes) => "name" in each && each.name !== "system:masters";
    const headers = { "impersonate-user": "bob", "impersonate-group": ["dev", "system:masters"] };
    await expect(run(headers, allowed)).rejects.toThrow("system:masters");
  });
});
