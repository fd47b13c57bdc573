import { DerError, structureError, syntaxError } from "./der-error.ts";
import { readBase128 } from "./der-header.ts";
import type { DerHeader, DerShape } from "./der-shape.ts";

type Check = (content: Uint8Array) => void;

const characters =
  (name: string, allowed: RegExp): Check =>
  (content) => {
    if (!allowed.test(Buffer.from(content).toString("latin1"))) throw syntaxError(`${name} contains invalid character`);
  };

/** What the content of elements has to be, by their universal tags. */
const CHECKS: ReadonlyMap<number, Check> = new Map<number, Check>([
  [1, checkBoolean],
  [2, checkInteger],
  [3, checkBits],
  [6, checkIdentifier],
  [12, checkUtf8],
  [18, characters("NumericString", /^[0-9 ]*$/)],
  [19, characters("PrintableString", /^[A-Za-z0-9 '()+,\-./:=?*&]*$/)],
  [22, characters("IA5String", /^\p{ASCII}*$/u)],
]);

const TAGS: Readonly<Partial<Record<DerShape["kind"], number>>> = { boolean: 1, integer: 2, bits: 3, identifier: 6 };

/** Throws what is wrong inside an element that holds no others. */
export function contentProblem({ kind }: DerShape, header: DerHeader, content: Uint8Array): void {
  const isKnown = kind === "any" && header.class === 0 && !header.isCompound;
  const tag = isKnown ? header.tag : TAGS[kind];
  if (tag !== undefined) CHECKS.get(tag)?.(content);
}

function checkBoolean(content: Uint8Array): void {
  if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) throw syntaxError("invalid boolean");
}

function checkInteger(content: Uint8Array): void {
  if (content.length === 0) throw structureError("empty integer");
  const [first = 0, second = 0] = content;
  const isPadded = (first === 0 && second < 0x80) || (first === 0xff && second >= 0x80);
  if (content.length > 1 && isPadded) throw structureError("integer not minimally-encoded");
  if (content.length > 8) throw structureError("integer too large");
}

function checkBits(content: Uint8Array): void {
  if (content.length === 0) throw syntaxError("zero length BIT STRING");
  const unused = content[0] as number;
  const last = content.at(-1) as number;
  if (unused > 7 || (content.length === 1 && unused > 0) || (last & ((1 << unused) - 1)) !== 0)
    throw syntaxError("invalid padding bits in BIT STRING");
}

function checkIdentifier(content: Uint8Array): void {
  if (content.length === 0) throw syntaxError("zero length OBJECT IDENTIFIER");
  for (let at = 0; at < content.length; ) [, at] = readBase128(content, at);
}

function checkUtf8(content: Uint8Array): void {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw new DerError("asn1: invalid UTF-8 string");
  }
}
