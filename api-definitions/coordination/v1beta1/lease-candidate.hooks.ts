import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors, invalidField, requiredField } from "../../../runtime/values/field-errors.ts";
import { checkConfigMapKey } from "../../../runtime/values/formats.ts";
import { compareSemver, parseSemver, type Semver } from "../../../runtime/values/semver.ts";
import { validateLeaseStrategy } from "../v1/strategy-validation.ts";
import type { LeaseCandidate, LeaseCandidateSpec } from "./lease-candidate.ts";

const ZERO: Semver = { numbers: [0n, 0n, 0n], prerelease: [] };

export const hooks = kindHooks<LeaseCandidate>({
  validate: ({ spec = {} as LeaseCandidateSpec }) => collectErrors((errors) => validateCandidate(spec, "spec", errors)),
  validation: {
    name: checkConfigMapKey,
  },
  compatibility: {
    order: { update: ["metadataAsChange", "update", "declared"] },
    freeFinalizers: true,
  },
});

function validateCandidate(spec: LeaseCandidateSpec, path: string, errors: FieldError[]): void {
  const { leaseName = "", binaryVersion = "", emulationVersion = "" } = spec;
  const strategy: string = spec.strategy ?? "";
  if (leaseName === "") errors.push(requiredField(`${path}.leaseName`));
  const emulated = readVersion(emulationVersion, `${path}.emulationVersion`, errors);
  if (binaryVersion === "") errors.push(requiredField(`${path}.binaryVersion`));
  const binary = readVersion(binaryVersion, `${path}.binaryVersion`, errors);
  if (binaryVersion !== "" && emulationVersion !== "" && compareSemver(binary, emulated) < 0) {
    const detail = "must be greater than or equal to `emulationVersion`";
    errors.push(invalidField(`${path}.binaryVersion`, binaryVersion, detail));
  }
  if (strategy === "") {
    errors.push(requiredField(`${path}.strategy`));
    return;
  }
  if (strategy === "OldestEmulationVersion" && compareSemver(emulated, ZERO) === 0) {
    const detail = "must be specified when `strategy` is 'OldestEmulationVersion'";
    errors.push(requiredField(`${path}.emulationVersion`, detail));
  }
  validateLeaseStrategy(strategy, `${path}.strategy`, errors);
}

/** Returns zeros for an empty or invalid version. */
function readVersion(text: string, field: string, errors: FieldError[]): Semver {
  const version = parseSemver(text);
  if (version === undefined && text !== "") errors.push(invalidField(field, text, "must be a valid semantic version"));
  return version ?? ZERO;
}
