import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { issueCertificate } from "../../runtime/auth/pki/issue-certificate.ts";
import { objectIdentifier, sequence, set, utf8 } from "../../runtime/x509/der.ts";
import { readSubject, subjectOf } from "../../runtime/x509/distinguished-name.ts";

describe("a distinguished name", () => {
  it("is read from a certificate, with every value of an attribute in order", () => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const life = { notBefore: new Date(0), notAfter: new Date(1e12) };
    const request = { commonName: "dora", organizations: ["a", "b"], publicKey, use: "authority" as const, ...life };
    const subject = subjectOf(issueCertificate(request, privateKey).raw);
    expect(readSubject(subject)).toEqual({ commonName: "dora", organizations: ["a", "b"], uids: [] });
  });

  it("holds strings of UTF-8 and UTF-16, under identifiers with large numbers, too", () => {
    const utf16 = Buffer.from("ü2", "utf16le").swap16();
    const oid = objectIdentifier("1.3.6.1.4.1.57683.2");
    const name = sequence(
      set(sequence(oid, utf8("ü1")), sequence(oid, Buffer.concat([Buffer.of(0x1e, utf16.length), utf16]))),
    );
    expect(readSubject(name).uids).toEqual(["ü1", "ü2"]);
    expect(() => readSubject(Uint8Array.of(0x30, 2, 0x31, 9))).toThrow(RangeError);
  });
});
