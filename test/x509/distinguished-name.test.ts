import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { issueCertificate } from "../../runtime/auth/pki/issue-certificate.ts";
import { objectIdentifier, sequence, set, utf8 } from "../../runtime/x509/der.ts";
import { attributesOf, subjectOf } from "../../runtime/x509/distinguished-name.ts";

describe("a distinguished name", () => {
  it("is read from a certificate, with every value of an attribute in order", () => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const life = { notBefore: new Date(0), notAfter: new Date(1e12) };
    const request = { commonName: "dora", organizations: ["a", "b"], publicKey, use: "authority" as const, ...life };
    const subject = subjectOf(issueCertificate(request, privateKey).raw);
    expect(attributesOf(subject, "2.5.4.3")).toEqual(["dora"]);
    expect(attributesOf(subject, "2.5.4.10")).toEqual(["a", "b"]);
    expect(attributesOf(subject, "1.3.6.1.4.1.57683.2")).toEqual([]);
  });

  it("holds strings of UTF-8 and UTF-16, under identifiers with large numbers, too", () => {
    const utf16 = Buffer.from("ü2", "utf16le").swap16();
    const oid = objectIdentifier("1.3.6.1.4.1.57683.2");
    const name = sequence(
      set(sequence(oid, utf8("ü1")), sequence(oid, Buffer.concat([Buffer.of(0x1e, utf16.length), utf16]))),
    );
    expect(attributesOf(name, "1.3.6.1.4.1.57683.2")).toEqual(["ü1", "ü2"]);
    expect(() => attributesOf(Uint8Array.of(0x30, 2, 0x31, 9), "2.5.4.3")).toThrow(RangeError);
  });
});
