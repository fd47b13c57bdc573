import { objectIdentifier } from "../../../runtime/x509/der.ts";
import {
  type DerElement,
  DerError,
  type DerField,
  type DerShape,
  readDer,
  readHeader,
  syntaxError,
} from "../../../runtime/x509/read-der.ts";

const sequence = (name: string, ...fields: readonly DerField[]): DerShape => ({ kind: "sequence", name, fields });
const field = (shape: DerShape): DerField => ({ shape });
const many = (element: DerShape, name = ""): DerShape => ({ kind: "many", name, element });

const IDENTIFIER: DerShape = { kind: "identifier" };
const BITS: DerShape = { kind: "bits" };
const RAW: DerShape = { kind: "raw" };
const ALGORITHM = sequence("AlgorithmIdentifier", field(IDENTIFIER), { shape: RAW, optional: true });
const KEY = sequence("publicKeyInfo", field(ALGORITHM), field(BITS));
const INFORMATION = sequence("tbsCertificateRequest", field({ kind: "integer" }), field(RAW), field(KEY), {
  shape: many(RAW),
  tag: 0,
});
const REQUEST = sequence("certificateRequest", field(INFORMATION), field(ALGORITHM), field(BITS));

const NAMED = sequence("AttributeTypeAndValue", field(IDENTIFIER), field({ kind: "any" }));
const SUBJECT = many(
  { kind: "many", name: "RelativeDistinguishedNameSET", isSet: true, element: NAMED },
  "RDNSequence",
);
const ATTRIBUTE = sequence("", field(IDENTIFIER), field({ kind: "many", name: "", isSet: true, element: RAW }));
const EXTENSION = sequence(
  "Extension",
  field(IDENTIFIER),
  { shape: { kind: "boolean" }, optional: true },
  {
    shape: { kind: "octets" },
  },
);

export const hexOf = (identifier: string): string => Buffer.from(objectIdentifier(identifier)).toString("hex");
const EXTENSION_REQUEST = hexOf("1.2.840.113549.1.9.14");
const ALTERNATIVE_NAMES = hexOf("2.5.29.17");

/** An algorithm: its object identifier in hexadecimal, and its parameters. */
export interface Algorithm {
  readonly identifier: string;
  readonly parameters: Uint8Array | undefined;
}

/** The parsed parts of a certificate request. */
export interface RequestParts {
  /** The signed part of the request. */
  readonly information: Uint8Array;
  readonly subject: Uint8Array;
  readonly key: { readonly whole: Uint8Array; readonly algorithm: Algorithm; readonly bytes: Uint8Array };
  readonly attributes: readonly Uint8Array[];
  readonly signature: { readonly algorithm: Algorithm; readonly bytes: Uint8Array };
}

/** Parses a request. Throws a `DerError`. */
export function readRequest(der: Uint8Array): RequestParts {
  const { element, rest } = readDer(der, REQUEST);
  if (rest.length > 0) throw syntaxError("trailing data");
  const [information, algorithm, signature] = element.parts as DerElement[];
  const [, subject, key, attributes] = information!.parts as DerElement[];
  const [keyAlgorithm, keyBits] = key!.parts as DerElement[];
  return {
    information: information!.whole,
    subject: subject!.whole,
    key: { whole: key!.whole, algorithm: algorithmOf(keyAlgorithm!), bytes: bitsOf(keyBits!) },
    attributes: attributes!.parts.map((part) => part!.whole),
    signature: { algorithm: algorithmOf(algorithm!), bytes: bitsOf(signature!) },
  };
}

function algorithmOf({ parts: [identifier, parameters] }: DerElement): Algorithm {
  return { identifier: Buffer.from(identifier!.whole).toString("hex"), parameters: parameters?.whole };
}

/** The bits of a bit string as bytes, shifted right by the number of unused bits at its end. */
function bitsOf({ content }: DerElement): Uint8Array {
  const [unused = 0, ...bytes] = content;
  if (unused === 0) return content.subarray(1);
  return Uint8Array.from(bytes, (byte, i) => ((bytes[i - 1] ?? 0) << (8 - unused)) | (byte >> unused));
}

/** Throws a `DerError` for an invalid subject. */
export function checkSubject(subject: Uint8Array): void {
  if (readDer(subject, SUBJECT).rest.length > 0) throw new DerError("x509: trailing data after X.509 Subject");
}

/** Throws a `DerError` for duplicate or invalid extensions. Invalid attributes are ignored. */
export function checkAttributes(attributes: readonly Uint8Array[]): void {
  const asked = attributes.flatMap(extensionsOf);
  const identifiers = asked.map(({ parts: [identifier] }) => Buffer.from(identifier!.whole).toString("hex"));
  if (new Set(identifiers).size < identifiers.length)
    throw new DerError("x509: certificate request contains duplicate requested extensions");
  asked.forEach(({ parts }, i) => {
    if (identifiers[i] === ALTERNATIVE_NAMES) checkNames(parts[2]!.content);
  });
}

function extensionsOf(attribute: Uint8Array): readonly DerElement[] {
  let parts: DerElement["parts"];
  try {
    const { element, rest } = readDer(attribute, ATTRIBUTE);
    if (rest.length > 0) return [];
    parts = element.parts;
  } catch (error) {
    if (error instanceof DerError) return [];
    throw error;
  }
  const [identifier, values] = parts;
  const first = values?.parts[0];
  if (first === undefined || Buffer.from(identifier!.whole).toString("hex") !== EXTENSION_REQUEST) return [];
  return readDer(first.whole, many(EXTENSION)).element.parts as DerElement[];
}

const TEXT_NAMES: Readonly<Record<number, string>> = { 1: "rfc822Name", 2: "dNSName", 6: "uniformResourceIdentifier" };

function checkNames(der: Uint8Array): void {
  const names = elementsOf(der);
  if (names === undefined) throw new DerError("x509: invalid subject alternative names");
  for (const { tag, content } of names) {
    const text = TEXT_NAMES[tag];
    if (text !== undefined && content.some((byte) => byte > 0x7f)) throw new DerError(`x509: SAN ${text} is malformed`);
    if (tag === 7 && content.length !== 4 && content.length !== 16)
      throw new DerError(`x509: cannot parse IP address of length ${content.length}`);
  }
}

/** The names in a sequence; undefined if it is not a sequence. */
function elementsOf(der: Uint8Array): { tag: number; content: Uint8Array }[] | undefined {
  let inside: Uint8Array;
  try {
    inside = readDer(der, many(RAW)).element.content;
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
  const found: { tag: number; content: Uint8Array }[] = [];
  for (let at = 0; at < inside.length; ) {
    const { header, start } = readHeader(inside, at);
    at = start + header.length;
    // Names have context-specific primitive tags; other elements are ignored.
    const isName = header.class === 2 && !header.isCompound;
    found.push({ tag: isName ? header.tag : -1, content: inside.subarray(start, at) });
  }
  return found;
}
