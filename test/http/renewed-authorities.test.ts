import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { type ClientHttp2Session, connect } from "node:http2";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createAuthority, type TestCertificate } from "../fixtures/certificates.ts";
import { replaceFile } from "../fixtures/replace-file.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-authorities-"));
const file = (name: string): string => join(directory, name);

const first = createAuthority("first");
const second = createAuthority("second");
const proxies = createAuthority("proxies");
const otherProxies = createAuthority("other proxies");
const jane = first.issue("jane", "client", { organizations: ["system:masters"] });
const john = second.issue("john", "client");

describe("a server whose CAs of clients change", () => {
  let plane: Plane;
  const logged: string[] = [];

  beforeAll(async () => {
    replaceFile(file("clients.crt"), first.authority);
    replaceFile(file("proxies.crt"), proxies.authority);
    plane = await startPlane({
      flags: {
        "client-ca-file": file("clients.crt"),
        "requestheader-client-ca-file": file("proxies.crt"),
        "requestheader-username-headers": "X-Remote-User",
        controllers: "false",
      },
      log: (_level, message) => void logged.push(message),
    });
    await plane.ready;
  });
  afterAll(async () => {
    await plane?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const WHOAMI = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const REVIEW = '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}';

  type Credentials = Partial<TestCertificate> & { readonly headers?: OutgoingHttpHeaders; readonly agent?: Agent };

  /** Returns the name of the user, or the status of a rejection. */
  function whoIs({ headers, agent, ...certificate }: Credentials): Promise<string | number> {
    return new Promise((resolve, reject) => {
      const sent = request(`${plane.client.server}${WHOAMI}`, {
        method: "POST",
        rejectUnauthorized: false,
        agent: agent ?? false,
        headers: { "content-type": "application/json", ...headers },
        ...certificate,
      });
      sent.on("error", reject).on("response", async (response: IncomingMessage) => {
        let text = "";
        for await (const chunk of response.setEncoding("utf8")) text += chunk;
        resolve(response.statusCode === 201 ? JSON.parse(text).status.userInfo.username : (response.statusCode ?? 0));
      });
      sent.end(REVIEW);
    });
  }

  /** A connection that was opened just before the change is closed. */
  async function until(expected: string | number, credentials: Credentials): Promise<void> {
    while ((await whoIs(credentials).catch(() => "closed")) !== expected) await setTimeout(50);
  }

  const openHttp2 = (certificate: TestCertificate): ClientHttp2Session =>
    connect(plane.client.server, { rejectUnauthorized: false, ...certificate });

  it("accepts certificates of an added CA, and keeps the CAs if the file is invalid", async () => {
    expect([await whoIs(jane), await whoIs(john)]).toEqual(["jane", 401]);
    replaceFile(file("clients.crt"), `${first.authority}${second.authority}`);
    await until("john", john);
    expect(await whoIs(jane)).toBe("jane");
    replaceFile(file("clients.crt"), "# under repair\n");
    while (!logged.some((line) => line.endsWith("clients.crt: there is no certificate in it"))) await setTimeout(50);
    expect([await whoIs(jane), await whoIs(john)]).toEqual(["jane", "john"]);
  });

  it("refuses certificates of a removed CA, on open connections as well", async () => {
    replaceFile(file("clients.crt"), `${first.authority}${second.authority}`);
    await until("jane", jane);
    const [withCertificate, withToken] = [jane, {}].map(
      (certificate) => new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false, ...certificate }),
    ) as [Agent, Agent];
    const token = { authorization: `Bearer ${plane.client.token}` };
    expect(await whoIs({ agent: withCertificate })).toBe("jane");
    expect(await whoIs({ agent: withToken, headers: token })).toBe("admin");
    const session = openHttp2(jane);
    const watch = session.request({ ":path": "/api/v1/namespaces?watch=true" });
    expect((await once(watch, "response"))[0]).toMatchObject({ ":status": 200 });
    const goaway = once(session, "goaway");
    replaceFile(file("clients.crt"), second.authority);
    await until(401, jane);
    expect(await whoIs(john)).toBe("john");
    // The next request goes over a new connection.
    await expect(whoIs({ agent: withCertificate }).catch(() => whoIs({ agent: withCertificate }))).resolves.toBe(401);
    expect(await whoIs({ agent: withToken, headers: token })).toBe("admin");
    await goaway;
    // Open requests continue.
    expect(watch.closed).toBe(false);
    for (const closing of [withCertificate, withToken, session]) closing.destroy();
  });

  it("follows the CA of front proxies", async () => {
    const headers = { "X-Remote-User": "anna" };
    const [proxy, other] = [proxies, otherProxies].map((authority) => authority.issue("proxy", "client")) as [
      TestCertificate,
      TestCertificate,
    ];
    expect([await whoIs({ ...proxy, headers }), await whoIs({ ...other, headers })]).toEqual(["anna", 401]);
    replaceFile(file("proxies.crt"), otherProxies.authority);
    await until("anna", { ...other, headers });
    expect(await whoIs({ ...proxy, headers })).toBe(401);
  });

  it("tells when they expire", async () => {
    const headers = { authorization: `Bearer ${plane.client.token}` };
    const page = await new Promise<string>((resolve, reject) => {
      request(`${plane.client.server}/metrics`, { rejectUnauthorized: false, headers }, async (response) => {
        let text = "";
        for await (const chunk of response.setEncoding("utf8")) text += chunk;
        resolve(text);
      })
        .on("error", reject)
        .end();
    });
    for (const name of ["client-ca", "requestheader-client-ca"])
      expect(page).toMatch(
        new RegExp(`^typeplane_certificate_expiration_timestamp_seconds{certificate="${name}"} \\d+$`, "m"),
      );
  });
});
