import { createHmac } from "node:crypto";
import { posix } from "node:path";
import { decodeRawBase64Url } from "../lib/base64.ts";
import { BadRequestError } from "./errors.ts";

const VERSION = "meta.k8s.io/v1";
const CHECK_BYTES = 12;

/** Position at which a list continues: after a key, in the state of a revision. The revision is LATEST after the exact one has expired. */
export interface Continuation {
  readonly revision: number;
  readonly startAfter: string;
  /** Number of objects that the list has returned before, to avoid counting them. Unknown if a selector skipped some. */
  readonly delivered?: number | undefined;
}

export const LATEST = -1;

/** Contents of a token: `v`, `rv` and `start` as in Kubernetes, and two members of our own. */
interface Payload {
  readonly v: string;
  readonly rv: number;
  /** The first key that may follow: the last one delivered plus a NUL character. */
  readonly start: string;
  /** Number of objects delivered before. */
  readonly n?: number | undefined;
  /** Authentication code: proves that we wrote the other members. */
  readonly c?: string | undefined;
}

const MEMBERS: Readonly<Record<string, { readonly type: "string" | "number"; readonly goType: string }>> = {
  v: { type: "string", goType: "string" },
  rv: { type: "number", goType: "int64" },
  start: { type: "string", goType: "string" },
  n: { type: "number", goType: "int64" },
  c: { type: "string", goType: "string" },
};

/**
 * Continue tokens: opaque to clients and authenticated, so that a modified one is refused. Servers over the same data use the same secret
 * and accept each other's tokens. Kubernetes' servers can read them, and theirs are accepted too: a list that another server over the same
 * etcd has started can be continued here.
 */
export class ContinueTokens {
  readonly #secret: Uint8Array;
  readonly #parse: (json: Buffer) => unknown;

  /** `parse` reads JSON; its error message is sent to the client. */
  constructor(secret: Uint8Array, parse: (json: Buffer) => unknown = (json) => JSON.parse(json.toString())) {
    this.#secret = secret;
    this.#parse = parse;
  }

  /** Keys are stored relative to the scope of the list: a token cannot point outside of the list for which it is used. */
  encode({ revision, startAfter, delivered }: Continuation, scope: string): string {
    return this.#write({ v: VERSION, rv: revision, start: `${startAfter.slice(scope.length)}\0`, n: delivered });
  }

  /** Throws BadRequestError if the token was modified or is invalid. */
  decode(token: string, scope: string): Continuation {
    const payload = this.#read(token);
    if (payload.v !== VERSION) throw notValid(`server does not recognize this encoded version ${payload.v}`);
    if (payload.rv === 0) throw notValid(`incorrect encoded start resourceVersion (version ${VERSION})`);
    if (payload.start === "") throw notValid(`encoded start key empty (version ${VERSION})`);
    if (!isClean(payload.start)) throw notValid(payload.start);
    const revision = payload.rv < 0 ? LATEST : payload.rv;
    return { revision, startAfter: keyBefore(scope + payload.start.replace(/^\//, "")), delivered: payload.n };
  }

  #write({ v, rv, start, n }: Payload): string {
    const text = JSON.stringify({ v, rv, start, n });
    const c = createHmac("sha256", this.#secret).update(text).digest().subarray(0, CHECK_BYTES).toString("base64url");
    return Buffer.from(JSON.stringify({ v, rv, start, n, c })).toString("base64url");
  }

  #read(token: string): Payload {
    let value: unknown;
    try {
      value = this.#parse(decodeRawBase64Url(token));
    } catch (error) {
      throw notValid(error instanceof Error ? error.message : String(error));
    }
    const payload = payloadOf(value);
    const ours = "c" in payload || "n" in payload;
    if (ours && this.#write(payload) !== token) throw notValid();
    return payload;
  }
}

/** Checks member types with the error messages of Go. An unknown member means that the token was damaged. */
function payloadOf(value: unknown): Payload {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    if (value === null) return { v: "", rv: 0, start: "" };
    throw notValid(`json: cannot unmarshal ${goKind(value)} into Go value of type storage.continueToken`);
  }
  const payload = { v: "", rv: 0, start: "" };
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined;
    if (known === undefined) throw notValid();
    if (member === null) continue;
    const read = known.type === "number" ? integerOf(member) : typeof member === "string" ? member : undefined;
    if (read === undefined) {
      const kind = goKind(member, known.type === "number");
      throw notValid(
        `json: cannot unmarshal ${kind} into Go struct field continueToken.${name} of type ${known.goType}`,
      );
    }
    Object.assign(payload, { [name]: read });
  }
  return payload;
}

/** Returns a 64-bit integer. If it is too large for an exact number, returns the nearest one: no revision is that large. */
function integerOf(value: unknown): number | undefined {
  if (typeof value === "bigint") return BigInt.asIntN(64, value) === value ? Number(value) : undefined;
  return Number.isInteger(value) ? (value as number) : undefined;
}

/** Go's message contains the number itself only if it expected a number. */
function goKind(value: unknown, wantsNumber = false): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  if (typeof value !== "number" && typeof value !== "bigint") return typeof value;
  return wantsNumber ? `number ${value}` : "number";
}

/** Whether the key is a clean path: without `..`, `//` and the like. */
function isClean(start: string): boolean {
  const key = start.startsWith("/") ? start : `/${start}`;
  return !(key.length > 1 && key.endsWith("/")) && posix.normalize(key) === key;
}

/** The key to start after, so that the list continues with `key`. */
function keyBefore(key: string): string {
  if (key.endsWith("\0")) return key.slice(0, -1);
  return `${key.slice(0, -1)}${String.fromCharCode(key.charCodeAt(key.length - 1) - 1)}\uffff`;
}

function notValid(reason?: string): BadRequestError {
  return new BadRequestError(`invalid continue token: continue key is not valid${reason ? `: ${reason}` : ""}`);
}
