import type { Attacker, Step } from "../input.ts";
import { POD } from "../prepare.ts";
import type { Random } from "../random.ts";
import { webSocketFrame } from "./websocket.ts";

const PROTOCOLS = ["v5.channel.k8s.io", "v4.channel.k8s.io", "channel.k8s.io", "base64.channel.k8s.io"];
const TUNNEL = "SPDY/3.1+portforward.k8s.io";
const STREAM_PROTOCOLS = ["v5.channel.k8s.io", "v4.channel.k8s.io", "v2.channel.k8s.io", "portforward.k8s.io"];

/** Requests to exec, attach and port-forward, through WebSocket and SPDY, followed by frames. A kubelet accepts most of them. */
export const connections: Attacker = {
  name: "connections",
  lanes: 8,
  // If the kubelet closes the connection, the gateway reports an error.
  expects: [500, 502, 503, 504],
  make(random) {
    const isSpdy = random.chance(0.4);
    const steps: Step[] = [{ write: Buffer.from(handshake(random, isSpdy), "latin1") }];
    if (random.chance(0.8)) steps.push({ pauseMs: 20 + random.int(60) });
    const frames = Buffer.concat(random.times(6, () => (isSpdy ? spdyFrame(random) : webSocketFrame(random))));
    const end = random.pick<Step[]>([[], [], ["end"], ["reset"], ["stop-reading"]]);
    return {
      kind: "script",
      script: { protocol: "http/1.1", steps: [...steps, { write: frames }, ...end], patienceMs: 150 },
    };
  },
};

function handshake(random: Random, isSpdy: boolean): string {
  const isUsual = random.chance(0.8);
  const odd = () => random.hostileString(30).replace(/[\r\n]/g, "");
  const target = random.pick([
    `${POD}/exec?command=sh&stdin=1&stdout=1&stderr=1&tty=${random.int(2)}&n=${random.int(1000)}`,
    `${POD}/attach?stdin=1&stdout=1&n=${random.int(1000)}`,
    `${POD}/portforward?ports=${random.int(70_000)}&n=${random.int(1000)}`,
    `${POD}/portforward`,
    `${POD}/exec`,
    `${POD}/exec?command=${encodeURIComponent(odd().toWellFormed())}&container=${random.pick(["main", "other", "__proto__"])}`,
  ]);
  const lines = [
    `${random.chance(0.7) ? "GET" : "POST"} ${target} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Authorization: Bearer tenant-a-token",
    `Connection: ${isUsual ? "Upgrade" : random.pick(["upgrade", "keep-alive, Upgrade", "close"])}`,
    `Upgrade: ${isSpdy ? "SPDY/3.1" : "websocket"}`,
  ];
  if (isSpdy) {
    const count = isUsual ? 1 + random.int(3) : random.int(200);
    for (let i = 0; i < count; i++)
      lines.push(`X-Stream-Protocol-Version: ${isUsual ? random.pick(STREAM_PROTOCOLS) : odd()}`);
    if (random.chance(0.2)) lines.push("Content-Length: 5");
  } else {
    const key = isUsual ? random.bytes(16).toString("base64") : odd();
    lines.push(`Sec-WebSocket-Version: ${isUsual ? 13 : random.pick(["8", "99", "x"])}`, `Sec-WebSocket-Key: ${key}`);
    if (random.chance(0.9))
      lines.push(`Sec-WebSocket-Protocol: ${isUsual ? random.pick([...PROTOCOLS, TUNNEL]) : `${odd()}, ${TUNNEL}`}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** Returns a SPDY/3.1 frame: control (SYN_STREAM, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE …) or data. */
function spdyFrame(random: Random): Buffer {
  const payload = random.one(
    () => random.bytes(random.int(40)),
    () => Buffer.alloc(random.length(40_000), 97),
    () => Buffer.alloc(0),
  );
  const head = Buffer.alloc(8);
  const isControl = random.chance(0.6);
  head.writeUInt16BE(isControl ? 0x8003 : 0, 0);
  head.writeUInt16BE(isControl ? random.pick([1, 2, 3, 4, 6, 7, 8, 9, random.int(65_536)]) : 1 + 2 * random.int(5), 2);
  const told = random.chance(0.9) ? payload.length : random.int(2 ** 24);
  head.writeUInt32BE(random.int(4) * 2 ** 24 + told, 4);
  return Buffer.concat([head, payload]);
}
