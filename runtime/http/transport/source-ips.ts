import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

const MAPPED = /^::ffff:(?=\d+\.)/i;

/** Source addresses of a request: those from proxy headers, in order, then the peer of the connection. */
export function sourceIps({ headers, socket }: IncomingMessage): string[] {
  const found = headerText(headers["x-forwarded-for"])
    .split(",")
    .map((part) => part.trim())
    .filter(isAddress);
  const real = headerText(headers["x-real-ip"]);
  if (isAddress(real) && !found.includes(real)) found.push(real);
  const peer = (socket.remoteAddress ?? "").replace(MAPPED, "");
  if (isAddress(peer) && found.at(-1) !== peer) found.push(peer);
  return found;
}

function headerText(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? "";
}

function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}
