import { children, objectIdentifier } from "./der.ts";
import { readSubject, type Subject } from "./distinguished-name.ts";
import { pemBlocks } from "./pem.ts";

/** The used parts of a PKCS #10 certificate request. */
export interface CertificateRequest extends Subject {
  /** Whether it requests names or addresses besides the subject. */
  readonly hasAlternativeNames: boolean;
}

const ALTERNATIVE_NAMES = Buffer.from(objectIdentifier("2.5.29.17"));
const NOTHING = new Uint8Array();

/** Parses a request given as base64 of PEM, as in the API; returns undefined if it is not a certificate request. */
export function readCertificateRequest(request: string): CertificateRequest | undefined {
  const [block] = pemBlocks(Buffer.from(request, "base64").toString("latin1"));
  if (block?.type !== "CERTIFICATE REQUEST") return undefined;
  try {
    const [information = NOTHING] = children(block.bytes);
    const [, subject, , attributes = NOTHING] = children(information);
    if (subject === undefined) return undefined;
    return {
      ...readSubject(subject),
      hasAlternativeNames: Buffer.from(attributes).includes(ALTERNATIVE_NAMES),
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
