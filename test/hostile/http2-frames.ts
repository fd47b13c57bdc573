/** HTTP/2 frames as bytes (RFC 9113), valid or not, and the minimum of HPACK that is needed to send a request. */

export const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

export const FrameType = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const Flag = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 32 } as const;

export const Setting = { headerTableSize: 1, maxConcurrentStreams: 3, initialWindowSize: 4, maxFrameSize: 5 } as const;

const HEAD_LENGTH = 9;

/** Returns one frame of any type. Its length field may be wrong. */
export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array = Buffer.alloc(0),
  length = payload.length,
): Buffer {
  const head = Buffer.alloc(HEAD_LENGTH);
  head.writeUIntBE(length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export function settings(values: readonly (readonly [id: number, value: number])[] = []): Buffer {
  const payload = Buffer.alloc(values.length * 6);
  for (const [index, [id, value]] of values.entries()) {
    payload.writeUInt16BE(id, index * 6);
    payload.writeUInt32BE(value, index * 6 + 2);
  }
  return frame(FrameType.settings, 0, 0, payload);
}

export const ping = (payload = Buffer.alloc(8)): Buffer => frame(FrameType.ping, 0, 0, payload);

export function rstStream(stream: number, code = 8): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(code);
  return frame(FrameType.rstStream, 0, stream, payload);
}

export function windowUpdate(stream: number, bytes: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(bytes);
  return frame(FrameType.windowUpdate, 0, stream, payload);
}

type Headers = Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[];

/** Encodes headers, each as a literal without indexing. A list can contain a name twice. */
export function headerBlock(headers: Headers): Buffer {
  const pairs = Array.isArray(headers) ? (headers as readonly (readonly [string, string])[]) : Object.entries(headers);
  return Buffer.concat(pairs.flatMap(([name, value]) => [Buffer.from([0]), literal(name), literal(value)]));
}

function literal(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  return Buffer.concat([integer(bytes.length), bytes]);
}

/** Encodes an integer with a seven-bit prefix (RFC 7541, section 5.1). */
function integer(value: number): Buffer {
  if (value < 127) return Buffer.from([value]);
  const bytes = [127];
  let rest = value - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
  return Buffer.from(bytes);
}

/** Returns the headers of a request, in one frame. */
export function request(
  stream: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  { method = "GET", flags = Flag.endHeaders | Flag.endStream }: { method?: string; flags?: number } = {},
): Buffer {
  const block = headerBlock({
    ":method": method,
    ":scheme": "https",
    ":path": path,
    ":authority": "here",
    ...headers,
  });
  return frame(FrameType.headers, flags, stream, block);
}

export interface ReceivedFrame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** Returns the complete frames at the start of the received bytes. */
export function framesIn(bytes: Buffer): ReceivedFrame[] {
  const frames: ReceivedFrame[] = [];
  let at = 0;
  while (at + HEAD_LENGTH <= bytes.length) {
    const length = bytes.readUIntBE(at, 3);
    const end = at + HEAD_LENGTH + length;
    if (end > bytes.length) break;
    frames.push({
      type: bytes[at + 3] ?? 0,
      flags: bytes[at + 4] ?? 0,
      stream: bytes.readUInt32BE(at + 5),
      payload: bytes.subarray(at + HEAD_LENGTH, end),
    });
    at = end;
  }
  return frames;
}
