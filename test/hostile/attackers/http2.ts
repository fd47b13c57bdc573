import { Flag, FrameType, frame, headerBlock, PREFACE, rstStream, settings, windowUpdate } from "../http2-frames.ts";
import type { Attacker, Step } from "../input.ts";
import { mutateBytes } from "../mutate.ts";
import type { Random } from "../random.ts";

import { collectionPath, ENDPOINTS, NAMESPACES } from "./targets.ts";

/** Frames on an HTTP/2 connection, in valid and invalid order. */
export const http2: Attacker = {
  name: "http2",
  lanes: 8,
  make(random) {
    // A protocol violation ends the connection. Therefore half of the peers comply with the protocol and are hostile within its rules.
    if (random.chance(0.5))
      return { kind: "script", script: { protocol: "h2", steps: polite(random), patienceMs: 300 } };
    const frames: Buffer[] = [];
    if (random.chance(0.97)) frames.push(PREFACE);
    if (random.chance(0.97)) frames.push(settings(someSettings(random)));
    let stream = 1;
    for (let count = 1 + random.int(12); count > 0; count--) {
      frames.push(...move(random, stream));
      if (random.chance(0.8)) stream += 2;
    }
    const bytes = Buffer.concat(frames);
    const steps: Step[] = [{ write: random.chance(0.15) ? mutateBytes(random, bytes) : bytes }];
    if (random.chance(0.1)) steps.unshift("stop-reading");
    steps.push(...random.pick<Step[]>([[], [], [], ["end"], ["reset"]]));
    return { kind: "script", script: { protocol: "h2", steps, patienceMs: 200 } };
  },
};

/** A peer that complies with the protocol: floods, resets, tiny windows and slow bodies are all allowed. */
function polite(random: Random): Step[] {
  const window = random.pick([0, 1, 100, 65_535]);
  const frames = [PREFACE, settings([[4, window]])];
  for (let stream = 1; stream < 2 * (1 + random.int(20)); stream += 2) {
    const fields = politeFields(random);
    const hasBody = fields[0]?.[1] !== "GET" && fields[0]?.[1] !== "HEAD";
    const flags = Flag.endHeaders | (hasBody ? 0 : Flag.endStream);
    frames.push(frame(FrameType.headers, flags, stream, headerBlock(fields).subarray(0, 16_384)));
    if (hasBody)
      frames.push(frame(FrameType.data, random.pick([0, 1, 1]), stream, Buffer.from(random.hostileString(500))));
    if (random.chance(0.2)) frames.push(rstStream(stream));
    if (random.chance(0.2)) frames.push(windowUpdate(random.pick([0, stream]), 1 + random.int(70_000)));
    if (random.chance(0.1)) frames.push(frame(FrameType.ping, 0, 0, random.bytes(8)));
    if (random.chance(0.1)) frames.push(settings([[4, random.pick([0, 1, 65_535])]]));
  }
  return [{ write: Buffer.concat(frames) }, ...random.pick<Step[]>([[], [], ["end"], ["reset"]])];
}

function politeFields(random: Random): [string, string][] {
  const path = collectionPath(random.pick(ENDPOINTS), random.pick([...NAMESPACES, "tenant-a"]));
  const query = random.pick([
    "",
    "",
    "?limit=1",
    "?watch=1&timeoutSeconds=1",
    `?labelSelector=${encodeURIComponent(random.hostileName())}`,
  ]);
  return [
    [":method", random.pick(["GET", "GET", "GET", "HEAD", "POST", "DELETE", "PATCH"])],
    [":scheme", "https"],
    [":authority", "127.0.0.1"],
    [":path", `${path}${query}`],
    ["authorization", `Bearer ${random.pick(["tenant-a", "admin", "nobody", "x"])}-token`],
    ...random.times(3, (): [string, string] => [
      random.pick(["accept", "content-type", "accept-encoding", "impersonate-user", "cookie", "x-constructor"]),
      random
        .hostileString(300)
        .replace(/(?!\t)\p{Cc}/gu, "")
        .trim(),
    ]),
  ];
}

function someSettings(random: Random): (readonly [number, number])[] {
  return random.times(4, () => [
    random.pick([1, 2, 3, 4, 5, 6, 8, 0, 65535]),
    random.pick([0, 1, 100, 16_384, 65_535, 2 ** 24, 2 ** 31 - 1, 2 ** 32 - 1]),
  ]);
}

/** Returns the next frames of a peer: a request, a part of one, or frames about the connection. */
function move(random: Random, stream: number): Buffer[] {
  return random.one<Buffer[]>(
    () => request(random, stream, true),
    () => request(random, stream, true),
    () => [...request(random, stream, true), rstStream(stream)],
    () => [...request(random, stream, false), ...data(random, stream)],
    () => continued(random, stream),
    () => prioritized(random, stream),
    () => [...request(random, stream, false), ...data(random, stream), ...trailers(random, stream)],
    () => Array.from({ length: random.length(300) }, () => frame(FrameType.ping, random.int(2), 0, random.bytes(8))),
    () => Array.from({ length: random.length(300) }, () => settings(someSettings(random))),
    () => Array.from({ length: random.length(300) }, (_, index) => rapidReset(random, stream + 2 * index)).flat(),
    () => [windowUpdate(random.pick([0, stream]), random.pick([0, 1, 2 ** 31 - 1, 2 ** 32 - 1]))],
    () => [
      frame(FrameType.priority, 0, stream, Buffer.concat([number32(random.pick([0, stream, 99])), random.bytes(1)])),
    ],
    () => [
      frame(
        FrameType.goaway,
        0,
        0,
        Buffer.concat([number32(stream), number32(random.int(15)), random.bytes(random.int(50))]),
      ),
    ],
    () => [
      frame(
        random.int(256),
        random.int(256),
        random.pick([0, stream, 2, 2 ** 31 - 1, 2 ** 32 - 1]),
        random.bytes(random.int(60)),
      ),
    ],
    () => [
      frame(
        random.int(10),
        random.int(256),
        stream,
        random.bytes(random.int(20)),
        random.pick([0, 1, 5, 16_385, 2 ** 24 - 1]),
      ),
    ],
    () => [
      frame(FrameType.pushPromise, Flag.endHeaders, stream, Buffer.concat([number32(2), headerBlock(fields(random))])),
    ],
  );
}

function fields(random: Random): [string, string][] {
  const isWatch = random.chance(0.15);
  const path = collectionPath(random.pick(ENDPOINTS), random.pick(NAMESPACES));
  const required: [string, string][] = [
    [
      ":method",
      random.chance(0.9) ? random.pick(["GET", "GET", "HEAD", "POST", "DELETE", "CONNECT"]) : random.hostileString(100),
    ],
    [":scheme", random.chance(0.95) ? "https" : random.hostileString(50)],
    [":authority", random.chance(0.95) ? "127.0.0.1" : random.hostileString(50)],
    [
      ":path",
      random.chance(0.85) ? `${path}${isWatch ? "?watch=1&timeoutSeconds=1" : ""}` : random.hostileString(3000),
    ],
  ];
  if (random.chance(0.1)) required.splice(random.int(4), 1 + random.int(2));
  if (random.chance(0.5)) required.push(["authorization", "Bearer tenant-a-token"]);
  const more = random.times(4, () =>
    random.one<[string, string]>(
      () => [random.hostileString(200), random.hostileString(200)],
      () => [
        random.pick([
          "connection",
          "transfer-encoding",
          "upgrade",
          "te",
          "host",
          "content-length",
          ":status",
          ":protocol",
          "cookie",
          "Accept",
        ]),
        random.hostileString(200),
      ],
      () => ["accept", random.pick(["application/json", "application/yaml", "application/cbor"])],
      () => ["content-length", random.pick(["0", "5", "-1", "99999999999"])],
      () => [`x-${random.hostileName().toLowerCase()}`, "a".repeat(random.length(30_000))],
    ),
  );
  const all = [...required, ...more];
  return random.chance(0.9) ? all : all.reverse();
}

function request(random: Random, stream: number, ends: boolean): Buffer[] {
  const block = headerBlock(fields(random)).subarray(0, 16_000);
  const flags = Flag.endHeaders | (ends ? Flag.endStream : 0);
  if (random.chance(0.05)) {
    return [
      frame(FrameType.headers, flags | Flag.padded, stream, Buffer.concat([Buffer.from([random.int(256)]), block])),
    ];
  }
  return [
    frame(
      FrameType.headers,
      flags,
      stream,
      random.chance(0.1) ? mutateBytes(random, block).subarray(0, 16_384) : block,
    ),
  ];
}

function data(random: Random, stream: number): Buffer[] {
  const body = Buffer.from('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"one"}}');
  return random.one<Buffer[]>(
    () => [frame(FrameType.data, Flag.endStream, stream, body)],
    () => [frame(FrameType.data, 0, stream, body)],
    () =>
      Array.from({ length: random.length(200) }, () => frame(FrameType.data, 0, stream, Buffer.alloc(random.int(2)))),
    () => [frame(FrameType.data, Flag.padded, stream, Buffer.concat([Buffer.from([255]), body]))],
  );
}

/** Returns headers in many frames, which may never end. */
function continued(random: Random, stream: number): Buffer[] {
  const block = headerBlock(fields(random)).subarray(0, 60_000);
  const pieces = Array.from({ length: random.length(300) }, (_, index) => {
    const piece = random.chance(0.5) ? Buffer.alloc(0) : block.subarray(index * 10, index * 10 + 10);
    return frame(FrameType.continuation, 0, stream, piece);
  });
  const last = random.chance(0.6)
    ? [frame(FrameType.continuation, Flag.endHeaders, stream, block.subarray(0, 16_000))]
    : [];
  return [frame(FrameType.headers, random.pick([0, Flag.endStream]), stream, Buffer.alloc(0)), ...pieces, ...last];
}

/** Returns a request whose headers state on which stream it depends, including itself and cycles, then other priorities for it. */
function prioritized(random: Random, stream: number): Buffer[] {
  const priority = () =>
    Buffer.concat([number32(random.pick([0, stream, stream + 2, 2 ** 31 + stream, 2 ** 32 - 1])), random.bytes(1)]);
  const block = headerBlock(fields(random)).subarray(0, 16_000);
  const flags = Flag.endHeaders | Flag.endStream | Flag.priority;
  const more = Array.from({ length: random.length(300) }, (_, index) =>
    frame(FrameType.priority, 0, random.pick([stream, stream + 2 * index]), priority()),
  );
  return [frame(FrameType.headers, flags, stream, Buffer.concat([priority(), block])), ...more];
}

/** Returns headers after a body: with or without an end, with pseudo-headers, or several times. */
function trailers(random: Random, stream: number): Buffer[] {
  return Array.from({ length: 1 + random.int(3) }, () => {
    const pairs = random.one<[string, string][]>(
      () => [["x-checksum", random.hostileString(200)]],
      () => [[random.pick([":method", ":path", ":status", ":authority"]), "/api/v1/namespaces"]],
      () => [
        ["authorization", "Bearer admin-token"],
        ["content-length", "5"],
      ],
      () => fields(random),
      () => [],
    );
    const flags = random.pick([Flag.endHeaders | Flag.endStream, Flag.endHeaders | Flag.endStream, Flag.endHeaders, 0]);
    return frame(FrameType.headers, flags, stream, headerBlock(pairs).subarray(0, 16_000));
  });
}

function rapidReset(random: Random, stream: number): Buffer[] {
  return [...request(random, stream, true), rstStream(stream)];
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}
