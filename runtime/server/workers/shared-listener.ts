import type { ChildProcess } from "node:child_process";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { OwnerMessage } from "./messages.ts";

/** Maximum number of connections sent to a worker and not acknowledged yet. A worker at this limit receives no more. */
const MOST_UNACCEPTED = 64;
/** Backlog of connections while no worker can receive any. */
const MOST_WAITING = 1024;

interface Receiver {
  readonly process: ChildProcess;
  /** Connections sent to the worker. They stay open in this process until the worker acknowledges them. */
  readonly unaccepted: Map<number, Socket>;
}

export interface SharedListenerOptions {
  readonly host: string;
  readonly port: number;
  /** Whether other servers may listen on the same port. */
  readonly reusePort: boolean;
  /** Called when a connection cannot be accepted or passed. */
  readonly onError: (error: Error) => void;
}

/**
 * Listens for all workers and passes connections to them in turn, so that even a few clients are spread over all workers. If a worker ends before it
 * acknowledged a connection, the connection is closed: the client notices at once and reconnects.
 */
export class SharedListener {
  readonly #options: SharedListenerOptions;
  readonly #server = createServer({ pauseOnConnect: true }, (socket) => this.#accept(socket));
  /** In round-robin order: the first is next. */
  #receivers: Receiver[] = [];
  #waiting: Socket[] = [];
  #lastId = 0;

  constructor(options: SharedListenerOptions) {
    this.#options = options;
  }

  /** Rejects with the error of the socket. */
  async listen(): Promise<AddressInfo> {
    const { host, port, reusePort, onError } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen({ host, port, reusePort }, () => {
        this.#server.off("error", reject);
        resolve();
      });
    });
    this.#server.on("error", onError);
    return this.#server.address() as AddressInfo;
  }

  /** Registers a worker that accepts connections from now on. */
  add(process: ChildProcess): void {
    this.#receivers.push({ process, unaccepted: new Map() });
    this.#passWaiting();
  }

  /** Removes a worker and closes the connections that it has not acknowledged. */
  remove(process: ChildProcess): void {
    const receiver = this.#receivers.find((one) => one.process === process);
    for (const socket of receiver?.unaccepted.values() ?? []) socket.destroy();
    this.#receivers = this.#receivers.filter((one) => one !== receiver);
  }

  /** Called when a worker has acknowledged a connection. Closes the copy in this process, which the client does not notice. */
  accepted(process: ChildProcess, id: number): void {
    const receiver = this.#receivers.find((one) => one.process === process);
    receiver?.unaccepted.get(id)?.destroy();
    receiver?.unaccepted.delete(id);
    this.#passWaiting();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#waiting.splice(0)) socket.destroy();
  }

  #accept(socket: Socket): void {
    socket.on("error", () => undefined);
    if (this.#pass(socket)) return;
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push(socket);
    else socket.destroy();
  }

  #passWaiting(): void {
    while (this.#waiting[0] !== undefined && this.#pass(this.#waiting[0])) this.#waiting.shift();
  }

  /** Passes a connection to the next worker. Returns false if none can receive it now. */
  #pass(socket: Socket): boolean {
    const at = this.#receivers.findIndex(({ unaccepted }) => unaccepted.size < MOST_UNACCEPTED);
    const receiver = this.#receivers[at];
    if (receiver === undefined) return false;
    this.#receivers.push(...this.#receivers.splice(at, 1));
    const id = ++this.#lastId;
    receiver.unaccepted.set(id, socket);
    const message: OwnerMessage = { kind: "connection", id };
    receiver.process.send(message, socket, { keepOpen: true }, (error) => {
      if (error === null || !receiver.unaccepted.delete(id)) return;
      socket.destroy();
      this.#options.onError(error);
    });
    return true;
  }
}
