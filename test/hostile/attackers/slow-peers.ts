import { Flag, FrameType, frame, headerBlock, PREFACE, settings } from "../http2-frames.ts";
import type { Attacker, Step } from "../input.ts";
import type { Random } from "../random.ts";

/** Start of a ClientHello that announces more bytes than it sends. */
const HALF_HELLO = Buffer.from("16030100c8010000c40303", "hex");
const AUTHORIZATION = "Authorization: Bearer tenant-a-token";
const CONFIG_MAPS = "/api/v1/namespaces/tenant-a/configmaps";

/** Peers that stop in the middle of a message and keep their connection. Each reconnects as soon as it is dropped. */
export const slowPeers: Attacker = {
  name: "slow-peers",
  lanes: 60,
  isSlow: true,
  expects: [503, 504],
  make(random) {
    const hold: Step = { pauseMs: 500 + random.int(random.chance(0.1) ? 40_000 : 4000) };
    const [protocol, ...steps] = phase(random);
    return {
      kind: "script",
      script: { protocol, steps: [...steps, hold, ...random.pick<Step[]>([[], ["end"], ["reset"]])], patienceMs: 100 },
    };
  },
};

type Phase = [protocol: "http/1.1" | "h2" | "none", ...steps: Step[]];

const text = (content: string): Step => ({ write: Buffer.from(content) });

function phase(random: Random): Phase {
  const post = `POST ${CONFIG_MAPS} HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}\r\nContent-Type: application/json\r\n`;
  const h2Request: [string, string][] = [
    [":method", "GET"],
    [":scheme", "https"],
    [":authority", "x"],
    [":path", `${CONFIG_MAPS}?watch=1`],
    ["authorization", "Bearer tenant-a-token"],
  ];
  const hello = Buffer.concat([PREFACE, settings([[4, 0]])]);
  return random.one<Phase>(
    () => ["none"],
    () => ["none", { write: HALF_HELLO }],
    () => ["none", text("GET / HTTP/1.1\r\n\r\n")],
    () => ["none", { write: random.bytes(random.int(300)) }],
    () => ["http/1.1"],
    () => ["http/1.1", text("GET /api/v1/name")],
    () => ["http/1.1", text("GET /version HTTP/1.1\r\nHost: x\r\nX-A"), "end"],
    () => ["http/1.1", ...Array.from({ length: 40 }, (): Step[] => [text("GET"), { pauseMs: 50 }]).flat()],
    () => ["http/1.1", text(`${post}Content-Length: 100\r\n\r\n{"kind":`)],
    () => ["http/1.1", text(`${post}Content-Length: 100\r\n\r\n`), "end"],
    () => ["http/1.1", text(`${post}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`)],
    () => ["http/1.1", text(`${post}Transfer-Encoding: chunked\r\n\r\nff\r\n{`)],
    () => [
      "http/1.1",
      "stop-reading",
      text(`GET /openapi/v2 HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}\r\n\r\n`.repeat(8)),
    ],
    () => [
      "http/1.1",
      "stop-reading",
      text(`GET ${CONFIG_MAPS}?watch=1 HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}\r\n\r\n`),
    ],
    () => ["http/1.1", text(`GET ${CONFIG_MAPS}?watch=1 HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}\r\n\r\n`), "end"],
    () => ["h2"],
    () => ["h2", { write: PREFACE.subarray(0, 10) }],
    () => ["h2", { write: hello }],
    () => ["h2", { write: Buffer.concat([hello, frame(FrameType.headers, 0, 1, headerBlock(h2Request))]) }],
    () => [
      "h2",
      { write: Buffer.concat([hello, frame(FrameType.headers, Flag.endHeaders, 1, headerBlock(post2(h2Request)))]) },
    ],
    () => [
      "h2",
      {
        write: Buffer.concat([
          hello,
          ...Array.from({ length: 1 + random.int(40) }, (_, index) =>
            frame(FrameType.headers, Flag.endHeaders | Flag.endStream, 1 + 2 * index, headerBlock(h2Request)),
          ),
        ]),
      },
    ],
  );
}

function post2(fields: readonly [string, string][]): [string, string][] {
  return fields.map(([name, value]) => [name, name === ":method" ? "POST" : name === ":path" ? CONFIG_MAPS : value]);
}
