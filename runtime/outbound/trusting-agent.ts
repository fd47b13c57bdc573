import { X509Certificate } from "node:crypto";
import type { ClientRequestArgs } from "node:http";
import { Agent, type AgentOptions } from "node:https";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, checkServerIdentity, type TLSSocket } from "node:tls";
import { connectTls } from "./connect-tls.ts";
import type { Dial } from "./dial.ts";

/** Timeout of the TLS handshake. Otherwise a peer that accepts a connection and sends nothing would block until the request times out. */
const HANDSHAKE_MS = 30_000;

/** Node.js calls it with only one of the two arguments. */
type Created = (error: Error | null, socket: Duplex) => void;
type Done = (error: Error | null, socket?: TLSSocket) => void;

/**
 * Verifies server certificates like Go. A certificate is trusted if it is itself among the given ones, even if it is not a CA. A server certificate
 * with empty subject, issued by a CA with empty subject, is not considered self-signed.
 */
export class TrustingAgent extends Agent {
  readonly #authorities: string | undefined;
  readonly #dial: Dial | undefined;

  /**
   * `authorities` is the PEM from which the `secureContext` of the options was created; it is not needed for requests with their own `ca`. `dial`
   * opens the connections below TLS; without it they are direct.
   */
  constructor(options?: AgentOptions, authorities?: string, dial?: Dial) {
    super(options);
    this.#authorities = authorities;
    this.#dial = dial;
  }

  override createConnection(options: ClientRequestArgs & ConnectionOptions, created?: Created): undefined {
    const done = (error: Error | null, socket?: Duplex) => created?.(error, socket as Duplex);
    this.#connect(options, (error, socket) => {
      const { ca = this.#authorities } = options;
      const isNameless =
        (error as { code?: string } | null)?.code === "DEPTH_ZERO_SELF_SIGNED_CERT" && ca !== undefined;
      if (isNameless) this.#connectToNameless(options, String(ca), error as Error, done);
      else done(error, socket);
    });
  }

  #connect(options: ClientRequestArgs & ConnectionOptions, done: Done): void {
    if (this.#dial === undefined) return this.#secure(options, done);
    this.#dial(options.host ?? "localhost", Number(options.port ?? 443)).then(
      (socket) => this.#secure({ ...options, socket }, done),
      (error: Error) => done(error),
    );
  }

  #secure(options: ClientRequestArgs & ConnectionOptions, done: Done): void {
    const socket = connectTls({ ...(options as ConnectionOptions), allowPartialTrustChain: true });
    const giveUp = () => socket.destroy(new Error("net/http: TLS handshake timeout"));
    socket.setTimeout(HANDSHAKE_MS, giveUp);
    socket.once("error", done);
    socket.once("secureConnect", () => {
      socket.off("error", done);
      socket.setTimeout(0);
      // The agent sets its own timeout for idle connections.
      socket.off("timeout", giveUp);
      done(null, socket);
    });
  }

  /** OpenSSL finds issuers by name, which is impossible here. So this finds the CA by its signature; nothing is sent before that. */
  #connectToNameless(options: ClientRequestArgs & ConnectionOptions, ca: string, refused: Error, done: Done): void {
    this.#connect({ ...options, rejectUnauthorized: false }, (error, socket) => {
      const certificate = socket?.getPeerX509Certificate();
      if (error !== null || socket === undefined || certificate === undefined) return done(error ?? refused);
      const host = options.servername || options.host || "";
      const wrongName = checkServerIdentity(host, certificate.toLegacyObject());
      if (wrongName === undefined && isIssuedByOneOf(ca, certificate)) return done(null, socket);
      socket.destroy();
      done(wrongName ?? refused);
    });
  }
}

/** OID of the extended key usage for server authentication. */
const SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function isIssuedByOneOf(pem: string, leaf: X509Certificate): boolean {
  const now = Date.now();
  const isValid = ({ validFromDate, validToDate }: X509Certificate) =>
    validFromDate.getTime() <= now && now <= validToDate.getTime();
  return (pem.match(CERTIFICATE) ?? []).some((block) => {
    const authority = new X509Certificate(block);
    return (
      authority.ca &&
      authority.subject === leaf.issuer &&
      isValid(authority) &&
      isValid(leaf) &&
      (leaf.keyUsage === undefined || leaf.keyUsage.includes(SERVER_AUTH)) &&
      leaf.verify(authority.publicKey)
    );
  });
}
