import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

const BYTES = 64 * 1024;

/**
 * Lets a connection receive into one buffer again and again. Node allocates one for each TLS record otherwise, outside of its heap, and starts
 * to collect garbage whenever these add up to some megabytes: each time all objects of the process are marked.
 */
export class ReusedBuffer {
  #buffer = Buffer.allocUnsafeSlow(BYTES);
  #reader: IncomingMessage | undefined;
  /** The connection, as soon as there is one. */
  socket: Socket | undefined;

  /** An option of `tls.connect` and `net.connect`. The connection emits no `data` by itself with it. */
  readonly onread = {
    buffer: (): Buffer => this.#buffer,
    callback: (size: number): boolean => {
      const bytes = this.#buffer.subarray(0, size);
      if (this.#reader === undefined) this.socket?.emit("data", Buffer.from(bytes));
      else {
        this.socket?.emit("data", bytes);
        // It waits to be read, while the reader is paused.
        if (this.#reader.readableLength > 0) this.#buffer = Buffer.allocUnsafeSlow(BYTES);
      }
      return true;
    },
  };

  /** From now on, those that listen to this response do not keep what they are given. */
  lendTo(reader: IncomingMessage): void {
    this.#reader = reader;
  }
}
