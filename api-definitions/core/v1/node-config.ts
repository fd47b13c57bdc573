import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { forbiddenField, invalidField, invalidFields, requiredField } from "../../../runtime/values/field-errors.ts";
import { checkConfigMapKey } from "../../../runtime/values/formats.ts";
import { checkDnsLabel, checkSubdomain } from "../../../runtime/values/names.ts";
import { shownAs } from "../../go-types.ts";
import type { ConfigMapNodeConfigSource, NodeConfigSource, NodeConfigStatus } from "./node.ts";
import { need } from "./validation/basics.ts";

/** Validates the source of a kubelet's configuration, which no longer has any effect. */
export function validateConfigSource(source: NodeConfigSource, path: string, errors: FieldError[]): void {
  validateReference(source, path, errors, ({ uid, resourceVersion }, at) => {
    if (uid) errors.push(forbiddenField(`${at}.uid`, "uid must not be set in spec"));
    if (resourceVersion)
      errors.push(forbiddenField(`${at}.resourceVersion`, "resourceVersion must not be set in spec"));
  });
}

export function validateConfigStatus(status: NodeConfigStatus, path: string, errors: FieldError[]): void {
  for (const role of ["assigned", "active", "lastKnownGood"] as const) {
    const source = status[role];
    if (source === undefined) continue;
    validateReference(source, `${path}.${role}`, errors, ({ uid, resourceVersion }, at) => {
      if (!uid) errors.push(requiredField(`${at}.uid`, "uid must be set in status"));
      if (!resourceVersion)
        errors.push(requiredField(`${at}.resourceVersion`, "resourceVersion must be set in status"));
    });
  }
}

function validateReference(
  { configMap }: NodeConfigSource,
  path: string,
  errors: FieldError[],
  validateVersion: (map: ConfigMapNodeConfigSource, path: string) => void,
): void {
  if (configMap === undefined) {
    const value = shownAs("core.NodeConfigSource", {});
    errors.push(invalidField(path, value, "exactly one reference subfield must be non-nil"));
    return;
  }
  const at = `${path}.configMap`;
  validateVersion(configMap, at);
  const checks = { namespace: checkDnsLabel, name: checkSubdomain, kubeletConfigKey: checkConfigMapKey } as const;
  for (const field of ["namespace", "name", "kubeletConfigKey"] as const) {
    const value = configMap[field];
    if (need(value, `${at}.${field}`, errors, `${field} must be set`))
      errors.push(...invalidFields(`${at}.${field}`, value, checks[field](value)));
  }
}
