import { children, objectIdentifier } from "./der.ts";
import { attributesOf } from "./distinguished-name.ts";
import { pemBlocks } from "./pem.ts";

/** What matters here of a PKCS #10 certificate request. */
export interface CertificateRequest {
  /** The last one where a subject has several, as in Go. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** It asks for names or addresses besides the subject. */
  readonly hasAlternativeNames: boolean;
}

const COMMON_NAME = "2.5.4.3";
const ORGANIZATION = "2.5.4.10";
const ALTERNATIVE_NAMES = Buffer.from(objectIdentifier("2.5.29.17"));
const NOTHING = new Uint8Array();

/** Reads a request given as base64 of PEM, as the API carries it; undefined if it is none. */
export function readCertificateRequest(request: string): CertificateRequest | undefined {
  const [block] = pemBlocks(Buffer.from(request, "base64").toString("latin1"));
  if (block?.type !== "CERTIFICATE REQUEST") return undefined;
  try {
    const [information = NOTHING] = children(block.bytes);
    const [, subject, , attributes = NOTHING] = children(information);
    if (subject === undefined) return undefined;
    return {
      commonName: attributesOf(subject, COMMON_NAME).at(-1) ?? "",
      organizations: attributesOf(subject, ORGANIZATION),
      hasAlternativeNames: Buffer.from(attributes).includes(ALTERNATIVE_NAMES),
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
