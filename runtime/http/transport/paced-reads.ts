import type { IncomingMessage } from "node:http";
import { constants, type Http2Session, type ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import { underlying } from "./connections.ts";
import { isHttp2 } from "./is-http2.ts";

const { NGHTTP2_ENHANCE_YOUR_CALM } = constants;

/** Pieces of bodies, and pings, of all connections in one turn of the event loop. Each takes a few microseconds, however short it is. */
const PIECES_A_TURN = 4000;
/** Pieces of a body that wait to be read: each takes hundreds of bytes. A window of HTTP/2 has room for 64 Ki of one byte. */
const WAITING_PIECES = 4096;
/** Connections that are read again in one turn, at most. */
const MOST_RESUMED = 64;

/** What reads a connection below TLS. It is not in Node's types. */
interface Readable {
  readonly _handle?: { reading?: boolean; readStart(): void; readStop(): void } | null;
}

/** The parts of a stream of Node that are called with what arrives. */
interface Receiver {
  readonly readableFlowing: boolean | null;
  push(piece: Buffer | null, encoding?: BufferEncoding): boolean;
}

/**
 * Node reads up to 2 MiB of each connection in one turn of the event loop, which may be 300,000 pieces of bodies, in chunks or frames of one byte.
 * Connections that send so many are read in turns, one after another.
 */
export class PacedReads {
  #pieces = 0;
  #isDriven = false;
  #batch = 1;
  /** Connections of TCP that are not read, and what they carry. */
  readonly #paused = new Map<Socket, Socket | undefined>();

  /** Counts the pieces of a body over HTTP/1.1, those that are not wanted, too. */
  followRequest(req: IncomingMessage & { _dump?: () => void }): void {
    const { socket, headers } = req;
    const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
    if (!hasBody || isHttp2(req)) return;
    const below = underlying(socket);
    // Node stops reading a connection if its request does not want more.
    this.#follow(req, (waiting) => {
      this.#count(below, socket);
      return waiting < WAITING_PIECES;
    });
    req._dump = () => {
      req.removeAllListeners("data");
      req.on("data", () => undefined);
    };
  }

  /** Counts the pieces of bodies over HTTP/2, and pings. */
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

  /** `mayWait` is called with the number of pieces that wait to be read, and tells whether more may. */
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
    this.#paused.set(below, stream);
    (below as Readable)._handle?.readStop();
  }

  readonly #beginTurn = (): void => {
    this.#batch = this.#pieces > PIECES_A_TURN ? 1 : Math.min(MOST_RESUMED, this.#batch * 2);
    this.#pieces = 0;
    let left = this.#batch;
    for (const [below, stream] of this.#paused) {
      if (left-- === 0) break;
      this.#paused.delete(below);
      // Meanwhile, Node may have stopped reading for another reason.
      if ((stream as Readable | undefined)?._handle?.reading !== false) (below as Readable)._handle?.readStart();
    }
    this.#isDriven = this.#paused.size > 0;
    if (this.#isDriven) setImmediate(this.#beginTurn);
  };
}
