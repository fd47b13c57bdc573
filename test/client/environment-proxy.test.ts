import { createServer } from "node:http";
import { type AddressInfo, connect as connectSocket } from "node:net";
import { expect, it } from "vitest";
import { proxyOf } from "../../runtime/client/transport/environment-proxy.ts";
import { connect } from "../../runtime/client.ts";
import { startHttps } from "../fixtures/https-server.ts";

const PROXY = "http://proxy.example.com:3128";

it.each([
  ["https://api.example.com:6443", {}, undefined],
  ["https://api.example.com:6443", { HTTPS_PROXY: PROXY }, PROXY],
  ["https://api.example.com:6443", { https_proxy: "proxy.example.com:3128" }, PROXY],
  ["https://api.example.com:6443", { HTTPS_PROXY: "", https_proxy: PROXY }, PROXY],
  ["http://api.example.com:8080", { HTTPS_PROXY: PROXY }, undefined],
  ["https://127.0.0.1:6443", { HTTPS_PROXY: PROXY }, undefined],
  ["https://localhost:6443", { HTTPS_PROXY: PROXY }, undefined],
  ["https://[::1]:6443", { HTTPS_PROXY: PROXY }, undefined],
  ["https://api.example.com:6443", { HTTPS_PROXY: PROXY, NO_PROXY: "*" }, undefined],
  ["https://api.example.com:6443", { HTTPS_PROXY: PROXY, NO_PROXY: "other, API.example.com" }, undefined],
  ["https://api.example.com:6443", { HTTPS_PROXY: PROXY, no_proxy: "example.com" }, undefined],
  ["https://example.com", { HTTPS_PROXY: PROXY, NO_PROXY: "example.com:443" }, undefined],
  ["https://example.com:6443", { HTTPS_PROXY: PROXY, NO_PROXY: "example.com:443,.example.com,*.example.com" }, PROXY],
  ["https://api.example.com:6443", { HTTPS_PROXY: PROXY, NO_PROXY: "*.example.com" }, undefined],
  ["https://notexample.com", { HTTPS_PROXY: PROXY, NO_PROXY: "example.com,ple.com,," }, PROXY],
  ["https://10.96.0.1", { HTTPS_PROXY: PROXY, NO_PROXY: "10.96.0.0/16" }, undefined],
  ["https://10.97.0.1", { HTTPS_PROXY: PROXY, NO_PROXY: "10.96.0.0/16,10.0.0.0/33,10.97.0.0/x,fd00::/8" }, PROXY],
  ["https://10.96.0.1", { HTTPS_PROXY: PROXY, NO_PROXY: "10.96.0.1" }, undefined],
  ["https://10.96.0.1:6443", { HTTPS_PROXY: PROXY, NO_PROXY: "10.96.0.1:443,96.0.1" }, PROXY],
  ["https://[fd00::1]:6443", { HTTPS_PROXY: PROXY, NO_PROXY: "fd00::/8" }, undefined],
  ["https://[fd00::1]:6443", { HTTPS_PROXY: PROXY, NO_PROXY: "[fd00::1]:6443" }, undefined],
  ["https://[fd00::1]:6443", { HTTPS_PROXY: PROXY, NO_PROXY: "fd00::1" }, undefined],
  ["https://[fd00::1]:6443", { HTTPS_PROXY: PROXY, NO_PROXY: "fd00::2,10.0.0.0/8" }, PROXY],
])("%s is reached with %j through %s", (server, environment, proxy) => {
  expect(proxyOf(server, environment)).toBe(proxy);
});

it("is used by a client whose kubeconfig names no other", async () => {
  const server = await startHttps((_request, response) => void response.end('{"ok":true}'));
  const targets: (string | undefined)[] = [];
  const proxy = createServer().on("connect", (request, socket) => {
    targets.push(request.url);
    const target = connectSocket(Number(new URL(server.url).port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    for (const one of [socket, target]) one.on("error", () => one.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const cluster = {
    server: "https://api.example.com:6443",
    "certificate-authority-data": Buffer.from(server.authority).toString("base64"),
    "tls-server-name": "localhost",
  };
  const kubeconfigText = JSON.stringify({
    clusters: [{ name: "c", cluster }],
    contexts: [{ name: "c", context: { cluster: "c" } }],
    "current-context": "c",
  });
  const environment = { HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
  const client = await connect({ kubeconfigText, environment });
  expect(await client.request({ method: "GET", path: "/x" })).toEqual({ ok: true });
  expect(targets).toEqual(["api.example.com:6443"]);
  client.close();
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
  await server.close();
});
