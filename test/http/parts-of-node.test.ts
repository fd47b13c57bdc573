import { once } from "node:events";
import { createServer as createPlainServer, type IncomingMessage, request as requestPlain } from "node:http";
import { connect } from "node:http2";
import { Agent, request } from "node:https";
import { type AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createHttpServer } from "../../runtime/http/transport/create-http-server.ts";
import { unfinishedResponse } from "../../runtime/http/transport/pipelined-requests.ts";
import { underlying } from "../../runtime/lib/read-pacer.ts";
import { createAuthority } from "../fixtures/certificates.ts";

/* Limits of connections use parts of Node that are not public. Where a version of Node has them no more, this says which, and not only that a limit is lost. */

const LIMITS = {
  maxConnections: 10,
  maxHandshakes: 10,
  handshakeTimeoutMs: 60_000,
  headersTimeoutMs: 60_000,
  idleTimeoutMs: 60_000,
  progressTimeoutMs: 60_000,
  requestTimeoutMs: 60_000,
};

const authority = createAuthority();
const { cert, key } = authority.issue("here", "server", { names: ["127.0.0.1"] });
const requests: IncomingMessage[] = [];
const unfinished: unknown[] = [];

/** What is not public, by where it is. */
interface Parts {
  readonly _handle?: { readStart?: unknown; readStop?: unknown };
  readonly parser?: { pause?: unknown };
  readonly maxHeaderSize?: unknown;
  readonly shouldUpgradeCallback?: unknown;
  readonly _sharedCreds?: { readonly context?: { setAllowPartialTrustChain?: unknown } };
  readonly _listen2?: unknown;
  readonly _dump?: unknown;
}
const partsOf = (value: object): Parts => value as Parts;

const server = createHttpServer(
  (req, res) => {
    requests.push(req);
    unfinished.push(unfinishedResponse(req.socket) === res);
    res.end("ok");
  },
  {
    limits: LIMITS,
    tls: {
      credentials: () => ({
        serving: { certificatePem: cert, keyPem: key },
        clientAuthorities: [authority.authority],
      }),
      minVersion: "TLSv1.2",
      ciphers: "",
      http2: true,
      maxStreams: 10,
    },
  },
);
const secured: TLSSocket[] = [];
server.on("secureConnection", (socket: TLSSocket) => secured.push(socket));
let url: string;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => void server.close(resolve)));

it("a connection of TLS tells the one of TCP below it, which can be paused, and its parser of HTTP/1.1", async () => {
  const agent = new Agent({ keepAlive: true });
  const [answer] = await once(request(url, { ca: authority.authority, agent }).end(), "response");
  answer.resume();
  const stream = secured.at(-1) as TLSSocket;
  const below = underlying(stream);
  expect(below).not.toBe(stream);
  expect(below).toBeInstanceOf(Socket);
  expect(partsOf(below)._handle).toMatchObject({
    readStart: expect.any(Function),
    readStop: expect.any(Function),
  });
  expect(partsOf(stream).parser?.pause).toBeTypeOf("function");
  expect(unfinished.at(-1)).toBe(true);
  expect(partsOf(requests.at(-1) as IncomingMessage)._dump).toBeTypeOf("function");
  agent.destroy();
});

it("a session of HTTP/2 tells the connection of TCP below it", async () => {
  const session = connect(url, { ca: authority.authority });
  const [inner] = await once(server, "session");
  const below = underlying(inner.socket);
  expect(below).toBeInstanceOf(Socket);
  expect(partsOf(below)._handle?.readStop).toBeTypeOf("function");
  session.destroy();
});

it("a server has a context of TLS, and limits headers by a member", () => {
  expect(partsOf(server)._sharedCreds?.context?.setAllowPartialTrustChain).toBeTypeOf("function");
  expect(partsOf(createHttpServer(() => undefined, { limits: LIMITS })).maxHeaderSize).toBe(1024 * 1024);
});

it("a server limits the headers of the next connection by a member that is set while it listens", async () => {
  const plain = createPlainServer((_, res) => res.end("ok"));
  plain.listen(0, "127.0.0.1");
  await once(plain, "listening");
  const { port } = plain.address() as AddressInfo;
  const statusOf = async (): Promise<number> => {
    const headers = { "X-Long": "x".repeat(10_000) };
    const [{ statusCode }] = await once(
      requestPlain({ port, host: "127.0.0.1", headers, agent: false }).end(),
      "response",
    );
    return statusCode;
  };
  expect(await statusOf()).toBe(200);
  Object.assign(plain, { maxHeaderSize: 5000 });
  expect(await statusOf()).toBe(431);
  plain.closeAllConnections();
  await new Promise((resolve) => plain.close(resolve));
});
