import { createHmac } from "node:crypto";
import { posix } from "node:path";
import { decodeRawBase64Url } from "../lib/base64.ts";
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

/** What is inside a token: `v`, `rv` and `start` as Kubernetes writes them, and two members of our own. */
interface Payload {
  readonly v: string;
  readonly rv: number;
  /** The first key that may follow: the last one delivered and a zero. */
  readonly start: string;
  /** How many objects came before. */
  readonly n?: number | undefined;
  /** Says that all of this is as we wrote it. */
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
 * Continue tokens: opaque to clients and checked, so that one that was mangled is refused. Servers over the same data
 * use the same secret and accept each other's. They can be read as Kubernetes' own, and those are accepted too: a list
 * that another server over the same etcd has begun can be continued here.
 */
export class ContinueTokens {
  readonly #secret: Uint8Array;
  readonly #parse: (json: Buffer) => unknown;

  /** `parse` reads JSON; its error message is sent to the client. */
  constructor(secret: Uint8Array, parse: (json: Buffer) => unknown = (json) => JSON.parse(json.toString())) {
    this.#secret = secret;
    this.#parse = parse;
  }

  /** Keys are kept relative to the scope of the list: a token never leads outside the list it is used with. */
  encode({ revision, startAfter, delivered }: Continuation, scope: string): string {
    return this.#write({ v: VERSION, rv: revision, start: `${startAfter.slice(scope.length)}\0`, n: delivered });
  }

  /** Throws BadRequestError when the token is mangled or leads nowhere. */
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

/** Checks types as Go does. An unknown member means that the token was damaged. */
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

/** An integer of 64 bits. One beyond what a number can tell exactly is the nearest that it can: no revision gets there. */
function integerOf(value: unknown): number | undefined {
  if (typeof value === "bigint") return BigInt.asIntN(64, value) === value ? Number(value) : undefined;
  return Number.isInteger(value) ? (value as number) : undefined;
}

/** Go's message contains the number itself only if another number was expected. */
function goKind(value: unknown, wantsNumber = false): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  if (typeof value !== "number" && typeof value !== "bigint") return typeof value;
  return wantsNumber ? `number ${value}` : "number";
}

/** Whether the key has no `..`, no `//` and the like. */
function isClean(start: string): boolean {
  const key = start.startsWith("/") ? start : `/${start}`;
  return !(key.length > 1 && key.endsWith("/")) && posix.normalize(key) === key;
}

/** The key after which a list goes on that is to begin with this one. */
function keyBefore(key: string): string {
  if (key.endsWith("\0")) return key.slice(0, -1);
  return `${key.slice(0, -1)}${String.fromCharCode(key.charCodeAt(key.length - 1) - 1)}\uffff`;
}

function notValid(reason?: string): BadRequestError {
  return new BadRequestError(`invalid continue token: continue key is not valid${reason ? `: ${reason}` : ""}`);
}
