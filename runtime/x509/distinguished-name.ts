import { isAscii, isUtf8 } from "node:buffer";
import { children, content, objectIdentifier } from "./der.ts";

/** The subject of a certificate or of a certificate request. */
export interface Subject {
  /** If there are several, the last one, as in Go. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly uids: readonly string[];
}

const COMMON_NAME = "2.5.4.3";
const ORGANIZATION = "2.5.4.10";
/** An OID under that of Kubernetes. */
const USER_ID = "1.3.6.1.4.1.57683.2";

/**
 * Reads a subject. All names in certificates are read by this function: a group that is not visible in a certificate request must not be in the
 * certificate either. Throws a RangeError for invalid DER, and for strings that Go cannot read.
 */
export function readSubject(name: Uint8Array): Subject {
  return {
    commonName: attributesOf(name, COMMON_NAME).at(-1) ?? "",
    organizations: attributesOf(name, ORGANIZATION),
    uids: attributesOf(name, USER_ID),
  };
}

/** Returns the values of one attribute in a distinguished name (a subject or an issuer), in order. */
function attributesOf(name: Uint8Array, attribute: string): string[] {
  const wanted = Buffer.from(objectIdentifier(attribute));
  return children(name)
    .flatMap(children)
    .map(children)
    .filter(([type]) => type !== undefined && wanted.equals(type))
    .map(([, value = new Uint8Array()]) => stringOf(value));
}

/** Returns the subject of a certificate as DER. */
export function subjectOf(certificate: Uint8Array): Uint8Array {
  const [body = new Uint8Array()] = children(certificate);
  const fields = children(body);
  // Certificates of version 1 have no version field.
  return fields[fields[0]?.[0] === EXPLICIT_VERSION ? 5 : 4] ?? new Uint8Array();
}

const EXPLICIT_VERSION = 0xa0;
const [UTF8, NUMERIC, PRINTABLE, T61, IA5, BMP] = [0x0c, 0x12, 0x13, 0x14, 0x16, 0x1e] as const;

function stringOf(value: Uint8Array): string {
  const bytes = Buffer.from(content(value));
  switch (value[0]) {
    case UTF8:
    case T61:
      if (isUtf8(bytes)) return bytes.toString("utf8");
      break;
    case NUMERIC:
    case PRINTABLE:
    case IA5:
      if (isAscii(bytes)) return bytes.toString("latin1");
      break;
    case BMP:
      if (bytes.length % 2 === 0) return bytes.swap16().toString("utf16le").replace(/\0$/, "");
  }
  throw new RangeError("unsupported or invalid string in a name");
}
