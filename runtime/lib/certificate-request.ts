import { children, content, objectIdentifier } from "./der.ts";
import { pemBlocks } from "./pem.ts";

/** What matters here of a PKCS #10 certificate request. */
export interface CertificateRequest {
  /** The last one where a subject has several, as in Go. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** It asks for names or addresses besides the subject. */
  readonly hasAlternativeNames: boolean;
}

const COMMON_NAME = Buffer.from(objectIdentifier("2.5.4.3"));
const ORGANIZATION = Buffer.from(objectIdentifier("2.5.4.10"));
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
    const names = children(subject).flatMap(children).map(children);
    const valuesOf = (wanted: Buffer): string[] =>
      names.filter(([type]) => type !== undefined && wanted.equals(type)).map(([, value = NOTHING]) => stringOf(value));
    return {
      commonName: valuesOf(COMMON_NAME).at(-1) ?? "",
      organizations: valuesOf(ORGANIZATION),
      hasAlternativeNames: Buffer.from(attributes).includes(ALTERNATIVE_NAMES),
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const BMP_STRING = 0x1e;

/** The string in a subject, whichever of ASN.1's types it is of: a name must not go unseen because it is in UTF-16. */
function stringOf(value: Uint8Array): string {
  const bytes = Buffer.from(content(value));
  if (value[0] !== BMP_STRING) return bytes.toString("utf8");
  return bytes.length % 2 === 0 ? bytes.swap16().toString("utf16le").replace(/\0$/, "") : "";
}
