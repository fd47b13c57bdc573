import { describe, expect, it } from "vitest";
import { certificateProblem, requestProblem } from "../../../api-definitions/certificates/v1/certificate-request.ts";
import { hooks } from "../../../api-definitions/certificates/v1/certificate-signing-request.hooks.ts";
import type { CertificateSigningRequest } from "../../../api-definitions/certificates/v1/certificate-signing-request.ts";
import { validateSignerName } from "../../../api-definitions/certificates/v1/signer-name-validation.ts";
import { hooks as bundleHooks } from "../../../api-definitions/certificates/v1beta1/cluster-trust-bundle.hooks.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { contextFor, refusals, withValue } from "../refusals.ts";

const pem = `-----BEGIN CERTIFICATE REQUEST-----
MIHbMIGCAgEAMCAxDTALBgNVBAoMBGRpZmYxDzANBgNVBAMMBnRlc3RlcjBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABK6pgWza+WcmByI1iYdfjTuQFlOBEBa5usbW
bSF3B4cASIHyP8YV0XbaRJ1626KYafqo964ktSgqdo8x/NUkhUqgADAKBggqhkjO
PQQDAgNIADBFAiEAvxQPgvo3FIB6lRGEXOK9BdT9We/0UeM/cGKuSPJY/+QCIFHB
H8SlpRg/r4Aob4tECz64XrKD4VhvTp7bwxlWsBoh
-----END CERTIFICATE REQUEST-----
`;
const request = {
  metadata: { name: "jane" },
  spec: { request: Buffer.from(pem).toString("base64"), signerName: "example.com/signer", usages: ["client auth"] },
};

describe("a request for a certificate", () => {
  it("must be signed with its own key", () => {
    expect(requestProblem(pem)).toBeUndefined();
    expect(
      requestProblem(
        pem
          .replace("bbaRJ1626", "bbaRJ1627")
          .replace("MIHbMIGCAgEAMCAxDTALBgNVBAoMBGRpZmYx", "MIHbMIGCAgEAMCAxDTALBgNVBAoMBGRpZmYy"),
      ),
    ).not.toBeUndefined();
    expect(requestProblem("hello")).toBe("PEM block type must be CERTIFICATE REQUEST");
  });

  it("has the user of the request, whatever the client writes", () => {
    const created = withValue(request, "spec.username", "root") as unknown as CertificateSigningRequest;
    hooks.lifecycle?.prepareForCreate?.(created, contextFor());
    expect(created.spec).toEqual({ ...request.spec, username: "jane", uid: "42", groups: ["dev"] });
  });

  it.each<[path: string, value: unknown, ...problems: string[]]>([
    ["spec.usages", ["client auth", "digital signature"]],
    ["spec.usages", [], "spec.usages: Required value"],
    ["spec.usages", ["client auth", "client auth"], 'spec.usages[1]: Duplicate value: "client auth"'],
    [
      "spec.usages",
      ["odd"],
      expect.stringMatching(/^spec\.usages\[0\]: Unsupported value: "odd": supported values: "any", "cert sign"/),
    ],
    [
      "spec.signerName",
      "kubernetes.io/legacy-unknown",
      'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
    ],
    [
      "spec.expirationSeconds",
      5,
      "spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 600 seconds (10 minutes)",
    ],
  ])("is checked for %s = %j", (path, value, ...problems) => {
    expect(refusals(hooks, withValue(request, path, value))).toEqual(problems);
  });

  it("can be approved or denied only through the subresource approval, and only once", () => {
    const condition = { type: "Approved", status: "True" };
    const approved = withValue(request, "status.conditions", [condition]);
    expect(refusals(hooks, approved, { old: request, subresource: "approval" })).toEqual([]);
    expect(refusals(hooks, approved, { old: request, subresource: "status" })).toEqual([
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    ]);
    expect(refusals(hooks, request, { old: approved, subresource: "approval" })).toEqual([
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    ]);
    const both = withValue(request, "status.conditions", [condition, { type: "Denied", status: "True" }]);
    expect(refusals(hooks, both, { old: request, subresource: "approval" })).toEqual([
      'status.conditions[1].type: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
    ]);
  });

  it("sets missing times of conditions", () => {
    const written = withValue(request, "status.conditions", [{ type: "Approved", status: "True" }]);
    const object = written as unknown as CertificateSigningRequest;
    hooks.lifecycle?.prepareForUpdate?.(object, request as never, contextFor({ subresource: "approval" }));
    const time = "2030-01-02T03:04:05Z";
    expect(object.status?.conditions).toEqual([
      { type: "Approved", status: "True", lastUpdateTime: time, lastTransitionTime: time },
    ]);
  });

  it("accepts only certificates in its status", () => {
    expect(certificateProblem("")).toBeUndefined();
    expect(certificateProblem("x")).toBe("must contain at least one CERTIFICATE PEM block");
    expect(certificateProblem(pem)).toBe('only CERTIFICATE PEM blocks are allowed, found "CERTIFICATE REQUEST"');
  });
});

describe("the generateName of a trust bundle", () => {
  const problems = (generateName: string, signerName: string) =>
    refusals(bundleHooks, {
      metadata: { name: `${generateName}x`, generateName },
      spec: { signerName, trustBundle: "" },
    }).filter((problem) => problem.startsWith("metadata."));

  it("shows its signer in tables", () => {
    const cells = (spec: object) => bundleHooks.cells?.({ spec } as never, contextFor() as never);
    expect(cells({ signerName: "example.com/a", trustBundle: "" })).toEqual({ SignerName: "example.com/a" });
    expect(cells({ trustBundle: "" })).toEqual({ SignerName: "<none>" });
  });

  it("begins with the signer, and may end with a dash", () => {
    expect(problems("example.com:a:b-", "example.com/a")).toEqual([]);
    const detail = "ClusterTrustBundle for signerName example.com/a must be named with prefix example.com:a:";
    expect(problems("b-", "example.com/a")).toEqual([
      `metadata.generateName: Invalid value: "b-": ${detail}`,
      `metadata.name: Invalid value: "b-x": ${detail}`,
    ]);
  });

  it("has no colon without a signer", () => {
    expect(problems("b-", "")).toEqual([]);
    expect(problems("a:b-", "")[0]).toMatch(
      /^metadata\.generateName: Invalid value: "a:b-": ClusterTrustBundle without/,
    );
  });
});

describe("names of signers", () => {
  it.each([
    ["example.com/a", []],
    ["", ["Required value"]],
    [
      "example.com",
      [`Invalid value: "example.com": must be a fully qualified domain and path of the form 'example.com/signer-name'`],
    ],
    ["com/a", ['Invalid value: "com": should be a domain with at least two segments separated by dots']],
  ])("%s", (name, messages) => {
    const errors = collectErrors((found) => validateSignerName(name, "spec.signerName", found));
    expect(errors.map(({ message }) => message)).toEqual(messages);
  });
});
