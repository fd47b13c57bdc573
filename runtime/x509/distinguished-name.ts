import { children, content, objectIdentifier } from "./der.ts";

/** The values of one attribute in a distinguished name (a subject or an issuer), in order. Throws a RangeError for bad DER. */
export function attributesOf(name: Uint8Array, attribute: string): string[] {
  const wanted = Buffer.from(objectIdentifier(attribute));
  return children(name)
    .flatMap(children)
    .map(children)
    .filter(([type]) => type !== undefined && wanted.equals(type))
    .map(([, value = new Uint8Array()]) => stringOf(value));
}

/** The subject of a certificate, as DER. */
export function subjectOf(certificate: Uint8Array): Uint8Array {
  const [body = new Uint8Array()] = children(certificate);
  const fields = children(body);
  // Certificates of version 1 have no version field.
  return fields[fields[0]?.[0] === EXPLICIT_VERSION ? 5 : 4] ?? new Uint8Array();
}

const EXPLICIT_VERSION = 0xa0;
const BMP_STRING = 0x1e;

/** The string in a name, whichever of ASN.1's types it is of: a name must not go unseen because it is in UTF-16. */
function stringOf(value: Uint8Array): string {
  const bytes = Buffer.from(content(value));
  if (value[0] !== BMP_STRING) return bytes.toString("utf8");
  return bytes.length % 2 === 0 ? bytes.swap16().toString("utf16le").replace(/\0$/, "") : "";
}
