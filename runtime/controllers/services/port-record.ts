/**
 * Record of allocated node ports that all servers over one store share, so that no port is allocated twice. It is written with compare-and-set. The
 * only server of a store needs none.
 */
export interface PortRecord {
  /** Returns the marked ports; undefined if no record exists yet. */
  read(): Promise<ReadonlySet<number> | undefined>;
  /** Changes the marked ports with compare-and-set. `change` may be called more than once; it returns undefined to change nothing. */
  update(change: (marked: ReadonlySet<number> | undefined) => ReadonlySet<number> | undefined): Promise<void>;
}

/** Marks a port. Returns false if it is already marked. A new record starts with the ports known to be in use. */
export async function markPort(record: PortRecord, port: number, inUse: () => Iterable<number>): Promise<boolean> {
  let marked = false;
  await record.update((current) => {
    const known = current ?? new Set(inUse());
    marked = !known.has(port);
    return marked ? new Set(known).add(port) : undefined;
  });
  return marked;
}

export async function unmarkPorts(record: PortRecord, ports: readonly number[]): Promise<void> {
  if (ports.length === 0) return;
  const gone = new Set(ports);
  await record.update((current) => {
    if (current === undefined || !ports.some((port) => current.has(port))) return undefined;
    return new Set([...current].filter((port) => !gone.has(port)));
  });
}

/** Encodes numbers of a range as bits of one big-endian number without leading zeros: the format of Kubernetes. */
export function encodeBitmap(numbers: Iterable<number>, { first, last }: PortRange): Buffer {
  const bytes = Buffer.alloc((last - first) / 8 + 1);
  for (const number of numbers) {
    const index = number - first;
    if (index < 0 || number > last) continue;
    const at = bytes.length - 1 - (index >> 3);
    bytes[at] = (bytes[at] ?? 0) | (1 << (index & 7));
  }
  const begins = bytes.findIndex((byte) => byte !== 0);
  return begins < 0 ? Buffer.alloc(0) : bytes.subarray(begins);
}

export function decodeBitmap(bytes: Uint8Array, { first, last }: PortRange): Set<number> {
  const numbers = new Set<number>();
  for (let number = first; number <= last; number += 1) {
    const index = number - first;
    const byte = bytes[bytes.length - 1 - (index >> 3)] ?? 0;
    if ((byte & (1 << (index & 7))) !== 0) numbers.add(number);
  }
  return numbers;
}

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Formats a range like `30000-32767`. */
export function formatPortRange({ first, last }: PortRange): string {
  return `${first}-${last}`;
}

const LAST_PORT = 65535;

/** A port range cannot be used; the message contains the reason. */
export class PortRangeError extends Error {
  readonly code = "port-range";
}

/** Parses `30000-32767`, `30000+2767` or a single port. Throws a PortRangeError. */
export function parsePortRange(text: string): PortRange {
  const match = /^(\d+)(?:([-+])(\d+))?$/.exec(text.trim());
  if (match === null) throw new PortRangeError(`unable to parse port range: ${text}`);
  const [, start, sign, end = start] = match;
  const first = Number(start);
  const last = sign === "+" ? first + Number(end) : Number(end);
  if (first > LAST_PORT || last > LAST_PORT)
    throw new PortRangeError(`the port range cannot be greater than 65535: ${text}`);
  if (last < first) throw new PortRangeError(`end port cannot be less than start port: ${text}`);
  return { first, last };
}
