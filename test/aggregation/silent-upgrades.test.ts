import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import type { Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";
import { availability, type ExtensionServer, register, startExtension } from "./extension-server.ts";

const { call, running } = servePlane({ "request-timeout": "3s" });
const ATTACH = "/apis/echo.example.com/v1/things/a/attach";
let extension: ExtensionServer;
/** Connections on which the extension server was requested to switch protocols. It responds to none of them. */
const asked: Socket[] = [];

beforeAll(async () => {
  extension = await startExtension(
    (_req, res) => void res.end("{}"),
    (_req, socket) => void asked.push(socket.on("error", () => socket.destroy())),
  );
  await availability(call, await register(call, extension), "Passed");
});
afterAll(() => extension.close());

function upgrade() {
  const { server, certificateAuthority: ca, token } = running().client;
  const headers = { Authorization: `Bearer ${token}`, Connection: "Upgrade", Upgrade: "echo" };
  return request(`${server}${ATTACH}`, { ca, agent: false, headers });
}

const openRequests = async () => {
  const { text } = await call("GET", "/metrics");
  return /^typeplane_budget_used\{budget="longrunning_requests"\} (\d+)$/m.exec(text)?.[1];
};

it("a request to switch protocols that an extension server leaves unanswered ends after --request-timeout", async () => {
  const [answer] = (await once(upgrade().end(), "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(503);
  expect(Buffer.concat(await answer.toArray()).toString()).toContain("context deadline exceeded");
  await expect.poll(() => asked.every(({ destroyed }) => destroyed), { timeout: 120_000 }).toBe(true);
  expect(asked).toHaveLength(1);
  await expect.poll(openRequests, { timeout: 120_000 }).toBe("0");
});

it("a client that leaves while the extension server is silent leaves nothing behind", async () => {
  const outgoing = upgrade().on("error", () => undefined);
  outgoing.end();
  await expect.poll(() => asked.length, { timeout: 120_000 }).toBe(2);
  outgoing.destroy();
  await expect.poll(() => asked.every(({ destroyed }) => destroyed), { timeout: 120_000 }).toBe(true);
  await expect.poll(openRequests, { timeout: 120_000 }).toBe("0");
});
