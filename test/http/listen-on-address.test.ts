import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const LISTEN = new URL("../../runtime/http/transport/listen.ts", import.meta.url).href;

/** In a process of its own without a channel to its parent, as servers run. */
const SCRIPT = `
import { listen } from ${JSON.stringify(LISTEN)};
const names = ["handshakeTimeoutMs", "headersTimeoutMs", "idleTimeoutMs", "progressTimeoutMs", "requestTimeoutMs"];
const limits = Object.fromEntries(names.map((name) => [name, 10_000]));
const open = (host, port = 0) => listen((_, response) => response.end("served"), { host, port, limits });
const first = await open("127.0.0.1");
const { address, family, port } = first.address;
const loadsCluster = process.moduleLoadList.includes("NativeModule cluster");
const taken = await open("127.0.0.1", port).then(() => "", (error) => error.code + " " + error.syscall);
const foreign = await open("192.0.2.1").then(() => "", (error) => error.code + " " + error.syscall);
const text = await (await fetch("http://127.0.0.1:" + port)).text();
const named = await open("localhost");
console.log(JSON.stringify({ address, family, loadsCluster, taken, foreign, text, named: named.address.port > 0 }));
await Promise.all([first.close(0), named.close(0)]);
`;

it("listens on an address without loading node:cluster, and on a name; rejects with the error of the socket", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    "--input-type=module",
    "--eval",
    SCRIPT,
  ]);
  expect(JSON.parse(stdout)).toEqual({
    address: "127.0.0.1",
    family: "IPv4",
    loadsCluster: false,
    taken: "EADDRINUSE listen",
    foreign: "EADDRNOTAVAIL listen",
    text: "served",
    named: true,
  });
});
