import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { request } from "node:https";
import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";
import { availability, certificateName, type ExtensionServer, register, startExtension } from "./extension-server.ts";

const ECHO = "/apis/echo.example.com/v1";
const { call, running } = servePlane();
let extension: ExtensionServer;
/** Handler of the extension server for the next requests. By default it returns the request that it received. */
let answer: ((req: IncomingMessage, res: ServerResponse) => void) | undefined;

function tell(req: IncomingMessage, res: ServerResponse): void {
  const chunks: Buffer[] = [];
  req.on("data", (chunk: Buffer) => chunks.push(chunk));
  req.on("end", () => {
    const { method, url, rawHeaders, headers } = req;
    const told = { method, url, rawHeaders, headers, body: Buffer.concat(chunks).toString() };
    res.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(told));
  });
}

beforeAll(async () => {
  extension = await startExtension(
    (req, res) => (answer ?? tell)(req, res),
    (req, socket) => {
      if (req.url?.endsWith("/refused")) {
        socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 3\r\n\r\nno\n");
        return;
      }
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");
      socket.write(`${req.headers["x-remote-user"]};`);
      socket.pipe(socket);
    },
  );
  await availability(call, await register(call, extension), "Passed");
});

afterAll(() => extension.close());

/** Opens a request whose response the test reads. */
function open(
  path: string,
  more: Record<string, string> = {},
  { method = "GET", body }: { method?: string; body?: string } = {},
): Promise<IncomingMessage> {
  const { server, certificateAuthority: ca, token } = running().client;
  const headers = { Authorization: `Bearer ${token}`, ...more };
  return new Promise((resolve, reject) => {
    request(`${server}${path}`, { method, ca, agent: false, headers }, resolve).on("error", reject).end(body);
  });
}

async function answering<T>(how: typeof answer, ask: () => Promise<T>): Promise<T> {
  answer = how;
  try {
    return await ask();
  } finally {
    answer = undefined;
  }
}

describe("a request that is proxied to an extension server", () => {
  it("has the user in headers and is sent with the proxy's client certificate", async () => {
    const { body } = await call("GET", `${ECHO}/things/a?watch=false&b=%20x`);
    expect(body).toMatchObject({ method: "GET", url: `${ECHO}/things/a?watch=false&b=%20x` });
    expect(body.headers).toMatchObject({
      "x-remote-user": "admin",
      "x-remote-uid": "admin",
      "x-remote-group": "system:masters, system:authenticated",
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-uri": `${ECHO}/things/a`,
      "x-forwarded-proto": "https",
      "user-agent": "tests/1.0",
    });
    expect(body.headers.authorization).toBeUndefined();
    expect(extension.seen.map(certificateName).at(-1)).toBe("front-proxy-client");
  });

  it("is rejected if the extension server could read its path differently", async () => {
    const before = extension.seen.length;
    for (const path of [
      "namespaces/a%2F..%2Fb/things",
      "namespaces/a/things/x/proxy/a%2F..",
      "namespaces/a//things",
      "/things",
    ])
      expect((await call("GET", `${ECHO}/${path}`)).status).toBe(404);
    expect(extension.seen.length).toBe(before);
    const below = `${ECHO}/namespaces/a/things/x/proxy/b//c`;
    expect((await call("GET", `${below}/?a=1;b&c=2&d=%zz`)).body.url).toBe(`${below}/?c=2`);
    expect((await call("GET", `${ECHO}/namespaces/a%2Fthings/%ff`)).body.url).toBe(
      `${ECHO}/namespaces/a/things/%EF%BF%BD`,
    );
  });

  it("drops identity headers that the client sent", async () => {
    const jane = Buffer.from("jané").toString("latin1");
    const hostile = {
      "X-Remote-User": "system:admin",
      "x-remote-group": "system:masters",
      "X-REMOTE-EXTRA-scopes": "all",
      "X-Remote-Uid": "0",
      Connection: "X-Secret, keep-alive",
      "X-Secret": "1",
    };
    const { body } = await call("GET", `${ECHO}/things`, {
      headers: {
        ...hostile,
        "Impersonate-User": jane,
        "Impersonate-Group": "system:masters",
        "Impersonate-Extra-a%2Fb": "c",
      },
    });
    const sent = Object.entries(body.headers).filter(([name]) => /^(x-remote|impersonate|x-secret)/.test(name));
    expect(Object.fromEntries(sent)).toEqual({
      "x-remote-user": jane,
      "x-remote-group": "system:masters, system:authenticated",
      "x-remote-extra-a%2fb": "c",
    });
  });

  it("is not sent if the user is not authorized", async () => {
    const before = extension.seen.length;
    expect((await call("GET", `${ECHO}/things`, { anonymous: true })).status).toBe(403);
    expect((await call("GET", `${ECHO}/things`, { headers: { "Impersonate-User": "jane" } })).status).toBe(403);
    expect(extension.seen.length).toBe(before);
  });

  it("has the same path and query as the original request", async () => {
    const { body } = await call("GET", `${ECHO}/things/a%2Fb%20c?x=1;y=2&%zz=1&z=%ff`);
    expect(body.url).toBe(`${ECHO}/things/a/b%20c?z=%ff`);
  });

  it("includes its body, of any length", async () => {
    const body = "x".repeat(5 * 1024 * 1024);
    const told = await call("POST", `${ECHO}/things`, { body, type: "text/plain" });
    expect(told.body.headers["content-length"]).toBe(String(body.length));
    expect(told.body.body).toHaveLength(body.length);
    const sent = await open(`${ECHO}/things`, { "Transfer-Encoding": "chunked" }, { method: "DELETE", body: "{}" });
    expect(JSON.parse((await sent.toArray()).join(""))).toMatchObject({ method: "DELETE", body: "{}" });
  });
});

describe("the response of an extension server", () => {
  it("keeps its headers except hop-by-hop headers", async () => {
    const { headers, status, text } = await answering(
      (_req, res) => {
        res.writeHead(201, {
          "Keep-Alive": "timeout=5",
          "X-Two": ["a", "b"],
          "Access-Control-Allow-Origin": "*",
          "Cache-Control": "max-age=3",
          "Set-Cookie": ["a=1", "b=2"],
          Date: "Sun, 06 Nov 1994 08:49:37 GMT",
        });
        res.end("hello\n");
      },
      () => call("GET", `${ECHO}/things`, { headers: { "Audit-Id": "mine" } }),
    );
    expect([status, text]).toEqual([201, "hello\n"]);
    expect(headers).toMatchObject({
      "x-two": "a, b",
      "cache-control": "no-cache, private, max-age=3",
      "audit-id": "mine",
      "set-cookie": ["a=1", "b=2"],
      date: "Sun, 06 Nov 1994 08:49:37 GMT",
    });
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    expect(headers["keep-alive"]).not.toBe("timeout=5");
  });

  it("is streamed, and the request is cancelled when the client disconnects", async () => {
    let made: ServerResponse | undefined;
    const incoming = await answering(
      (_req, res) => {
        made = res;
        res.writeHead(200).write("first\n");
      },
      () => open(`${ECHO}/things?watch=1`),
    );
    expect(String((await once(incoming, "data"))[0])).toBe("first\n");
    const closed = once(made as ServerResponse, "close");
    incoming.destroy();
    await closed;
  });

  it("is read no faster than the client reads it", async () => {
    const PIECES = 40;
    const chunk = Buffer.alloc(1024 * 1024);
    let written = 0;
    const stalled = Promise.withResolvers<void>();
    const incoming = await answering(
      (_req, res) => {
        const write = (): void => {
          if (written >= PIECES) {
            res.end();
            return;
          }
          written += 1;
          if (res.write(chunk)) write();
          else {
            const timer = setTimeout(stalled.resolve, 500);
            res.once("drain", () => {
              clearTimeout(timer);
              write();
            });
          }
        };
        write();
      },
      () => open(`${ECHO}/things`),
    );
    await stalled.promise;
    expect(written).toBeLessThan(PIECES);
    let read = 0;
    for await (const piece of incoming as AsyncIterable<Buffer>) read += piece.length;
    expect(read).toBe(PIECES * chunk.length);
  });

  for (const [what, headers] of [
    ["of unknown length", {}],
    ["of a length that it does not reach", { "Content-Length": "100" }],
  ] as const) {
    it(`breaks off ${what} where it broke off there`, async () => {
      const incoming = await answering(
        (_req, res) => {
          res.writeHead(200, headers).write('{"items":[');
          setTimeout(() => res.destroy(), 50);
        },
        () => open(`${ECHO}/things`),
      );
      await expect(incoming.toArray()).rejects.toThrow("aborted");
    });
  }

  it("is replaced by status 503 if the server cannot be reached", async () => {
    const { status, text, headers } = await answering(
      (req) => req.socket.destroy(),
      () => call("POST", `${ECHO}/things`, { body: {} }),
    );
    expect([status, text]).toEqual([503, "error trying to reach service: EOF\n"]);
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  });

  it("is requested again on a new connection if a kept connection was closed and the request is idempotent", async () => {
    const used = new WeakSet<object>();
    const once = (req: IncomingMessage, res: ServerResponse): void => {
      if (used.has(req.socket)) {
        req.socket.destroy();
        return;
      }
      used.add(req.socket);
      res.end("fresh");
    };
    const ask = (method: string) => answering(once, () => call(method, `${ECHO}/things/a`));
    expect((await ask("GET")).text).toBe("fresh");
    expect((await ask("GET")).text).toBe("fresh");
    const before = extension.seen.length;
    expect((await ask("DELETE")).status).toBe(503);
    expect(extension.seen.length).toBe(before + 1);
  });

  it("is not followed if it is a redirect", async () => {
    const { status, text, headers } = await answering(
      (_req, res) => res.writeHead(302, { Location: "https://elsewhere.example.com/" }).end(),
      () => call("GET", `${ECHO}/things`),
    );
    expect([status, text]).toEqual([502, "the backend attempted to redirect this request, which is not permitted"]);
    expect(headers.location).toBeUndefined();
  });

  it("is limited by the request timeout", async () => {
    const { status, body } = await answering(
      () => undefined,
      () => call("GET", `${ECHO}/things?timeout=100ms`),
    );
    expect([status, body.reason]).toEqual([504, "Timeout"]);
  });

  it("is rejected if its headers are too large", async () => {
    const { status, text } = await answering(
      (_req, res) => res.writeHead(200, { "X-Long": "x".repeat(2 * 1024 * 1024) }).end(),
      () => call("GET", `${ECHO}/things`),
    );
    expect([status, text.split(":", 1)[0]]).toEqual([503, "error trying to reach service"]);
  });
});

describe("a request to switch protocols", () => {
  function upgrade(path: string) {
    const { server, certificateAuthority: ca, token } = running().client;
    const headers = { Authorization: `Bearer ${token}`, Connection: "Upgrade", Upgrade: "echo" };
    return request(`${server}${path}`, { ca, agent: false, headers });
  }

  it("is proxied, and then data in both directions", async () => {
    const outgoing = upgrade(`${ECHO}/things/a/attach`).end();
    const [answered, socket, head] = (await once(outgoing, "upgrade")) as [IncomingMessage, Socket, Buffer];
    expect(answered.statusCode).toBe(101);
    let heard = head.toString();
    socket.write("ping");
    while (heard !== "admin;ping") heard += String((await once(socket, "data"))[0]);
    socket.destroy();
  });

  it("is rejected with the response of the extension server", async () => {
    const outgoing = upgrade(`${ECHO}/things/refused`).end();
    const [refused] = (await once(outgoing, "response")) as [IncomingMessage];
    expect(refused.statusCode).toBe(403);
    expect(Buffer.concat(await refused.toArray()).toString()).toBe("no\n");
  });
});

describe("which requests are proxied", () => {
  it("excludes the group apiregistration.k8s.io", async () => {
    const { body } = await call("PUT", "/apis/apiregistration.k8s.io/v1/apiservices/v1.apps", {
      body: (await call("GET", "/apis/apiregistration.k8s.io/v1/apiservices/v1.apps")).body,
    });
    expect(body.kind).toBe("APIService");
    await register(call, { ...extension, group: "apiregistration.k8s.io" });
    expect((await call("GET", "/apis/apiregistration.k8s.io/v1/apiservices")).body.kind).toBe("APIServiceList");
  });

  it("may include a version that this server could serve itself", async () => {
    const path = "/apis/apiregistration.k8s.io/v1/apiservices/v1.apps";
    const local = (await call("GET", path)).body;
    const service = { namespace: "default", name: "ext", port: extension.port };
    const spec = { ...local.spec, service, insecureSkipTLSVerify: true };
    expect((await call("PUT", path, { body: { ...local, spec } })).status).toBe(200);
    await availability(call, "v1.apps", "Passed");
    expect((await call("GET", "/apis/apps/v1/deployments")).body.url).toBe("/apis/apps/v1/deployments");
    const { service: _, insecureSkipTLSVerify: __, ...without } = spec;
    const stored = (await call("GET", path)).body;
    expect((await call("PUT", path, { body: { ...stored, spec: without } })).status).toBe(200);
    expect((await call("GET", "/apis/apps/v1/deployments")).body.kind).toBe("DeploymentList");
  });

  it("includes only servers with a trusted certificate", async () => {
    const name = await register(call, { port: extension.port, group: "untrusted.example.com" });
    await availability(call, name, "Passed");
    const { status, text } = await call("GET", "/apis/untrusted.example.com/v1/things");
    expect([status, text]).toEqual([
      503,
      "error trying to reach service: tls: failed to verify certificate: x509: certificate signed by unknown authority\n",
    ]);
    const other = await register(call, { ...extension, group: "misnamed.example.com", service: "other" });
    await availability(call, other, "Passed");
    expect((await call("GET", "/apis/misnamed.example.com/v1/things")).text).toBe(
      "error trying to reach service: tls: failed to verify certificate: x509: certificate is valid for ext.default.svc, not other.default.svc\n",
    );
    await register(call, { port: extension.port, group: "insecure.example.com", insecure: true });
    await availability(call, "v1.insecure.example.com", "Passed");
    expect((await call("GET", "/apis/insecure.example.com/v1/things")).body.url).toBe(
      "/apis/insecure.example.com/v1/things",
    );
  });
});
