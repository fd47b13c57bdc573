import type { Attacker, Step } from "../input.ts";
import type { Random } from "../random.ts";

const TARGETS = [
  "/api/v1/namespaces/tenant-a/configmaps?watch=1",
  "/api/v1/namespaces/tenant-a/configmaps?watch=1",
  "/api/v1/namespaces/tenant-a/pods?watch=1&timeoutSeconds=1",
  "/api/v1/watch/namespaces/tenant-a/secrets",
  "/apis/apps/v1/namespaces/tenant-a/deployments?watch=1&resourceVersion=1",
  "/api/v1/namespaces/tenant-b/configmaps?watch=1",
  "/api/v1/namespaces/tenant-a/pods/one/exec?command=sh&stdin=1",
  "/api/v1/namespaces/tenant-a/pods/one/attach",
  "/api/v1/namespaces/tenant-a/pods/one/portforward?ports=80",
  "/api/v1/namespaces/tenant-a/services/one/proxy/",
  "/api/v1/namespaces/tenant-a/configmaps",
  "/version",
  "/constructor",
];

/** WebSocket handshakes, followed by frames. */
export const websocket: Attacker = {
  name: "websocket",
  lanes: 8,
  make(random) {
    const steps: Step[] = [{ write: Buffer.from(handshake(random)) }];
    const frames = Buffer.concat(random.times(6, () => webSocketFrame(random)));
    if (random.chance(0.7)) steps.push({ pauseMs: 5 + random.int(20) });
    steps.push({ write: frames }, ...random.pick<Step[]>([[], [], ["end"], ["reset"], ["stop-reading"]]));
    return { kind: "script", script: { protocol: "http/1.1", steps, patienceMs: 120 } };
  },
};

function handshake(random: Random): string {
  const usual = random.chance(0.8);
  const key = usual ? random.bytes(16).toString("base64") : random.hostileString(100);
  const lines = [
    `${usual ? "GET" : random.pick(["GET", "POST", "HEAD", "PUT", "DELETE"])} ${random.pick(TARGETS)} HTTP/1.1`,
    "Host: 127.0.0.1",
    `Origin: ${usual ? "https://127.0.0.1" : random.hostileString(100)}`,
    `Connection: ${usual ? "Upgrade" : random.pick(["upgrade", "keep-alive, Upgrade", "close"])}`,
    `Upgrade: ${usual ? "websocket" : random.pick(["WebSocket", "spdy/3.1", "h2c", random.hostileString(20)])}`,
    `Sec-WebSocket-Version: ${usual ? 13 : random.pick(["8", "12", "99", "x"])}`,
    ...(usual || random.chance(0.8) ? [`Sec-WebSocket-Key: ${key}`] : []),
    ...(random.chance(0.2) ? ["Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=99"] : []),
  ];
  const token = Buffer.from("tenant-a-token").toString("base64url");
  if (random.chance(0.3)) {
    const own = `base64url.bearer.authorization.k8s.io.${random.chance(0.7) ? token : random.hostileString(50)}`;
    lines.push(`Sec-WebSocket-Protocol: ${random.pick(["", "v5.channel.k8s.io, ", "base64.binary.k8s.io, "])}${own}`);
  } else {
    lines.push("Authorization: Bearer tenant-a-token");
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
}

export function webSocketFrame(random: Random): Buffer {
  const opcode = random.chance(0.7) ? random.pick([0, 1, 2, 8, 9, 10]) : random.int(16);
  const flags = random.chance(0.8) ? 0x80 : random.int(16) << 4;
  const payload = random.one(
    () => Buffer.from("ab"),
    () => random.bytes(random.int(130)),
    () => Buffer.from([random.int(16), random.int(256)]),
    () => Buffer.alloc(random.length(70_000), 97),
    () => Buffer.alloc(0),
  );
  const masked = random.chance(0.8);
  const told = random.chance(0.9) ? payload.length : random.pick([0, 126, 127, 65_536, 2 ** 31, 2 ** 40]);
  const lengthBytes =
    told < 126
      ? Buffer.from([told])
      : told < 65_536
        ? Buffer.from([126, told >> 8, told & 255])
        : Buffer.concat([Buffer.from([127]), bigEndian64(told)]);
  if (masked) lengthBytes[0] = (lengthBytes[0] as number) | 0x80;
  const mask = masked ? random.bytes(4) : Buffer.alloc(0);
  const sent = masked ? payload.map((byte, index) => byte ^ (mask[index % 4] as number)) : payload;
  return Buffer.concat([Buffer.from([flags | opcode]), lengthBytes, mask, sent]);
}

function bigEndian64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
