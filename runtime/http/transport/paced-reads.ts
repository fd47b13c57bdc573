import type { IncomingMessage } from "node:http";
import { constants, type Http2Session, type ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers";
import { underlying } from "./connections.ts";
import { isHttp2 } from "./is-http2.ts";

const { NGHTTP2_ENHANCE_YOUR_CALM } = constants;

/** Maximum number of body pieces and pings of all connections in one turn of the event loop. Each takes a few microseconds, however short it is. */
const PIECES_A_TURN = 4000;
/** Maximum number of unread pieces of a body: each takes hundreds of bytes. An HTTP/2 window has room for 65,536 pieces of one byte. */
const WAITING_PIECES = 4096;
/** Maximum number of paused connections that are read again in one turn. */
const MOST_RESUMED = 64;

/** The handle that reads the connection below TLS. Missing from Node's types. */
interface Readable {
  readonly _handle?: { reading?: boolean; readStart(): void; readStop(): void } | null;
}

/** The methods of a Node stream that receive incoming data. */
interface Receiver {
  readonly readableFlowing: boolean | null;
  push(piece: Buffer | null, encoding?: BufferEncoding): boolean;
}

/**
 * Limits how many pieces are read per turn. Node reads up to 2 MiB of each connection in one turn of the event loop, which may be 300,000
 * body pieces in chunks or frames of one byte. Connections that send so many are read in turn, one after another.
 */
export class PacedReads {
  #pieces = 0;
  #isDriven = false;
  #batch = 1;
  /** TCP connections that are not being read, and the streams above them. */
  readonly #paused = new Map<Socket, Socket | undefined>();

  /** Counts the pieces of an HTTP/1.1 body, including those that nobody reads. */
  followRequest(req: IncomingMessage & { _dump?: () => void }): void {
    const { socket, headers } = req;
    const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
    if (!hasBody || isHttp2(req)) return;
    const below = underlying(socket);
    // Node stops reading a connection if `push` returns false.
    this.#follow(req, (waiting) => {
      this.#count(below, socket);
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
    session.on("ping", () => this.#count(below));
    session.on("stream", (stream: ServerHttp2Stream) =>
      this.#follow(stream, (waiting) => {
        this.#count(below);
        if (waiting >= WAITING_PIECES) session.destroy(undefined, NGHTTP2_ENHANCE_YOUR_CALM);
        return true;
      }),
    );
  }

  /** `mayWait` is called with the number of unread pieces. It returns whether more may be pushed. */
  #follow(receiver: Receiver, mayWait: (waiting: number) => boolean): void {
    const { push } = receiver;
    let waiting = 0;
    receiver.push = (piece, encoding) => {
      waiting = receiver.readableFlowing === true ? 0 : waiting + 1;
      const mayPush = mayWait(waiting);
      return push.call(receiver, piece, encoding) && mayPush;
    };
  }

  #count(below: Socket, stream?: Socket): void {
    this.#pieces += 1;
    if (!this.#isDriven) {
      this.#isDriven = true;
      setImmediate(this.#beginTurn);
    }
    if (this.#pieces <= PIECES_A_TURN || this.#paused.has(below)) return;
    const { _handle: handle } = below as Readable;
    // A closed connection has no handle. In a version of Node without this function, connections that cannot be paused are closed.
    if (!handle?.readStop) {
      below.destroy();
      return;
    }
    this.#paused.set(below, stream);
    handle.readStop();
  }

  readonly #beginTurn = (): void => {
    this.#batch = this.#pieces > PIECES_A_TURN ? 1 : Math.min(MOST_RESUMED, this.#batch * 2);
    this.#pieces = 0;
    let left = this.#batch;
    for (const [below, stream] of this.#paused) {
      if (left-- === 0) break;
      this.#paused.delete(below);
      // Node may have stopped reading for another reason in the meantime.
      if ((stream as Readable | undefined)?._handle?.reading !== false) (below as Readable)._handle?.readStart();
    }
    this.#isDriven = this.#paused.size > 0;
    if (this.#isDriven) setImmediate(this.#beginTurn);
  };
}
