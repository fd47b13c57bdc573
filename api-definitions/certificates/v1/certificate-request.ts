import { createPublicKey, type KeyObject, verify, X509Certificate } from "node:crypto";
import { children, content, objectIdentifier } from "../../../runtime/lib/der.ts";
import { derProblem } from "../../../runtime/lib/der-problem.ts";
import { goQuote } from "../../../runtime/lib/go-quote.ts";

/** Hashes that signatures are made of, by the algorithm's identifier; null where the algorithm has its own. */
const HASHES = new Map<string, string | null>(
  (
    [
      ["1.2.840.113549.1.1.5", "sha1"],
      ["1.2.840.113549.1.1.11", "sha256"],
      ["1.2.840.113549.1.1.12", "sha384"],
      ["1.2.840.113549.1.1.13", "sha512"],
      ["1.2.840.10045.4.1", "sha1"],
      ["1.2.840.10045.4.3.2", "sha256"],
      ["1.2.840.10045.4.3.3", "sha384"],
      ["1.2.840.10045.4.3.4", "sha512"],
      ["1.3.101.112", null],
    ] as const
  ).map(([oid, hash]) => [Buffer.from(objectIdentifier(oid)).toString("hex"), hash]),
);

/** A block of a PEM file. */
export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

const PEM = /-----BEGIN ([^\n-]*)-----[ \t\r]*\n([\s\S]*?)\n?-----END \1-----/g;

/** The blocks of a PEM text; anything between them is skipped. */
export function pemBlocks(text: string): PemBlock[] {
  return [...text.matchAll(PEM)].flatMap(([, type = "", body = ""]) => {
    const hasHeaders = /^[^\n]*:/.test(body);
    const base64 = (hasHeaders ? body.slice(body.indexOf("\n\n") + 1) : body).replaceAll(/\s/g, "");
    return BASE64.test(base64) ? [{ type, hasHeaders, bytes: Buffer.from(base64, "base64") }] : [];
  });
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** What is wrong with a PKCS #10 request in PEM, if anything: its shape, or that its maker does not hold the key. */
export function requestProblem(pem: string): string | undefined {
  const [block] = pemBlocks(pem);
  if (block?.type !== "CERTIFICATE REQUEST") return "PEM block type must be CERTIFICATE REQUEST";
  const malformed = derProblem(block.bytes, "certificateRequest");
  if (malformed !== undefined) return malformed;
  try {
    const [information, algorithm, signature] = children(block.bytes);
    const key = information && children(information)[2];
    const identifier = algorithm && children(algorithm)[0];
    if (!information || !key || !identifier || !signature) return MALFORMED;
    const publicKey = readKey(key);
    if (typeof publicKey === "string") return publicKey;
    const hash = HASHES.get(Buffer.from(identifier).toString("hex"));
    if (hash === undefined) return UNIMPLEMENTED;
    // The first byte of a bit string counts the bits its last byte does not use.
    const bits = content(signature).subarray(1);
    if (verify(hash, information, publicKey, bits)) return undefined;
    return publicKey.asymmetricKeyType === "rsa"
      ? "crypto/rsa: verification error"
      : "x509: ECDSA verification failure";
  } catch {
    return MALFORMED;
  }
}

const UNIMPLEMENTED = "x509: cannot verify signature: algorithm unimplemented";
const MALFORMED = "asn1: structure error: malformed certificate request";
const ELLIPTIC = hexOf("1.2.840.10045.2.1");
const CURVES = ["1.3.132.0.33", "1.2.840.10045.3.1.7", "1.3.132.0.34", "1.3.132.0.35"].map(hexOf);

/** The public key of a request, or what is wrong with it. */
function readKey(der: Uint8Array): KeyObject | string {
  const [algorithm, curve] = children(children(der)[0] as Uint8Array).map((part) => Buffer.from(part).toString("hex"));
  if (algorithm === ELLIPTIC && !CURVES.includes(curve ?? "")) return "x509: unsupported elliptic curve";
  try {
    return createPublicKey({ key: Buffer.from(der), format: "der", type: "spki" });
  } catch {
    return algorithm === ELLIPTIC ? "x509: failed to unmarshal elliptic curve point" : UNIMPLEMENTED;
  }
}

function hexOf(identifier: string): string {
  return Buffer.from(objectIdentifier(identifier)).toString("hex");
}

/** What is wrong with issued certificates in PEM, if anything. */
export function certificateProblem(pem: string): string | undefined {
  if (pem === "") return undefined;
  const blocks = pemBlocks(pem);
  for (const { type, hasHeaders, bytes } of blocks) {
    if (type !== "CERTIFICATE") return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(type)}`;
    if (hasHeaders) return "no PEM block headers are permitted";
    if (parseCertificate(bytes) === undefined) return "x509: malformed certificate";
  }
  return blocks.length === 0 ? "must contain at least one CERTIFICATE PEM block" : undefined;
}

export function parseCertificate(bytes: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes);
  } catch {
    return undefined;
  }
}
