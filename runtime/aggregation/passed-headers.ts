import type { IncomingMessage } from "node:http";

/** Hop-by-hop headers, which proxies must not forward. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "proxy-connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
]);

/** Headers that are not forwarded: credentials, headers that this server sets itself, and `Expect`, which it has already handled. */
const OWN_MATTER: ReadonlySet<string> = new Set(["authorization", "host", "audit-id", "expect", "content-length"]);
const IDENTITY = /^(?:impersonate-|x-remote-(?:user$|uid$|group$|extra-))/;
const FORWARDED: ReadonlySet<string> = new Set(["x-forwarded-uri", "x-forwarded-host", "x-forwarded-proto"]);

/** CORS headers: this server sets its own. */
const ORIGINS: ReadonlySet<string> = new Set([
  "access-control-allow-credentials",
  "access-control-allow-headers",
  "access-control-allow-methods",
  "access-control-allow-origin",
]);

export interface HeaderRules {
  /** Lower-case names and prefixes of the headers in which front proxies send the user. */
  readonly identity: { readonly names: ReadonlySet<string>; readonly prefixes: readonly string[] };
  /** Prefix of WebSocket protocols that contain a token. */
  readonly tokenProtocol: string;
}

/** Returns the request headers to forward, as alternating names and values like Node's rawHeaders. */
export function requestHeaders(
  { rawHeaders, headers }: Pick<IncomingMessage, "rawHeaders" | "headers">,
  { identity, tokenProtocol }: HeaderRules,
): string[] {
  const named = namedByConnection(headers.connection);
  const passed: string[] = [];
  for (const [name, value] of pairs(rawHeaders)) {
    const lower = name.toLowerCase();
    const isOurs =
      lower.startsWith(":") ||
      HOP_BY_HOP.has(lower) ||
      OWN_MATTER.has(lower) ||
      FORWARDED.has(lower) ||
      named.has(lower) ||
      IDENTITY.test(lower) ||
      lower === "x-forwarded-for" ||
      identity.names.has(lower) ||
      identity.prefixes.some((prefix) => lower.startsWith(prefix));
    if (isOurs) continue;
    const told = lower === "sec-websocket-protocol" ? withoutTokens(value, tokenProtocol) : value;
    if (told !== "" || value === "") passed.push(name, told);
  }
  return passed;
}

/** Returns the response headers to forward to the client, by lower-case name, without those that cannot be sent. */
export function answerHeaders({ rawHeaders, headers }: Pick<IncomingMessage, "rawHeaders" | "headers">) {
  const named = namedByConnection(headers.connection);
  const passed = new Map<string, { readonly name: string; readonly values: string[] }>();
  for (const [name, value] of pairs(rawHeaders)) {
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || ORIGINS.has(lower) || named.has(lower) || !isSendable(name, value)) continue;
    const known = passed.get(lower);
    if (known === undefined) passed.set(lower, { name, values: [value] });
    else known.values.push(value);
  }
  return passed;
}

/** Returns the `X-Forwarded-For` to send: the received value with the peer address appended. */
export function forwardedFor({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): string | undefined {
  const peer = socket?.remoteAddress?.replace(/^::ffff:(?=\d+\.)/i, "");
  const said = [headers["x-forwarded-for"] ?? []].flat();
  const chain = [...said, ...(peer === undefined ? [] : [peer])];
  return chain.length === 0 ? undefined : chain.join(", ");
}

function namedByConnection(connection: string | undefined): ReadonlySet<string> {
  return new Set((connection ?? "").split(",").map((name) => name.trim().toLowerCase()));
}

function withoutTokens(protocols: string, prefix: string): string {
  return protocols
    .split(",")
    .map((protocol) => protocol.trim())
    .filter((protocol) => !protocol.startsWith(prefix))
    .join(",");
}

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

function isSendable(name: string, value: string): boolean {
  return NAME.test(name) && VALUE.test(value);
}

function* pairs(rawHeaders: readonly string[]): Iterable<readonly [name: string, value: string]> {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    yield [rawHeaders[index] as string, rawHeaders[index + 1] as string];
}
