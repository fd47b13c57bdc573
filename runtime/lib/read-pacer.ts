import type { Socket } from "node:net";
import { setImmediate } from "node:timers";
import type { TLSSocket } from "node:tls";

/** Maximum number of pieces of all connections in one turn of the event loop. Each takes a few microseconds, however short it is. */
const PIECES_A_TURN = 4000;
/** Maximum number of paused connections that are read again in one turn. */
const MOST_RESUMED = 64;

/** The handle that reads the connection below TLS. Missing from Node's types. */
interface Readable {
  readonly _handle?: { reading?: boolean; readStart(): void; readStop(): void } | null;
}

/** The methods of a Node stream that receive incoming data. */
export interface Receiver {
  readonly readableFlowing: boolean | null;
  push(piece: Buffer | null, encoding?: BufferEncoding): boolean;
}

/**
 * Limits how many pieces are read per turn. Node reads up to 2 MiB of each connection in one turn of the event loop, which may be 300,000 pieces:
 * chunks, frames or TLS records of one byte. Connections that send so many are read in turn, one after another.
 */
export class ReadPacer {
  #pieces = 0;
  #isDriven = false;
  #batch = 1;
  /** TCP connections that are not being read, and the streams above them. */
  readonly #paused = new Map<Socket, Socket | undefined>();

  /** Calls `arrives` for each piece, with the number of unread pieces. It returns whether more may be pushed. */
  follow(receiver: Receiver, arrives: (waiting: number) => boolean): void {
    const { push } = receiver;
    let waiting = 0;
    receiver.push = (piece, encoding) => {
      waiting = receiver.readableFlowing === true ? 0 : waiting + 1;
      const mayCome = arrives(waiting);
      return push.call(receiver, piece, encoding) && mayCome;
    };
  }

  /** Counts the pieces of a connection that no longer carries HTTP, such as after an upgrade. */
  followSocket(socket: Socket): void {
    const below = underlying(socket);
    this.follow(socket, () => {
      this.count(below, socket);
      return true;
    });
  }

  /** Counts a piece of a TCP connection. `stream` is the stream above it. */
  count(below: Socket, stream?: Socket): void {
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

/** The pacer of this thread's event loop, for all accepted and outgoing connections. */
export const threadPacer = new ReadPacer();

/** The TCP connection below a TLS connection, which Node stores under this name. Without TLS, the connection itself. */
export function underlying(stream: Socket | TLSSocket): Socket {
  return (stream as Socket & { readonly _parent?: Socket | null })._parent ?? stream;
}
