import { createPublicKey, type KeyObject, verify, X509Certificate } from "node:crypto";
import { goQuote } from "../../../runtime/go/quote.ts";
import { pemBlocks } from "../../../runtime/x509/pem.ts";
import { DerError } from "../../../runtime/x509/read-der.ts";
import { checkAttributes, checkSubject, hexOf, type RequestParts, readRequest } from "./request-parts.ts";

type KeyFamily = "RSA" | "ECDSA" | "Ed25519";

/** Key type and hash of each signature algorithm, by its object identifier. Ed25519 needs no separate hash. */
const SIGNATURES = new Map<string, { readonly family: KeyFamily; readonly hash: string | null }>(
  (
    [
      ["1.2.840.113549.1.1.5", "RSA", "sha1"],
      ["1.2.840.113549.1.1.11", "RSA", "sha256"],
      ["1.2.840.113549.1.1.12", "RSA", "sha384"],
      ["1.2.840.113549.1.1.13", "RSA", "sha512"],
      ["1.2.840.10045.4.1", "ECDSA", "sha1"],
      ["1.2.840.10045.4.3.2", "ECDSA", "sha256"],
      ["1.2.840.10045.4.3.3", "ECDSA", "sha384"],
      ["1.2.840.10045.4.3.4", "ECDSA", "sha512"],
      ["1.3.101.112", "Ed25519", null],
    ] as const
  ).map(([oid, family, hash]) => [hexOf(oid), { family, hash }]),
);

const KEY_FAMILIES = new Map<string, KeyFamily>([
  [hexOf("1.2.840.113549.1.1.1"), "RSA"],
  [hexOf("1.2.840.10045.2.1"), "ECDSA"],
  [hexOf("1.3.101.112"), "Ed25519"],
]);

/** Why a PKCS #10 request in PEM is invalid: its format, or a signature that does not match its key. Undefined if it is valid. */
export function requestProblem(pem: string): string | undefined {
  const [block] = pemBlocks(pem);
  if (block?.type !== "CERTIFICATE REQUEST") return "PEM block type must be CERTIFICATE REQUEST";
  try {
    const parts = readRequest(block.bytes);
    const family = KEY_FAMILIES.get(parts.key.algorithm.identifier);
    const key = family && readKey(parts.key, family);
    checkSubject(parts.subject);
    checkAttributes(parts.attributes);
    return signatureProblem(parts, family, key);
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
}

const UNIMPLEMENTED = "x509: cannot verify signature: algorithm unimplemented";
const GO_KEYS: Readonly<Record<KeyFamily, string>> = {
  RSA: "*rsa.PublicKey",
  ECDSA: "*ecdsa.PublicKey",
  Ed25519: "ed25519.PublicKey",
};
const FAILURES: Readonly<Record<KeyFamily, string>> = {
  RSA: "crypto/rsa: verification error",
  ECDSA: "x509: ECDSA verification failure",
  Ed25519: "x509: Ed25519 verification failure",
};

function signatureProblem(
  { information, signature }: RequestParts,
  family: KeyFamily | undefined,
  key: KeyObject | undefined,
): string | undefined {
  const made = SIGNATURES.get(signature.algorithm.identifier);
  const isOdd = made?.family === "Ed25519" && signature.algorithm.parameters !== undefined;
  if (made === undefined || isOdd || family === undefined || key === undefined) return UNIMPLEMENTED;
  if (made.family !== family)
    return `x509: signature algorithm specifies an ${made.family} public key, but have public key of type ${GO_KEYS[family]}`;
  return isSigned(made.hash, information, key, signature.bytes) ? undefined : FAILURES[family];
}

function isSigned(hash: string | null, information: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  try {
    return verify(hash, information, key, signature);
  } catch {
    return false;
  }
}

const NULL = "0500";
const CURVES = ["1.3.132.0.33", "1.2.840.10045.3.1.7", "1.3.132.0.34", "1.3.132.0.35"].map(hexOf);

/** The public key of a request. Throws a `DerError` for a key that Go rejects. */
function readKey({ whole, algorithm, bytes }: RequestParts["key"], family: KeyFamily): KeyObject {
  const parameters = Buffer.from(algorithm.parameters ?? []).toString("hex");
  if (family === "RSA" && parameters !== NULL) throw new DerError("x509: RSA key missing NULL parameters");
  if (family === "ECDSA" && !CURVES.includes(parameters)) {
    const isCurve = /^06(?!00)/.test(parameters);
    throw new DerError(isCurve ? "x509: unsupported elliptic curve" : "x509: invalid ECDSA parameters");
  }
  if (family === "Ed25519") {
    if (parameters !== "") throw new DerError("x509: Ed25519 key encoded with illegal parameters");
    if (bytes.length !== 32) throw new DerError("x509: wrong Ed25519 public key size");
  }
  // Go supports only uncompressed points.
  const isShort = family === "ECDSA" && bytes[0] !== 4;
  try {
    if (!isShort) return createPublicKey({ key: Buffer.from(whole), format: "der", type: "spki" });
  } catch {}
  throw new DerError(
    family === "ECDSA" ? "x509: failed to unmarshal elliptic curve point" : "x509: invalid RSA public key",
  );
}

/** Why issued certificates in PEM are invalid; undefined if they are valid. */
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
