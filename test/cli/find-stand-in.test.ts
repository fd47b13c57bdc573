import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { ensureClusterIdentity } from "../../runtime/auth/pki/cluster-identity.ts";
import { findStandIn } from "../../runtime/cli/assets/find-stand-in.ts";
import type { EtcdConfig } from "../../runtime/store/open-store.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const answering =
  (body: string): RequestListener =>
  (request, response) =>
    void response.end(request.url === "/version" ? body : "");

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const STAND_IN = '{"etcdserver":"3.5.0","typeplaneStandIn":{"dataDir":"/dätä"}}';

const config = (server: string, authority?: string): EtcdConfig => ({
  servers: [server],
  prefix: "/registry",
  authority,
  client: undefined,
});

it("finds the data directory of the stand-in for etcd by HTTP and by HTTPS, by address and by name", async () => {
  const plain = await portOf(createServer(answering(STAND_IN)));
  const identity = ensureClusterIdentity({
    directory: undefined,
    names: ["127.0.0.1", "localhost"],
    vendor: "kubernetes",
    now: () => new Date(),
  });
  const { certificatePem: cert, keyPem: key } = identity.serving;
  const secure = await portOf(createTlsServer({ cert, key }, answering(STAND_IN)));
  const authority = identity.authorityPem;
  for (const server of [
    `http://127.0.0.1:${plain}`,
    `http://localhost:${plain}`,
    `https://127.0.0.1:${secure}`,
    `https://localhost:${secure}`,
  ])
    expect(await findStandIn(config(server, authority)), server).toEqual({ dataDir: "/dätä" });
  expect(await findStandIn(config(`https://127.0.0.1:${secure}`))).toBeUndefined();
});

it("finds none in another server, or in a response that is too long or no JSON", async () => {
  for (const body of ['{"etcdserver":"3.5.0"}', "", "no JSON", "null", `{"a":"${"x".repeat(70_000)}"}`]) {
    const port = await portOf(createServer(answering(body)));
    expect(await findStandIn(config(`http://127.0.0.1:${port}`)), body.slice(0, 30)).toBeUndefined();
  }
});

it("waits for an etcd that does not listen yet", async () => {
  const first = createServer();
  const port = await portOf(first);
  await new Promise((resolve) => first.close(resolve));
  servers.pop();
  const found = findStandIn(config(`http://127.0.0.1:${port}`));
  await new Promise((resolve) => setTimeout(resolve, 120));
  const late = createServer(answering(STAND_IN));
  servers.push(late);
  late.listen(port, "127.0.0.1");
  expect(await found).toEqual({ dataDir: "/dätä" });
});
