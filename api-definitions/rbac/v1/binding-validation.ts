import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { invalidField, invalidFields, requiredField, unsupportedField } from "../../../runtime/values/field-errors.ts";
import { checkPathSegment, checkSubdomain } from "../../../runtime/values/names.ts";
import { shownAs } from "../../go-types.ts";
import type { RoleRef, Subject } from "./binding.ts";

const GROUP = "rbac.authorization.k8s.io";
const NO_ROLE = {} as RoleRef;

interface Binding {
  readonly roleRef?: RoleRef;
  readonly subjects?: readonly Subject[];
}

/** Validates the role and subjects. Service accounts need a namespace in a cluster-scoped binding. */
export function validateBinding(binding: Binding, namespaced: boolean, errors: FieldError[]): void {
  const { apiGroup = "", kind = "", name = "" } = binding.roleRef ?? NO_ROLE;
  if (apiGroup !== GROUP) errors.push(unsupportedField("roleRef.apiGroup", apiGroup, [GROUP]));
  const kinds = namespaced ? ["Role", "ClusterRole"] : ["ClusterRole"];
  if (!kinds.includes(kind)) errors.push(unsupportedField("roleRef.kind", kind, kinds));
  if (name === "") errors.push(requiredField("roleRef.name"));
  else errors.push(...invalidFields("roleRef.name", name, checkPathSegment(name)));
  for (const [index, subject] of (binding.subjects ?? []).entries()) {
    validateSubject(subject, namespaced, `subjects[${index}]`, errors);
  }
}

/** Rejects a change of `roleRef`, which is immutable. */
export function validateRoleUnchanged(binding: Binding, old: Binding, errors: FieldError[]): void {
  if (equalMeaning(binding.roleRef, old.roleRef)) return;
  errors.push(invalidField("roleRef", shownAs("rbac.RoleRef", binding.roleRef), "cannot change roleRef"));
}

function validateSubject(subject: Subject, namespaced: boolean, path: string, errors: FieldError[]): void {
  const { kind = "", apiGroup = "", name = "", namespace = "" } = subject;
  if (name === "") errors.push(requiredField(`${path}.name`));
  switch (kind) {
    case "ServiceAccount":
      if (name !== "") errors.push(...invalidFields(`${path}.name`, name, checkSubdomain(name)));
      if (apiGroup !== "") errors.push(unsupportedField(`${path}.apiGroup`, apiGroup, [""]));
      if (!namespaced && namespace === "") errors.push(requiredField(`${path}.namespace`));
      return;
    case "User":
    case "Group":
      if (apiGroup !== GROUP) errors.push(unsupportedField(`${path}.apiGroup`, apiGroup, [GROUP]));
      return;
    default:
      errors.push(unsupportedField(`${path}.kind`, kind, ["ServiceAccount", "User", "Group"]));
  }
}
