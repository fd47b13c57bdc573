import type { TLSSocket } from "node:tls";
import type { ClientCertificate, Credentials } from "../contract/authentication.ts";
import type { AppContext } from "./app-state.ts";

/** Certificates do not change during a connection. */
const certificates = new WeakMap<object, { readonly certificate: ClientCertificate | undefined }>();

export type ReadCertificate = (socket: TLSSocket) => ClientCertificate | undefined;

/** What a request shows of its sender; `read` is asked once for each connection. */
export function credentialsOf(ctx: AppContext, read: ReadCertificate): Credentials {
  const { req } = ctx;
  const certificate = certificateOf(req.socket as TLSSocket, read);
  return {
    header(name) {
      const value = req.headers[name];
      if (value === undefined) {
        return [];
      }
      if (Array.isArray(value)) {
        return value.map(asText);
      }
      return value.includes(", ") ? rawValues(req.rawHeaders, name, value).map(asText) : [asText(value)];
    },
    headerNames: () => Object.keys(req.headers),
    path: ctx.state.info.path,
    warn: (message) => void ctx.state.warnings.add(message),
    ...(certificate && { clientCertificate: certificate }),
  };
}

function certificateOf(socket: TLSSocket, read: ReadCertificate): ClientCertificate | undefined {
  if (typeof socket?.getPeerCertificate !== "function") {
    return undefined;
  }
  const session = (socket as { stream?: { session?: object } }).stream?.session ?? socket;
  let known = certificates.get(session);
  if (known === undefined) {
    known = { certificate: read(socket) };
    certificates.set(session, known);
  }
  return known.certificate;
}

/** Node takes each byte of a header for a character; names are UTF-8. */
function asText(header: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: whatever is ASCII stands for itself.
  return /^[\x00-\x7f]*$/.test(header) ? header : Buffer.from(header, "latin1").toString("utf8");
}

/** Node joins repeated headers; groups must stay apart. */
function rawValues(rawHeaders: readonly string[], name: string, joined: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) {
      values.push(rawHeaders[index + 1] ?? "");
    }
  }
  return values.length > 0 ? values : [joined];
}
