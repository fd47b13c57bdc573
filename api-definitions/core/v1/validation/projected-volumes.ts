import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import { forbiddenField, invalidField, requiredField } from "../../../../runtime/values/field-errors.ts";
import { validateSignerName } from "../../../certificates/v1/signer-name-validation.ts";
import { checkTrustBundleName, signerOfTrustBundle } from "../../../certificates/v1beta1/trust-bundle-name.ts";
import { shownAs } from "../../../go-types.ts";
import { validateLabelSelector } from "../../../meta/v1/label-selector-validation.ts";
import type {
  ConfigMapVolumeSource,
  DownwardAPIVolumeFile,
  DownwardAPIVolumeSource,
  KeyToPath,
  ProjectedVolumeSource,
  SecretVolumeSource,
  VolumeProjection,
} from "../projected-volumes.ts";
import { need, validateFileMode } from "./basics.ts";
import { validateProjectedPath } from "./paths.ts";
import { validateFieldReference, validateResourceReference } from "./references.ts";

const FILE_FIELDS = ["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"];
const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;

export function validateSecretVolume(source: SecretVolumeSource, path: string, errors: FieldError[]): void {
  need(source.secretName, `${path}.secretName`, errors);
  validateFileMode(source.defaultMode, `${path}.defaultMode`, errors);
  validateItems(source.items, `${path}.items`, errors);
}

export function validateConfigMapVolume(source: ConfigMapVolumeSource, path: string, errors: FieldError[]): void {
  need(source.name, `${path}.name`, errors);
  validateFileMode(source.defaultMode, `${path}.defaultMode`, errors);
  validateItems(source.items, `${path}.items`, errors);
}

export function validateDownwardVolume(source: DownwardAPIVolumeSource, path: string, errors: FieldError[]): void {
  validateFileMode(source.defaultMode, `${path}.defaultMode`, errors);
  for (const file of source.items ?? []) validateDownwardFile(file, path, errors);
}

/** Validates the sources of a projected volume. They share one directory, so no two may write the same file. */
export function validateProjectedVolume(
  source: ProjectedVolumeSource,
  path: string,
  errors: FieldError[],
  { tokenPaths }: { readonly tokenPaths: boolean },
): void {
  validateFileMode(source.defaultMode, `${path}.defaultMode`, errors);
  const taken = new Set<string>();
  const take = (file: string | undefined, shown: string | undefined) => {
    if (!file) return;
    if (taken.has(file)) errors.push(invalidField(path, shown ?? "", "conflicting duplicate paths"));
    taken.add(file);
  };
  for (const [index, projection] of (source.sources ?? []).entries()) {
    const at = `${path}.sources[${index}]`;
    const { secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle } = projection;
    for (const [name, files] of Object.entries({ secret, configMap })) {
      if (files === undefined) continue;
      need(files.name, `${at}.${name}.name`, errors);
      for (const [position, item] of (files.items ?? []).entries()) {
        validateKeyToPath(item, `${at}.${name}.items[${position}]`, errors);
        take(item.path, files.name);
      }
    }
    for (const file of downwardAPI?.items ?? []) {
      validateDownwardFile(file, `${at}.downwardAPI`, errors);
      take(file.path, file.path);
    }
    if (serviceAccountToken !== undefined)
      validateToken(serviceAccountToken, tokenPaths, `${at}.serviceAccountToken`, path, errors);
    if (clusterTrustBundle !== undefined) {
      validateTrustBundle(clusterTrustBundle, `${at}.clusterTrustBundle`, errors);
      take(clusterTrustBundle.path, clusterTrustBundle.path);
    }
    if (Object.keys(projection).length > 1)
      errors.push(forbiddenField(at, "may not specify more than 1 volume type per source"));
  }
}

function validateItems(items: readonly KeyToPath[] | undefined, path: string, errors: FieldError[]): void {
  for (const [index, item] of (items ?? []).entries()) validateKeyToPath(item, `${path}[${index}]`, errors);
}

function validateKeyToPath(item: KeyToPath, path: string, errors: FieldError[]): void {
  need(item.key, `${path}.key`, errors);
  need(item.path, `${path}.path`, errors);
  validateProjectedPath(item.path ?? "", `${path}.path`, errors);
  validateFileMode(item.mode, `${path}.mode`, errors);
}

function validateDownwardFile(file: DownwardAPIVolumeFile, path: string, errors: FieldError[]): void {
  need(file.path, `${path}.path`, errors);
  validateProjectedPath(file.path ?? "", `${path}.path`, errors);
  if (file.fieldRef !== undefined) {
    validateFieldReference(file.fieldRef, FILE_FIELDS, `${path}.fieldRef`, errors);
    if (file.resourceFieldRef !== undefined) {
      errors.push(invalidField(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously"));
    }
  } else if (file.resourceFieldRef !== undefined) {
    validateResourceReference(file.resourceFieldRef, true, `${path}.resourceFieldRef`, errors);
  } else {
    errors.push(requiredField(path, "one of fieldRef and resourceFieldRef is required"));
  }
  validateFileMode(file.mode, `${path}.mode`, errors);
}

function validateToken(
  token: NonNullable<VolumeProjection["serviceAccountToken"]>,
  isLenient: boolean,
  path: string,
  volumePath: string,
  errors: FieldError[],
): void {
  const seconds = token.expirationSeconds ?? 0;
  if (seconds < MIN_TOKEN_SECONDS)
    errors.push(invalidField(`${path}.expirationSeconds`, seconds, "may not specify a duration less than 10 minutes"));
  if (seconds > MAX_TOKEN_SECONDS)
    errors.push(
      invalidField(`${path}.expirationSeconds`, seconds, "may not specify a duration larger than 2^32 seconds"),
    );
  if (need(token.path, `${volumePath}.path`, errors) && !isLenient)
    validateProjectedPath(token.path, `${volumePath}.path`, errors);
}

function validateTrustBundle(
  bundle: NonNullable<VolumeProjection["clusterTrustBundle"]>,
  path: string,
  errors: FieldError[],
): void {
  if (bundle.name !== undefined && bundle.signerName !== undefined) {
    const value = shownAs("core.ClusterTrustBundleProjection", bundle);
    errors.push(invalidField(path, value, "only one of name and signerName may be used"));
  } else if (bundle.name !== undefined) {
    need(bundle.name, `${path}.name`, errors, "must be a valid object name");
    const problems = checkTrustBundleName(bundle.name, signerOfTrustBundle(bundle.name));
    for (const problem of problems)
      errors.push(invalidField(`${path}.name`, bundle.name, `not a valid clustertrustbundlename: ${problem}`));
    if (bundle.labelSelector !== undefined) {
      const value = shownAs("v1.LabelSelector", bundle.labelSelector);
      errors.push(invalidField(`${path}.labelSelector`, value, "labelSelector must be unset if name is specified"));
    }
  } else if (bundle.signerName !== undefined) {
    need(bundle.signerName, `${path}.signerName`, errors, "must be a valid signer name");
    validateSignerName(bundle.signerName, `${path}.signerName`, errors);
    validateLabelSelector(bundle.labelSelector, `${path}.labelSelector`, errors);
  } else {
    errors.push(requiredField(path, "either name or signerName must be specified"));
  }
  need(bundle.path, `${path}.path`, errors);
  validateProjectedPath(bundle.path, `${path}.path`, errors);
}
