import { createHash, type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto";
import { ipBytes, ipVersion } from "../../values/ip-address.ts";
import {
  ascii,
  bits,
  boolean,
  children,
  content,
  integer,
  nothing,
  objectIdentifier,
  octets,
  sequence,
  set,
  tagged,
  time,
  utf8,
} from "../../x509/der.ts";

const OID = {
  commonName: "2.5.4.3",
  organization: "2.5.4.10",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  rsaWithSha256: "1.2.840.113549.1.1.11",
} as const;

/** KeyUsage bits, most significant first, and the number of unused bits in the byte. */
const KEY_USAGE = {
  authority: { byte: 0b1010_0100, unused: 2 },
  leaf: { byte: 0b1010_0000, unused: 5 },
} as const;

export interface CertificateAuthority {
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
}

export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly publicKey: KeyObject;
  readonly use: "authority" | "server" | "client";
  /** DNS names and IP addresses of a server certificate. */
  readonly names?: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Issues a certificate. It is self-signed if the issuer is only a key. */
export function issueCertificate(
  request: CertificateRequest,
  issuer: CertificateAuthority | KeyObject,
): X509Certificate {
  const selfSigned = !("certificate" in issuer);
  const signer = selfSigned ? issuer : issuer.key;
  const subject = distinguishedName(request);
  const algorithm = signatureAlgorithm(signer);
  const body = sequence(
    tagged(0, true, integer(Uint8Array.of(2))),
    integer(serialNumber()),
    algorithm,
    selfSigned ? subject : subjectOf(issuer.certificate),
    sequence(time(request.notBefore), time(request.notAfter)),
    subject,
    new Uint8Array(request.publicKey.export({ type: "spki", format: "der" })),
    tagged(
      3,
      true,
      sequence(
        ...extensions(request, selfSigned ? keyIdentifier(request.publicKey) : identifierOf(issuer.certificate)),
      ),
    ),
  );
  const signature = sign("sha256", body, signer);
  return new X509Certificate(Buffer.from(sequence(body, algorithm, bits(signature))));
}

/**
 * Encodes a subject: organizations first and sorted, then the common name, each in its own set. Go encodes names like this and compares issuers byte
 * by byte.
 */
function distinguishedName({ commonName, organizations = [] }: CertificateRequest): Uint8Array {
  const attribute = (oid: string, value: string) => set(sequence(objectIdentifier(oid), utf8(value)));
  const groups = [...organizations].sort().map((name) => attribute(OID.organization, name));
  return sequence(...groups, attribute(OID.commonName, commonName));
}

function signatureAlgorithm(key: KeyObject): Uint8Array {
  return key.asymmetricKeyType === "rsa"
    ? sequence(objectIdentifier(OID.rsaWithSha256), nothing())
    : sequence(objectIdentifier(OID.ecdsaWithSha256));
}

/** Returns 127 random bits, never zero. */
function serialNumber(): Uint8Array {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

/** Returns the subject of a certificate, byte for byte as encoded in it. */
function subjectOf(certificate: X509Certificate): Uint8Array {
  const [body = new Uint8Array()] = children(new Uint8Array(certificate.raw));
  return children(body)[5] ?? new Uint8Array();
}

/** Returns the subject key identifier of a certificate, or the default identifier if it has none. */
function identifierOf(certificate: X509Certificate): Uint8Array {
  const [body = new Uint8Array()] = children(new Uint8Array(certificate.raw));
  const wanted = Buffer.from(objectIdentifier(OID.subjectKeyIdentifier));
  for (const block of children(body).slice(7))
    for (const extension of children(block).flatMap(children)) {
      const [oid, value] = [children(extension)[0], children(extension).at(-1)];
      if (oid !== undefined && value !== undefined && wanted.equals(oid)) return content(content(value));
    }
  return keyIdentifier(certificate.publicKey);
}

function extensions(request: CertificateRequest, issuerIdentifier: Uint8Array): Uint8Array[] {
  const extension = (oid: string, critical: boolean, value: Uint8Array) =>
    sequence(objectIdentifier(oid), ...(critical ? [boolean(true)] : []), octets(value));
  const authority = request.use === "authority";
  const usage = authority ? KEY_USAGE.authority : KEY_USAGE.leaf;
  const list = [
    extension(OID.keyUsage, true, bits(Uint8Array.of(usage.byte), usage.unused)),
    extension(OID.basicConstraints, true, authority ? sequence(boolean(true)) : sequence()),
    extension(OID.subjectKeyIdentifier, false, octets(keyIdentifier(request.publicKey))),
    extension(OID.authorityKeyIdentifier, false, sequence(tagged(0, false, issuerIdentifier))),
  ];
  if (!authority) {
    const purpose = request.use === "server" ? OID.serverAuth : OID.clientAuth;
    list.push(extension(OID.extendedKeyUsage, false, sequence(objectIdentifier(purpose))));
  }
  if (request.names?.length)
    list.push(extension(OID.subjectAltName, false, sequence(...request.names.map(generalName))));
  return list;
}

function keyIdentifier(key: KeyObject): Uint8Array {
  const [, keyBits = new Uint8Array()] = children(new Uint8Array(key.export({ type: "spki", format: "der" })));
  return createHash("sha1").update(content(keyBits).subarray(1)).digest();
}

function generalName(name: string): Uint8Array {
  return ipVersion(name) === 0 ? tagged(2, false, ascii(name)) : tagged(7, false, ipBytes(name));
}
