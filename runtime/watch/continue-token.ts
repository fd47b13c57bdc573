import { createHmac, timingSafeEqual } from "node:crypto";
import { BadRequestError } from "./errors.ts";

const VERSION = "meta.k8s.io/v1";
const CHECK_BYTES = 12;

/** Where a list goes on: after a key, in the state of a revision; LATEST after the exact one has expired. */
export interface Continuation {
  readonly revision: number;
  readonly startAfter: string;
  /** How many objects of the list came before; saves counting them. Unknown when a selector skipped some. */
  readonly delivered?: number | undefined;
}

export const LATEST = -1;

/**
 * Continue tokens: opaque to clients and checked, so that one that was mangled or made up is refused. Servers over the
 * same data use the same secret and accept each other's.
 */
export class ContinueTokens {
  readonly #secret: Uint8Array;

  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  /** Keys are kept relative to the scope of the list: a token never leads outside the list it is used with. */
  encode(continuation: Continuation, scope: string): string {
    const start = continuation.startAfter.slice(scope.length);
    const payload = Buffer.from(
      JSON.stringify({ v: VERSION, rv: continuation.revision, start, n: continuation.delivered }),
    );
    return Buffer.concat([payload, this.#check(payload)]).toString("base64url");
  }

  /** Throws BadRequestError when the token is not one of ours. */
  decode(token: string, scope: string): Continuation {
    const bytes = Buffer.from(token, "base64url");
    const payload = bytes.subarray(0, Math.max(0, bytes.length - CHECK_BYTES));
    const check = bytes.subarray(payload.length);
    const genuine =
      bytes.toString("base64url") === token &&
      check.length === CHECK_BYTES &&
      timingSafeEqual(check, this.#check(payload));
    if (!genuine) throw new BadRequestError("invalid continue token: continue key is not valid");
    const { v, rv, start, n } = JSON.parse(payload.toString()) as { v: string; rv: number; start: string; n?: number };
    if (v !== VERSION) {
      throw new BadRequestError(
        `invalid continue token: continue key is not valid: server does not recognize this encoded version ${v}`,
      );
    }
    return { revision: rv, startAfter: scope + start, delivered: n };
  }

  #check(payload: Uint8Array): Buffer {
    return createHmac("sha256", this.#secret).update(payload).digest().subarray(0, CHECK_BYTES);
  }
}
