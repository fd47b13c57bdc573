import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import type { ClientCertificate, Credentials, RequestHeaders } from "../../contract/authentication.ts";
import type { AppContext } from "./app-state.ts";

/** Client certificates by connection: they do not change during a connection. */
const certificates = new WeakMap<object, { readonly certificate: ClientCertificate | undefined }>();

export type ReadCertificate = (socket: TLSSocket) => ClientCertificate | undefined;

/** The credentials of a request. `read` is called once for each connection. */
export function credentialsOf(ctx: AppContext, read: ReadCertificate): Credentials {
  const certificate = certificateOf(ctx.req, read);
  return {
    ...headersOf(ctx.req),
    path: ctx.state.info.path,
    warn: (message) => void ctx.state.warnings.add(message),
    annotate: (key, value) => {
      ctx.state.annotations = { ...ctx.state.annotations, [key]: value };
    },
    ...(certificate && { clientCertificate: certificate }),
  };
}

/** The headers of a request as they were sent. Repeated headers are separate values. */
export function headersOf(req: IncomingMessage): RequestHeaders {
  return {
    header(name) {
      const value = req.headers[name];
      if (value === undefined) {
        return [];
      }
      if (Array.isArray(value)) {
        return value.map(headerText);
      }
      return value.includes(", ") ? rawValues(req.rawHeaders, name, value).map(headerText) : [headerText(value)];
    },
    headerNames: () => Object.keys(req.headers),
  };
}

/** All HTTP/2 requests of a connection share its session. */
type WithSession = IncomingMessage & {
  readonly stream?: { readonly session?: { readonly destroyed: boolean } };
};

/** Placeholder for an HTTP/2 session that has ended: its socket is no longer accessible. */
const CLOSED: ClientCertificate = {
  commonName: "",
  organizations: [],
  fingerprint: "",
  problem: "the connection is closed",
};

function certificateOf(req: WithSession, read: ReadCertificate): ClientCertificate | undefined {
  const session = req.stream?.session;
  const connection = session ?? req.socket;
  const known = certificates.get(connection);
  if (known !== undefined) return known.certificate;
  if (req.stream !== undefined && session?.destroyed !== false) return CLOSED;
  const socket = req.socket as TLSSocket;
  const certificate = typeof socket?.getPeerCertificate === "function" ? read(socket) : undefined;
  certificates.set(connection, { certificate });
  return certificate;
}

/** Decodes a header as UTF-8: Node decodes each byte of a header as one character. */
export function headerText<T extends string | undefined>(header: T): T {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: whatever is ASCII stands for itself.
  if (header === undefined || /^[\x00-\x7f]*$/.test(header)) return header;
  return Buffer.from(header, "latin1").toString("utf8") as T;
}

/** The values of a repeated header. Node joins them, but groups must stay separate. */
function rawValues(rawHeaders: readonly string[], name: string, joined: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) {
      values.push(rawHeaders[index + 1] ?? "");
    }
  }
  return values.length > 0 ? values : [joined];
}
