import type { IncomingMessage } from "node:http";
import { constants, type Http2Session, type ServerHttp2Stream } from "node:http2";
import { ReadPacer, underlying } from "../../lib/read-pacer.ts";
import { isHttp2 } from "./is-http2.ts";

const { NGHTTP2_ENHANCE_YOUR_CALM } = constants;

/** Maximum number of unread pieces of a body: each takes hundreds of bytes. An HTTP/2 window has room for 65,536 pieces of one byte. */
const WAITING_PIECES = 4096;

/** Reads connections in turns whose clients send bodies in tiny pieces, or floods of pings. */
export class PacedReads {
  readonly #pacer: ReadPacer;

  constructor(pacer: ReadPacer = new ReadPacer()) {
    this.#pacer = pacer;
  }

  /** Counts the pieces of an HTTP/1.1 body, including those that nobody reads. */
  followRequest(req: IncomingMessage & { _dump?: () => void }): void {
    const { socket, headers } = req;
    const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
    if (!hasBody || isHttp2(req)) return;
    const below = underlying(socket);
    // Node stops reading a connection if `push` returns false.
    this.#pacer.follow(req, (waiting) => {
      this.#pacer.count(below, socket);
      return waiting < WAITING_PIECES;
    });
    req._dump = () => {
      req.removeAllListeners("data");
      req.on("data", () => undefined);
    };
  }

  /** Counts pings and the pieces of HTTP/2 bodies. */
  followSession(session: Http2Session): void {
    const below = underlying(session.socket);
    session.on("ping", () => this.#pacer.count(below));
    session.on("stream", (stream: ServerHttp2Stream) =>
      this.#pacer.follow(stream, (waiting) => {
        this.#pacer.count(below);
        if (waiting >= WAITING_PIECES) session.destroy(undefined, NGHTTP2_ENHANCE_YOUR_CALM);
        return true;
      }),
    );
  }
}
