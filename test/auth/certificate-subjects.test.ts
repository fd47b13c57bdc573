import { generateKeyPairSync, sign, X509Certificate } from "node:crypto";
import { connect, createServer, type TLSSocket } from "node:tls";
import { describe, expect, it } from "vitest";
import { readClientCertificate } from "../../runtime/auth/authenticate/client-certificate.ts";
import type { ClientCertificate } from "../../runtime/contract/authentication.ts";
import { Authorities } from "../../runtime/x509/certificate-authorities.ts";
import { readCertificateRequest } from "../../runtime/x509/certificate-request.ts";
import { bits, content, integer, objectIdentifier, sequence, set, tagged, time, utf8 } from "../../runtime/x509/der.ts";
import { subjectOf } from "../../runtime/x509/distinguished-name.ts";
import { createAuthority } from "../fixtures/certificates.ts";

const CLIENT_AUTHORITY = createAuthority("clients");
const SERVER = createAuthority("servers").issue("localhost", "server", { names: ["localhost"] });
const ECDSA_WITH_SHA256 = sequence(objectIdentifier("1.2.840.10045.4.3.2"));
const [COMMON_NAME, ORGANIZATION] = [objectIdentifier("2.5.4.3"), objectIdentifier("2.5.4.10")];
const key = generateKeyPairSync("ec", { namedCurve: "P-256" });
const publicKey = new Uint8Array(key.publicKey.export({ type: "spki", format: "der" }));

/** A string of any type, by its tag. */
const string = (tag: number, bytes: Uint8Array | string) => {
  const data = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
  return Uint8Array.of(tag, data.length, ...data);
};
const utf16 = (text: string) => Buffer.from(text, "utf16le").swap16();
const utf32 = (text: string) => Uint8Array.from([...text].flatMap((character) => [0, 0, 0, character.charCodeAt(0)]));

function certificateOf(subject: Uint8Array): string {
  const authority = new X509Certificate(CLIENT_AUTHORITY.authority);
  const body = sequence(
    tagged(0, true, integer(Uint8Array.of(2))),
    integer(Uint8Array.of(7)),
    ECDSA_WITH_SHA256,
    subjectOf(authority.raw),
    sequence(time(new Date(Date.now() - 60_000)), time(new Date(Date.now() + 3_600_000))),
    subject,
    publicKey,
  );
  const signature = bits(sign("sha256", body, CLIENT_AUTHORITY.authorityKey));
  return new X509Certificate(Buffer.from(sequence(body, ECDSA_WITH_SHA256, signature))).toString();
}

function requestOf(subject: Uint8Array) {
  const information = sequence(integer(Uint8Array.of(0)), subject, publicKey, tagged(0, true));
  const der = sequence(information, ECDSA_WITH_SHA256, bits(sign("sha256", information, key.privateKey)));
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.from(der).toString("base64")}\n-----END CERTIFICATE REQUEST-----\n`;
  return readCertificateRequest(Buffer.from(pem).toString("base64"));
}

/** Returns the user that a server reads from the certificate of a connection. */
function readByServer(cert: string): Promise<ClientCertificate | undefined> {
  return new Promise((resolve, reject) => {
    const authorities = { clients: new Authorities(CLIENT_AUTHORITY.authority) };
    const options = { ...SERVER, ca: CLIENT_AUTHORITY.authority, requestCert: true, rejectUnauthorized: false };
    const server = createServer(options, (socket: TLSSocket) => {
      resolve(readClientCertificate(socket, authorities));
      socket.destroy();
      server.close();
    });
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      const pem = key.privateKey.export({ type: "pkcs8", format: "pem" });
      connect({ port, host: "127.0.0.1", cert, key: pem, rejectUnauthorized: false }).on("error", reject).resume();
    });
  });
}

const MASTERS = "system:masters";

describe("the subject of a client certificate and of the request for it", () => {
  it.each([
    ["UTF8String", string(0x0c, MASTERS)],
    ["PrintableString", string(0x13, MASTERS)],
    ["T61String", string(0x14, MASTERS)],
    ["IA5String", string(0x16, MASTERS)],
    ["BMPString", string(0x1e, utf16(MASTERS))],
  ])("have the same groups in a %s", async (_type, value) => {
    const subject = sequence(
      set(sequence(ORGANIZATION, utf8("dev")), sequence(COMMON_NAME, utf8("first"))),
      set(sequence(COMMON_NAME, utf8("jane")), sequence(ORGANIZATION, value)),
    );
    const read = { commonName: "jane", organizations: ["dev", MASTERS] };
    expect(await readByServer(certificateOf(subject))).toMatchObject(read);
    expect(requestOf(subject)).toMatchObject(read);
  });

  it.each([
    ["a UniversalString", string(0x1c, utf32(MASTERS))],
    ["an IA5String that is not ASCII", string(0x16, "größe")],
  ])("are refused with %s in them, which Go does not read", async (_what, value) => {
    const subject = sequence(set(sequence(COMMON_NAME, utf8("jane"))), set(sequence(ORGANIZATION, value)));
    const refused = { commonName: "", organizations: [], problem: "malformed subject" };
    expect(await readByServer(certificateOf(subject))).toMatchObject(refused);
    expect(requestOf(subject)).toBeUndefined();
  });

  it.each([
    ["a VisibleString", string(0x1a, MASTERS)],
    ["an octet string", string(0x04, MASTERS)],
    ["UTF-8 that is broken", string(0x0c, Uint8Array.of(0xff))],
    ["half of UTF-16", string(0x1e, Uint8Array.of(0x61))],
  ])("are refused in a request with %s", (_what, value) => {
    expect(requestOf(sequence(set(sequence(ORGANIZATION, value))))).toBeUndefined();
  });

  it("have no groups under an attribute whose length is written in another way than DER's", async () => {
    const long = Uint8Array.of(0x06, 0x81, 0x03, ...content(ORGANIZATION));
    const subject = sequence(set(sequence(COMMON_NAME, utf8("jane"))), set(sequence(long, utf8(MASTERS))));
    expect(await readByServer(certificateOf(subject))).toMatchObject({ commonName: "jane", organizations: [] });
    expect(requestOf(subject)).toMatchObject({ commonName: "jane", organizations: [] });
  });
});
