import type { Protocol } from "./connection.ts";
import type { Random } from "./random.ts";

/** Who sends a request: the certificate-less users of the token file, or nobody. */
export type User = "admin" | "tenant-a" | "tenant-b" | "node" | "nobody" | "anonymous";

/** One well-framed request; its parts may hold any bytes. */
export interface RequestInput {
  readonly as: User;
  readonly method: string;
  readonly target: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer;
}

/** One step of a peer that speaks bytes. */
export type Step = { readonly write: Buffer } | { readonly pauseMs: number } | "end" | "reset" | "stop-reading";

/** What one connection does, from the handshake to its end. */
export interface ScriptInput {
  readonly protocol: Protocol;
  readonly steps: readonly Step[];
  /** How long the peer waits for an end after its last step. */
  readonly patienceMs: number;
}

export type Input =
  | { readonly kind: "request"; readonly request: RequestInput }
  | { readonly kind: "script"; readonly script: ScriptInput };

export interface Attacker {
  readonly name: string;
  /** How many inputs are under way at a time. */
  readonly lanes: number;
  /** Makes an input from nothing but the random source: the same source makes the same input. */
  readonly make: (random: Random, number: number) => Input;
  /** More than "below 500, or a closed connection": says what is wrong with an outcome, if anything. */
  readonly judge?: (input: Input, outcome: Outcome) => string | undefined;
  /** How long a response to a request is waited for: what is not there by then is a watch, or does not matter. */
  readonly patienceMs?: number;
  /** Its inputs take long on purpose, and are not suspected where the server was slow. */
  readonly isSlow?: true;
  /** Statuses of 500 and above that this attacker provokes rightly. */
  readonly expects?: readonly number[];
}

export interface Outcome {
  /** Of every response that was read, in order; none where the connection was closed without one. */
  readonly statuses: readonly number[];
  /** The beginning of what the server sent. */
  readonly received: Buffer;
  readonly ended: "answered" | "closed" | "left" | "refused";
  readonly milliseconds: number;
}
