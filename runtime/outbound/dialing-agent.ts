import type { ClientRequestArgs } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Dial } from "./dial.ts";

const { Agent } = process.getBuiltinModule("node:http");

/** Connections without TLS, through a proxy. */
export class DialingAgent extends Agent {
  readonly #dial: Dial;

  constructor(options: ConstructorParameters<typeof Agent>[0], dial: Dial) {
    super(options);
    this.#dial = dial;
  }

  override createConnection(
    { host, port }: ClientRequestArgs,
    created?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    this.#dial(host ?? "localhost", Number(port ?? 80)).then(
      (socket) => created?.(null, socket),
      (error: Error) => created?.(error, undefined as unknown as Socket),
    );
  }
}
