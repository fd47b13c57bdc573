import { KeyUsage, RequestConditionType } from "../../../generated/values/certificates.v1.ts";
import { ConditionStatus } from "../../../generated/values/core.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { goBytes } from "../../../runtime/go/bytes.ts";
import { shown } from "../../../runtime/go/literal.ts";
import { asGiven } from "../../../runtime/go/source-notes.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { repeats } from "../../../runtime/values/repeats.ts";
import { diffAs } from "../../go-types.ts";
import { certificateProblem, requestProblem } from "./certificate-request.ts";
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
  CertificateSigningRequestSpec,
} from "./certificate-signing-request.ts";
import { validateSignerName } from "./signer-name-validation.ts";

const LEGACY_SIGNER = "kubernetes.io/legacy-unknown";
const MIN_SECONDS = 600;
const USAGES = [...KeyUsage].sort();

/** What a request through a subresource may set. */
export interface RequestRights {
  readonly decide: boolean;
  readonly issue: boolean;
}

/** `old` is undefined for a new request. Errors that the old object already has are tolerated. */
export function validateRequest(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest | undefined,
  errors: FieldError[],
): void {
  const spec = request.spec ?? ({} as CertificateSigningRequestSpec);
  const isGiven = (asGiven(spec, "request") ?? undefined) !== undefined;
  const bytes = Buffer.from(spec.request ?? "", "base64");
  const problem = requestProblem(bytes.toString("latin1"));
  if (problem !== undefined)
    errors.push(invalidField("spec.request", shown(goBytes(isGiven ? bytes : undefined)), problem));
  validateUsages(spec.usages ?? [], old?.spec?.usages, errors);
  const { signerName = "", expirationSeconds } = spec;
  if (signerName === LEGACY_SIGNER && old?.spec?.signerName !== LEGACY_SIGNER) {
    const detail = "the legacy signerName is not allowed via this API version";
    errors.push(invalidField("spec.signerName", signerName, detail));
  } else {
    validateSignerName(signerName, "spec.signerName", errors);
  }
  if (expirationSeconds !== undefined && expirationSeconds < MIN_SECONDS) {
    const detail = "may not specify a duration less than 600 seconds (10 minutes)";
    errors.push(invalidField("spec.expirationSeconds", expirationSeconds, detail));
  }
  validateConditions(request.status?.conditions ?? [], old?.status?.conditions ?? [], "status.conditions", errors);
  validateCertificate(request.status?.certificate, old, errors);
}

/** Approval and denial are final and can be set only through `approval`; certificates only through `status`. */
export function validateRequestChange(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  rights: RequestRights,
  errors: FieldError[],
): void {
  const refuse = (detail: string) => errors.push(forbiddenField("status.conditions", detail));
  for (const type of RequestConditionType) {
    if (ofType(request, type).length < ofType(old, type).length) {
      refuse(`updates may not remove a condition of type "${type}"`);
    }
  }
  for (const type of rights.decide ? [] : ["Approved", "Denied"]) {
    const [now, before] = [ofType(request, type), ofType(old, type)];
    if (now.length > before.length) refuse(`updates may not add a condition of type "${type}"`);
    else if (now.length === before.length && !equalMeaning(now, before)) {
      const diff = diffAs("[]certificates.CertificateSigningRequestCondition", before, now);
      refuse(`updates may not modify a condition of type "${type}"\n${diff}`);
    }
  }
  const [certificate = "", oldCertificate = ""] = [request.status?.certificate, old.status?.certificate];
  if (certificate === oldCertificate) return;
  if (!rights.issue) errors.push(forbiddenField("status.certificate", "updates may not set certificate content"));
  else if (oldCertificate !== "") {
    errors.push(forbiddenField("status.certificate", "updates may not modify existing certificate content"));
  }
}

function ofType({ status }: CertificateSigningRequest, type: string): CertificateSigningRequestCondition[] {
  return (status?.conditions ?? []).filter((condition) => condition.type === type);
}

function validateUsages(usages: readonly string[], old: readonly string[] | undefined, errors: FieldError[]): void {
  if (usages.length === 0) errors.push(requiredField("spec.usages"));
  const hadUnknown = old?.some((usage) => !USAGES.includes(usage)) ?? false;
  const hadDuplicate = old !== undefined && new Set(old).size < old.length;
  for (const [index, usage] of usages.entries()) {
    if (!hadUnknown && !USAGES.includes(usage)) {
      errors.push(unsupportedField(`spec.usages[${index}]`, usage, USAGES));
    }
  }
  const isRepeated = repeats<string>();
  for (const [index, usage] of usages.entries()) {
    if (isRepeated(usage) && !hadDuplicate) errors.push(duplicateField(`spec.usages[${index}]`, usage));
  }
}

function validateConditions(
  conditions: readonly CertificateSigningRequestCondition[],
  old: readonly CertificateSigningRequestCondition[],
  path: string,
  errors: FieldError[],
): void {
  const oldTypes = new Set<string>(old.map(({ type }) => type));
  const hadBoth = oldTypes.has("Approved") && oldTypes.has("Denied");
  const hadDuplicate = oldTypes.size < old.length;
  const seen = new Set<string>();
  for (const [index, condition] of conditions.entries()) {
    const at = `${path}[${index}]`;
    const type: string = condition.type ?? "";
    const status: string = condition.status ?? "";
    if (type === "" && !oldTypes.has("")) errors.push(requiredField(`${at}.type`));
    const allowed = RequestConditionType.includes(type) ? ["True"] : [...ConditionStatus].sort();
    if (status === "") errors.push(requiredField(`${at}.status`));
    else if (!allowed.includes(status)) errors.push(unsupportedField(`${at}.status`, status, allowed));
    const opposite = type === "Approved" ? "Denied" : type === "Denied" ? "Approved" : undefined;
    if (!hadBoth && opposite !== undefined && seen.has(opposite)) {
      errors.push(invalidField(`${at}.type`, type, "Approved and Denied conditions are mutually exclusive"));
    }
    if (!hadDuplicate && seen.has(type)) errors.push(duplicateField(`${at}.type`, type));
    seen.add(type);
  }
}

function validateCertificate(
  certificate: string | undefined,
  old: CertificateSigningRequest | undefined,
  errors: FieldError[],
): void {
  const before = old?.status?.certificate;
  if (old !== undefined && (certificate ?? "") === (before ?? "")) return;
  if (before !== undefined && certificateProblem(decode(before)) !== undefined) return;
  const problem = certificateProblem(decode(certificate ?? ""));
  if (problem !== undefined) errors.push(invalidField("status.certificate", "<certificate data>", problem));
}

function decode(base64: string): string {
  return Buffer.from(base64, "base64").toString("latin1");
}
