import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect as connectSocket } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { namespace } from "../../api-definitions/core/v1/namespace.ts";
import "../../generated/resources/core.v1.ts";
import { type ConnectOptions, connect, KubeconfigError } from "../../runtime/client.ts";
import { startPlane } from "../../runtime/plane.ts";
import { HandClock } from "../fixtures/hand-clock.ts";
import { type HttpsServer, startHttps } from "../fixtures/https-server.ts";

/** Credentials of a request as the server receives them. */
interface Who {
  readonly authorization?: string;
  readonly certificate?: string;
  readonly impersonate: readonly string[];
  readonly path: string;
}

let server: HttpsServer;
let directory: string;
/** Authorization headers that the server rejects. */
const refused = new Set<string>();

beforeAll(async () => {
  server = await startHttps(
    (request, response) => {
      const status = refused.has(request.headers.authorization ?? "") ? 401 : 200;
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(whoAsks(request)));
    },
    { requestCert: false },
  );
  directory = mkdtempSync(join(tmpdir(), "typeplane-login-"));
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => refused.clear());

function whoAsks(request: IncomingMessage): Who {
  const impersonate = request.rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && /^impersonate-/i.test(name) ? [`${name}: ${request.rawHeaders[index + 1]}`] : [],
  );
  const { subject } = (request.socket as TLSSocket).getPeerCertificate?.() ?? {};
  return {
    ...(request.headers.authorization !== undefined && { authorization: request.headers.authorization }),
    ...(subject?.CN !== undefined && { certificate: String(subject.CN) }),
    impersonate,
    path: request.url ?? "",
  };
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

function write(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

/** A kubeconfig with one cluster and one user. */
function kubeconfig(name: string, user: object, cluster: object = {}): string {
  return write(
    name,
    JSON.stringify({
      clusters: [
        {
          name: "c",
          cluster: { server: server.url, "certificate-authority-data": base64(server.authority), ...cluster },
        },
      ],
      users: [{ name: "u", user }],
      contexts: [{ name: "main", context: { cluster: "c", user: "u", namespace: "team" } }],
      "current-context": "main",
    }),
  );
}

async function ask(options: ConnectOptions): Promise<Who> {
  const client = await connect(options);
  try {
    return await client.request<Who>({ method: "GET", path: "/who" });
  } finally {
    client.close();
  }
}

describe("a client logs in", () => {
  it("with tokens, tokens in files, and basic authentication", async () => {
    expect(await ask({ kubeconfig: kubeconfig("token", { token: "abc" }) })).toMatchObject({
      authorization: "Bearer abc",
    });
    write("secret-token", "from file\n");
    expect(await ask({ kubeconfig: kubeconfig("file", { tokenFile: "secret-token", token: "abc" }) })).toMatchObject({
      authorization: "Bearer from file",
    });
    expect(await ask({ kubeconfig: kubeconfig("basic", { username: "me", password: "pass:word" }) })).toMatchObject({
      authorization: `Basic ${base64("me:pass:word")}`,
    });
  });

  it("with certificates in the kubeconfig or in files beside it, at a real server", async () => {
    const plane = await startPlane({ flags: { controllers: "false" } });
    try {
      await plane.ready;
      const names = async (options: ConnectOptions) => {
        const client = await connect(options);
        await client.of(namespace).get("default");
        return client.namespace;
      };
      const inline = write("plane", plane.kubeconfig);
      expect(await names({ kubeconfig: inline })).toBe("default");
      expect(await names({ kubeconfigText: plane.kubeconfig })).toBe("default");
      mkdirSync(join(directory, "pem"), { recursive: true });
      write("pem/ca.pem", plane.client.certificateAuthority);
      write("pem/cert.pem", plane.client.clientCertificate);
      write("pem/key.pem", plane.client.clientKey);
      const files = kubeconfig(
        "files",
        { "client-certificate": "pem/cert.pem", "client-key": "pem/key.pem" },
        { server: plane.client.server, "certificate-authority-data": "", "certificate-authority": "pem/ca.pem" },
      );
      expect(await names({ kubeconfig: files })).toBe("team");
    } finally {
      await plane.stop();
    }
  });

  it("with a token file that is replaced: read again after a minute, and when the token is refused", async () => {
    const path = write("rotating", "first");
    let now = 0;
    const clock = { now: () => now, after: () => () => undefined };
    const client = await connect({ kubeconfig: kubeconfig("rotates", { tokenFile: path }), clock });
    const token = async () => (await client.request<Who>({ method: "GET", path: "/who" })).authorization;
    expect(await token()).toBe("Bearer first");
    writeFileSync(path, "second");
    expect(await token()).toBe("Bearer first");
    now += 60_000;
    expect(await token()).toBe("Bearer second");
    writeFileSync(path, "third");
    refused.add("Bearer second");
    expect(await token()).toBe("Bearer third");
    refused.add("Bearer third");
    await expect(token()).rejects.toMatchObject({ name: "UnauthorizedError" });
    refused.clear();
    writeFileSync(path, "\n");
    now += 60_000;
    expect(await token()).toBe("Bearer third");
    client.close();
  });

  it("with a certificate in files that are replaced, one after the other", async () => {
    const secured = await startHttps((request, response) => void response.end(JSON.stringify(whoAsks(request))), {
      requestCert: true,
    });
    const [old, renewed] = [secured.issue("old", "client"), secured.issue("new", "client")];
    const [cert, key] = [write("tls.crt", old.cert), write("tls.key", old.key)];
    let now = 0;
    const clock = { now: () => now, after: () => () => undefined };
    const user = { "client-certificate": "tls.crt", "client-key": "tls.key" };
    const cluster = { server: secured.url, "certificate-authority-data": base64(secured.authority) };
    const client = await connect({ kubeconfig: kubeconfig("renewed", user, cluster), clock });
    const name = async () => (await client.request<Who>({ method: "GET", path: "/who" })).certificate;
    expect(await name()).toBe("old");
    writeFileSync(cert, renewed.cert);
    now += 60_000;
    expect(await name()).toBe("old");
    writeFileSync(key, renewed.key);
    expect(await name()).toBe("old");
    now += 60_000;
    expect(await name()).toBe("new");
    client.close();
    await secured.close();
  });

  it("as the service account of the pod it runs in", async () => {
    const account = join(directory, "account");
    mkdirSync(account, { recursive: true });
    writeFileSync(join(account, "token"), "pod-token\n");
    writeFileSync(join(account, "ca.crt"), server.authority);
    writeFileSync(join(account, "namespace"), "workers");
    const { hostname, port } = new URL(server.url);
    const environment = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port, HOME: directory };
    const options = { inCluster: { directory: account }, environment };
    expect(await ask(options)).toMatchObject({ authorization: "Bearer pod-token" });
    expect((await connect(options)).namespace).toBe("workers");
    await expect(connect({ environment: { HOME: directory } })).rejects.toThrow(/runs in no pod/);
  });

  it("as another user", async () => {
    const user = { token: "t", as: "jane", "as-groups": ["a", "b"], "as-user-extra": { "x/y": ["1", "2"] } };
    const { impersonate } = await ask({ kubeconfig: kubeconfig("as", user) });
    expect(impersonate).toEqual([
      "Impersonate-User: jane",
      "Impersonate-Group: a",
      "Impersonate-Group: b",
      "Impersonate-Extra-x%2Fy: 1",
      "Impersonate-Extra-x%2Fy: 2",
    ]);
    const named = await ask({
      kubeconfig: kubeconfig("as-option", { token: "t" }),
      impersonate: { user: "bob", uid: "7" },
    });
    expect(named.impersonate).toEqual(["Impersonate-User: bob", "Impersonate-Uid: 7"]);
    const lost = kubeconfig("as-lost", { "as-groups": ["a"] });
    await expect(connect({ kubeconfig: lost })).rejects.toThrow(/as-groups and as-user-extra need as/);
  });
});

describe("a client verifies the server", () => {
  it("by tls-server-name, by its authority, and not at all if told so", async () => {
    const askWith = (cluster: object) => ask({ kubeconfig: kubeconfig("tls", { token: "t" }, cluster) });
    for (const name of ["localhost", "127.0.0.1"])
      expect(await askWith({ "tls-server-name": name })).toMatchObject({ path: "/who" });
    await expect(askWith({ "tls-server-name": "other.example.com" })).rejects.toMatchObject({
      name: "ConnectionError",
    });
    await expect(askWith({ "certificate-authority-data": "" })).rejects.toMatchObject({ name: "ConnectionError" });
    const insecure = { "certificate-authority-data": "", "insecure-skip-tls-verify": true };
    expect(await askWith(insecure)).toMatchObject({ path: "/who" });
    expect(await askWith({ server: `${server.url}/prefix/` })).toMatchObject({ path: "/prefix/who" });
  });

  it("through a proxy", async () => {
    const asked: string[] = [];
    const proxy = createServer().on("connect", (request, socket) => {
      asked.push(`${request.url} ${request.headers["proxy-authorization"]}`);
      const target = connectSocket(Number(new URL(server.url).port), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        target.pipe(socket).pipe(target);
      });
      for (const one of [socket, target]) one.on("error", () => one.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const { port } = proxy.address() as AddressInfo;
    const user = kubeconfig("proxied", { token: "t" }, { "proxy-url": `http://me:pw@127.0.0.1:${port}` });
    expect(await ask({ kubeconfig: user })).toMatchObject({ authorization: "Bearer t" });
    expect(asked).toEqual([`${new URL(server.url).host} Basic ${base64("me:pw")}`]);
    proxy.closeAllConnections();
    proxy.close();
  });
});

describe("an exec plugin", () => {
  const plugin = (body: string): string => {
    const path = write("plugin", `#!${process.execPath}\n${body}`);
    chmodSync(path, 0o755);
    return "./plugin";
  };
  const exec = (command: string, more: object = {}) => ({
    exec: { apiVersion: "client.authentication.k8s.io/v1", command, interactiveMode: "Never", ...more },
  });
  /** Prints a token that contains the number of the run and expires after an hour of the year 2030. */
  const counting = `
    const fs = require("node:fs"), path = __dirname + "/runs";
    const runs = Number(fs.existsSync(path) ? fs.readFileSync(path, "utf8") : 0) + 1;
    fs.writeFileSync(path, String(runs));
    const { apiVersion, spec } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
    const token = [runs, process.argv[2], process.env.COLOUR, spec.interactive, spec.cluster && spec.cluster.server].join(" ");
    const expirationTimestamp = new Date(Date.UTC(2030, 0, 1, runs)).toISOString();
    console.log(JSON.stringify({ apiVersion, kind: "ExecCredential", status: { token, expirationTimestamp } }));`;

  it("is run once until its credentials expire or are refused", async () => {
    let now = Date.UTC(2030, 0, 1);
    const clock = { now: () => now, after: () => () => undefined };
    const options = { args: ["arg"], env: [{ name: "COLOUR", value: "red" }], provideClusterInfo: true };
    const client = await connect({ kubeconfig: kubeconfig("exec", exec(plugin(counting), options)), clock });
    const run = async () => (await client.request<Who>({ method: "GET", path: "/who" })).authorization?.split(" ")[1];
    const { authorization } = await client.request<Who>({ method: "GET", path: "/who" });
    expect(authorization).toBe(`Bearer 1 arg red false ${server.url}`);
    expect(await Promise.all([run(), run()])).toEqual(["1", "1"]);
    now += 3_600_000;
    expect(await Promise.all([run(), run()])).toEqual(["2", "2"]);
    refused.add(`Bearer 2 arg red false ${server.url}`);
    expect(await run()).toBe("3");
    client.close();
  });

  it("that does not end keeps no request and no informer waiting", async () => {
    const hanging = plugin("setTimeout(() => undefined, 2_000)");
    const client = await connect({ kubeconfig: kubeconfig("exec-hangs", exec(hanging)), timeoutMs: 100 });
    const who = { method: "GET", path: "/who" };
    await expect(client.request(who)).rejects.toThrow("GET /who: no response within 100 ms");
    const stop = AbortSignal.timeout(10);
    await expect(client.request({ ...who, signal: stop })).rejects.toMatchObject({ name: "TimeoutError" });
    const informer = client.of(namespace).informer();
    const started = informer.start();
    await informer.stop();
    await expect(started).rejects.toThrow("the informer was stopped");
    client.close();
  });

  it("that has not ended after five minutes is ended, and run again for the next request", async () => {
    const clock = new HandClock();
    const client = await connect({
      kubeconfig: kubeconfig("exec-ends", exec(plugin("setTimeout(() => undefined, 20_000)"))),
      clock,
      timeoutMs: 3_600_000,
    });
    const who = { method: "GET", path: "/who" };
    const waiting = [client.request(who), client.request(who)].map((one) => one.catch((error: Error) => error.message));
    await clock.move(300_000);
    const message = /user "u": exec plugin \.\/plugin: it did not end within 300 s/;
    expect(await Promise.all(waiting)).toEqual([expect.stringMatching(message), expect.stringMatching(message)]);
    plugin(counting);
    expect(await client.request<Who>(who)).toMatchObject({ authorization: expect.stringMatching(/^Bearer \d+ /) });
    client.close();
  });

  it("may return a certificate", async () => {
    const { cert, key } = server.client;
    const status = { clientCertificateData: cert, clientKeyData: key };
    const credential = { apiVersion: "client.authentication.k8s.io/v1beta1", kind: "ExecCredential", status };
    const command = plugin(`console.log(${JSON.stringify(JSON.stringify(credential))})`);
    const secured = await startHttps((request, response) => void response.end(JSON.stringify(whoAsks(request))), {
      requestCert: true,
    });
    const own = {
      ...credential,
      status: { clientCertificateData: secured.client.cert, clientKeyData: secured.client.key },
    };
    plugin(`console.log(${JSON.stringify(JSON.stringify(own))})`);
    const cluster = { server: secured.url, "certificate-authority-data": base64(secured.authority) };
    const user = exec(command, { apiVersion: "client.authentication.k8s.io/v1beta1" });
    expect(await ask({ kubeconfig: kubeconfig("exec-cert", user, cluster) })).toMatchObject({
      certificate: "webhook-client",
    });
    await secured.close();
  });

  it("that fails is named, with its hint", async () => {
    const failing = (body: string, more: object = {}) =>
      ask({ kubeconfig: kubeconfig("exec-fails", exec(plugin(body), { installHint: "install it", ...more })) });
    await expect(failing("process.exit(3)")).rejects.toThrow(
      /user "u": exec plugin \.\/plugin: it ended with 3\ninstall it/,
    );
    await expect(failing("console.log('no')")).rejects.toThrow(/its output is not JSON/);
    await expect(failing("console.log('{}')")).rejects.toThrow(
      /instead of client.authentication.k8s.io\/v1 ExecCredential/,
    );
    await expect(failing("", { apiVersion: "v9" })).rejects.toThrow(/apiVersion "v9" is not one of/);
    const missing = kubeconfig("exec-missing", exec("no-such-program-here"));
    await expect(ask({ kubeconfig: missing })).rejects.toThrow(KubeconfigError);
  });
});

describe("a login by OpenID Connect", () => {
  const jwt = (exp: number, id: string) => `e30.${Buffer.from(JSON.stringify({ exp, id })).toString("base64url")}.`;

  it("renews an expired token, and writes the new ones to the kubeconfig", async () => {
    const fresh = jwt(4_000_000_000, "fresh");
    const requests: string[] = [];
    const provider = await startHttps((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => {
        requests.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""} ${body}`.trim());
        const isToken = request.url === "/token";
        const tokens = { id_token: fresh, refresh_token: "next" };
        response.end(JSON.stringify(isToken ? tokens : { token_endpoint: `${provider.url}/token` }));
      });
    });
    const config = {
      "idp-issuer-url": provider.url,
      "idp-certificate-authority-data": base64(provider.authority),
      "client-id": "me",
      "client-secret": "s",
      "id-token": jwt(1_000_000_000, "old"),
      "refresh-token": "once",
    };
    const path = kubeconfig("oidc", { "auth-provider": { name: "oidc", config } });
    const client = await connect({ kubeconfig: path });
    const who = await Promise.all([1, 2].map(() => client.request<Who>({ method: "GET", path: "/who" })));
    expect(who.map(({ authorization }) => authorization)).toEqual([`Bearer ${fresh}`, `Bearer ${fresh}`]);
    const form = "grant_type=refresh_token&refresh_token=once";
    expect(requests).toEqual(["GET /.well-known/openid-configuration", `POST /token Basic ${base64("me:s")} ${form}`]);
    expect(readFileSync(path, "utf8")).toContain("refresh-token: next");
    expect(await ask({ kubeconfig: path })).toMatchObject({ authorization: `Bearer ${fresh}` });
    client.close();
    await provider.close();
  });

  it("that cannot be renewed says so, as does an unknown provider", async () => {
    const config = { "id-token": jwt(1_000_000_000, "old") };
    const expired = kubeconfig("oidc-expired", { "auth-provider": { name: "oidc", config } });
    await expect(ask({ kubeconfig: expired })).rejects.toThrow(/has expired, and there is no refresh-token/);
    const unknown = kubeconfig("gcp", { "auth-provider": { name: "gcp" } });
    await expect(connect({ kubeconfig: unknown })).rejects.toThrow(
      /auth-provider "gcp" is not supported: use an exec plugin/,
    );
  });
});

describe("kubeconfigs", () => {
  it("are merged, the first entry of a name counting, and contexts chosen by name", async () => {
    const one = kubeconfig("one", { token: "one" });
    const other = write(
      "two",
      JSON.stringify({
        users: [
          { name: "u", user: { token: "not this" } },
          { name: "v", user: { token: "two" } },
        ],
        contexts: [{ name: "second", context: { cluster: "c", user: "v" } }],
        "current-context": "second",
      }),
    );
    const environment = { KUBECONFIG: [join(directory, "missing"), one, other].join(delimiter) };
    expect(await ask({ environment })).toMatchObject({ authorization: "Bearer one" });
    expect(await ask({ environment, context: "second" })).toMatchObject({ authorization: "Bearer two" });
    await expect(connect({ environment, context: "third" })).rejects.toThrow(
      'the kubeconfig has no context "third"; its contexts: "main", "second"',
    );
  });

  it("may name users without credentials", async () => {
    for (const user of [{ name: "u", user: null }, { name: "u" }]) {
      const file = kubeconfig("nobody", {});
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), users: [user] }));
      expect(await ask({ kubeconfig: file })).toEqual({ impersonate: [], path: "/who" });
    }
  });

  it("that are missing, broken or incomplete are named", async () => {
    await expect(connect({ kubeconfig: join(directory, "nowhere") })).rejects.toThrow(/nowhere cannot be read/);
    await expect(connect({ kubeconfig: write("broken", "a: [") })).rejects.toThrow(/broken is not a kubeconfig/);
    await expect(connect({ kubeconfig: write("empty", "") })).rejects.toThrow(/has no current-context/);
    const lost = { contexts: [{ name: "a", context: { cluster: "x" } }], "current-context": "a" };
    await expect(connect({ kubeconfigText: JSON.stringify(lost) })).rejects.toThrow(
      /there is no cluster "x" with a server/,
    );
  });
});
