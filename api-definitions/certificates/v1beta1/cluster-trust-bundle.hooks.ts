import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors, invalidField, invalidFields, tooLongField } from "../../../runtime/values/field-errors.ts";
import { checkPathSegment, checkPathSegmentPrefix } from "../../../runtime/values/names.ts";
import { type PemBlock, pemBlocks } from "../../../runtime/x509/pem.ts";
import { parseCertificate } from "../v1/certificate-request.ts";
import { validateSignerName } from "../v1/signer-name-validation.ts";
import type { ClusterTrustBundle, ClusterTrustBundleSpec } from "./cluster-trust-bundle.ts";
import { checkTrustBundleName } from "./trust-bundle-name.ts";

const MAX_SIZE = 1024 * 1024;
const OMITTED = "<value omitted>";

export const hooks = kindHooks<ClusterTrustBundle>({
  cells: ({ spec }) => ({ SignerName: spec?.signerName || "<none>" }),
  validate: (bundle) => collectErrors((errors) => validateBundle(bundle, true, errors)),
  validation: {
    // The name depends on the signer: see below.
    name: (name, isPrefix) => (isPrefix ? checkPathSegmentPrefix(name) : checkPathSegment(name)),
    update: (bundle, old) =>
      collectErrors((errors) => {
        validateBundle(bundle, bundle.spec?.trustBundle !== old.spec?.trustBundle, errors);
      }),
  },
  compatibility: {
    order: { update: ["metadataAsNew", "metadataAsChange", "update", "declared"] },
  },
});

function validateBundle(bundle: ClusterTrustBundle, readsPem: boolean, errors: FieldError[]): void {
  const { signerName = "", trustBundle = "" } = bundle.spec ?? ({} as ClusterTrustBundleSpec);
  const { name = "", generateName = "" } = bundle.metadata ?? {};
  if (generateName !== "") {
    errors.push(
      ...invalidFields("metadata.generateName", generateName, checkTrustBundleName(generateName, signerName, true)),
    );
  }
  errors.push(...invalidFields("metadata.name", name, checkTrustBundleName(name, signerName)));
  if (signerName !== "") validateSignerName(signerName, "spec.signerName", errors);
  if (readsPem) validateAnchors(trustBundle, "spec.trustBundle", errors);
}

function validateAnchors(text: string, field: string, errors: FieldError[]): void {
  if (Buffer.byteLength(text) > MAX_SIZE) {
    errors.push(tooLongField(field, MAX_SIZE));
    return;
  }
  const blocks = pemBlocks(text);
  const problems = blocks.flatMap((block, index) => anchorProblem(block, index) ?? []);
  const anchors = new Map<string, number[]>();
  for (const [index, { bytes }] of blocks.entries()) {
    const key = Buffer.from(bytes).toString("base64");
    anchors.set(key, [...(anchors.get(key) ?? []), index]);
  }
  if (problems.length === 0) {
    if (blocks.length === 0) problems.push("at least one trust anchor must be provided");
    for (const indexes of anchors.values()) {
      if (indexes.length > 1) problems.push(`duplicate trust anchor (indices [${indexes.join(" ")}])`);
    }
  }
  errors.push(...problems.map((problem) => invalidField(field, OMITTED, problem)));
}

function anchorProblem({ type, hasHeaders, bytes }: PemBlock, index: number): string | undefined {
  if (type !== "CERTIFICATE") return `entry ${index} has bad block type: ${type}`;
  if (hasHeaders) return `entry ${index} has PEM block headers`;
  const certificate = parseCertificate(bytes);
  if (certificate === undefined) return `entry ${index} does not parse as X.509`;
  return certificate.ca ? undefined : `entry ${index} does not have the CA bit set`;
}
