import type { Protocol } from "./connection.ts";
import type { Random } from "./random.ts";

/** Sender of a request: a user of the token file, or nobody. */
export type User = "admin" | "tenant-a" | "tenant-b" | "node" | "nobody" | "anonymous";

/** One request with valid framing. Its parts may contain any bytes. */
export interface RequestInput {
  readonly as: User;
  readonly method: string;
  readonly target: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer;
}

/** One step of a peer that works on bytes. */
export type Step = { readonly write: Buffer } | { readonly pauseMs: number } | "end" | "reset" | "stop-reading";

/** Actions on one connection, from the handshake to its end. */
export interface ScriptInput {
  readonly protocol: Protocol;
  readonly steps: readonly Step[];
  /** Time that the peer waits for an end after its last step. */
  readonly patienceMs: number;
}

export type Input =
  | { readonly kind: "request"; readonly request: RequestInput }
  | { readonly kind: "script"; readonly script: ScriptInput };

export interface Attacker {
  readonly name: string;
  /** Number of concurrent inputs. */
  readonly lanes: number;
  /** Creates an input from the random source only, so that the same source results in the same input. */
  readonly make: (random: Random, number: number) => Input;
  /** Returns what is wrong with an outcome, in addition to the general rule: a status below 500, or a closed connection. */
  readonly judge?: (input: Input, outcome: Outcome) => string | undefined;
  /** Maximum time to wait for a response. A request without a response by then is a watch, or does not matter. */
  readonly patienceMs?: number;
  /** Its inputs intentionally take long, and are not suspected of slowing down the server. */
  readonly isSlow?: true;
  /** Statuses of 500 and above that are legitimate for this attacker. */
  readonly expects?: readonly number[];
}

export interface Outcome {
  /** Statuses of all responses in order; empty if the connection was closed without one. */
  readonly statuses: readonly number[];
  /** Start of the data that the server sent. */
  readonly received: Buffer;
  readonly ended: "answered" | "closed" | "left" | "refused";
  readonly milliseconds: number;
}
