import type { Attacker, Step } from "../input.ts";
import { mutateBytes } from "../mutate.ts";
import type { Random } from "../random.ts";
import { collectionPath, ENDPOINTS, NAMESPACES } from "./targets.ts";

/** Bytes on an HTTP/1 connection: request lines, headers, chunks, pipelines and upgrades, complete and broken. */
export const http1: Attacker = {
  name: "http1",
  lanes: 8,
  make(random) {
    const requests = Array.from({ length: 1 + random.int(5) }, () => message(random));
    const bytes = Buffer.concat(requests);
    const steps: Step[] = [];
    if (random.chance(0.7)) steps.push({ write: random.chance(0.3) ? mutateBytes(random, bytes) : bytes });
    else {
      const cut = random.int(bytes.length + 1);
      steps.push({ write: bytes.subarray(0, cut) }, { pauseMs: random.int(10) }, { write: bytes.subarray(cut) });
    }
    steps.push(...random.pick<Step[]>([[], [], [], ["end"], ["reset"]]));
    return { kind: "script", script: { protocol: "http/1.1", steps, patienceMs: 200 } };
  },
};

const METHODS = [
  "GET",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
  "HEAD",
  "OPTIONS",
  "CONNECT",
  "TRACE",
  "PRI",
  "MOVE",
  "QUERY",
];

function message(random: Random): Buffer {
  const method = random.chance(0.8) ? random.pick(METHODS) : random.hostileString(300);
  const version = random.chance(0.9)
    ? "HTTP/1.1"
    : random.pick(["HTTP/1.0", "HTTP/2.0", "HTTP/0.9", "HTTP/1.", "", "x"]);
  const end = random.chance(0.95) ? "\r\n" : random.pick(["\n", "\r", "\r\r\n", "\n\r"]);
  const { headers, body } = framing(random, method);
  const lines = [
    `${method} ${target(random)} ${version}`,
    ...(random.chance(0.95) ? ["Host: 127.0.0.1"] : []),
    ...headers,
    ...random.times(4, () => header(random)),
  ];
  return Buffer.concat([Buffer.from(lines.join(end) + end + end, random.chance(0.5) ? "utf8" : "latin1"), body]);
}

function target(random: Random): string {
  return random.one(
    () => "/version",
    () => "/livez",
    () => collectionPath(random.pick(ENDPOINTS), random.pick(NAMESPACES)),
    () => `${collectionPath(random.pick(ENDPOINTS), random.pick(NAMESPACES))}?watch=1&timeoutSeconds=1`,
    () => "*",
    () => "http://example.com/api/v1",
    () => "https://127.0.0.1:0/apis?x#y",
    () => "//api/v1",
    () => `/${random.hostileString(3000)}`,
    () => random.hostileString(3000),
  );
}

/** Returns headers and body. The end of the body is given by length, by chunks, by both, or by neither. */
function framing(random: Random, method: string): { headers: string[]; body: Buffer } {
  if (method === "GET" && random.chance(0.7)) return { headers: [], body: Buffer.alloc(0) };
  const text = random.one(
    () => '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"one"}}',
    () => "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n",
    () => random.hostileString(2000),
  );
  const body = Buffer.from(text);
  const length = random.chance(0.7)
    ? String(body.length)
    : random.pick(["-1", "0", "5", "+5", "0x5", "1e1", "5, 5", "99999999999999999999", "", " 5 "]);
  const chunked = Buffer.from(chunks(random, text));
  const coding = random.chance(0.6)
    ? "chunked"
    : random.pick([
        "Chunked",
        "chunked, identity",
        "identity",
        "gzip, chunked",
        "xchunked",
        "chunked\t",
        "\x0bchunked",
        "chunked, chunked",
      ]);
  return random.pick([
    { headers: [`Content-Length: ${length}`], body },
    { headers: [`Content-Length: ${length}`], body },
    { headers: [`Transfer-Encoding: ${coding}`], body: chunked },
    { headers: [`Transfer-Encoding: ${coding}`], body: chunked },
    { headers: [`Content-Length: ${length}`, `Transfer-Encoding: ${coding}`], body: chunked },
    { headers: [`Transfer-Encoding: ${coding}`, `Content-Length: ${length}`], body },
    { headers: [`Content-Length: ${body.length}`, "Content-Length: 5"], body },
    { headers: [`Transfer-Encoding : ${coding}`], body: chunked },
    { headers: ["Expect: 100-continue", `Content-Length: ${body.length}`], body },
    { headers: [], body },
  ]);
}

function chunks(random: Random, text: string): string {
  const size = random.chance(0.8)
    ? text.length.toString(16)
    : random.pick(["0", "-1", "ffffffffffffffffff", "0x5", "5 ", ""]);
  const extension = random.chance(0.1) ? `;${random.hostileString(2000)}` : "";
  const trailer = random.chance(0.1) ? `${header(random)}\r\n` : "";
  return `${size}${extension}\r\n${text}\r\n0\r\n${trailer}${random.chance(0.9) ? "\r\n" : ""}`;
}

function header(random: Random): string {
  return random.one(
    () =>
      random.pick([
        "Connection: close",
        "Connection: keep-alive",
        "Connection: Upgrade",
        "Connection: Upgrade, HTTP2-Settings",
      ]),
    () =>
      random.pick(["Upgrade: websocket", "Upgrade: h2c", "Upgrade: SPDY/3.1", "Upgrade: x", "Upgrade: websocket, h2c"]),
    () =>
      "Connection: Upgrade\r\nUpgrade: websocket\r\nOrigin: https://here\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    () =>
      random.pick([
        "Sec-WebSocket-Version: 99",
        "Sec-WebSocket-Key: x",
        "HTTP2-Settings: AAAA",
        "Sec-WebSocket-Protocol: v5.channel.k8s.io",
      ]),
    () => "Authorization: Bearer tenant-a-token",
    () => `${random.hostileString(500)}: ${random.hostileString(500)}`,
    () => `X-${random.hostileName()}: ${"a".repeat(random.length(100_000))}`,
    () => ` folded ${random.hostileString(100)}`,
    () => `NoColon${random.hostileString(100)}`,
    () => `Content-Type: ${random.pick(["application/json", "application/yaml", random.hostileString(100)])}`,
    () => random.pick(["Host: a", "Host:", "Host: a, b", "Trailer: x", "TE: trailers", "Via: x", "Max-Forwards: 0"]),
  );
}
