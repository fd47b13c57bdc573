import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors, invalidFields, requiredField } from "../../../runtime/values/field-errors.ts";
import { since } from "../../../runtime/values/human-duration.ts";
import { checkIp } from "../../../runtime/values/ip-checks.ts";
import { checkPathSegment, checkSubdomain } from "../../../runtime/values/names.ts";
import { shownAs } from "../../go-types.ts";
import { validateImmutable } from "../../meta/v1/change-validation.ts";
import type { IPAddress, ParentReference } from "./ip-address.ts";

export const hooks = kindHooks<IPAddress>({
  validate: ({ spec }) => collectErrors((errors) => validateParent(spec?.parentRef, "spec.parentRef", errors)),
  cells: ({ spec }) => {
    const parent = spec?.parentRef;
    if (parent === undefined) return { ParentRef: "<none>" };
    const resource = (parent.group ? `${parent.resource}.${parent.group}` : (parent.resource ?? "")).toLowerCase();
    return { ParentRef: [resource, ...(parent.namespace ? [parent.namespace] : []), parent.name].join("/") };
  },
  validation: {
    name: checkIp,
    update: ({ spec }, old) =>
      collectErrors((errors) => {
        const show = (parent: ParentReference) => shownAs("networking.ParentReference", parent);
        validateImmutable(spec?.parentRef, old.spec?.parentRef, "spec.parentRef", errors, show);
      }),
  },
  compatibility: {
    order: { update: ["metadataAsNew", "declared", "validate", "metadataAsChange", "update"] },
    wholeGenerateName: true,
    // Kubernetes adds the age to each row, although the table has no column for it.
    moreCells: ({ metadata }, { now }) => [since(metadata?.creationTimestamp, now)],
  },
});

/** Validates the reference to the object that uses the address. */
function validateParent(parent: ParentReference | undefined, path: string, errors: FieldError[]): void {
  if (parent === undefined) {
    errors.push(requiredField(path));
    return;
  }
  const { group, resource, name, namespace } = parent;
  if (group) errors.push(...invalidFields(`${path}.group`, group, checkSubdomain(group)));
  for (const [part, value] of Object.entries({ resource, name })) {
    if (!value) errors.push(requiredField(`${path}.${part}`));
    else errors.push(...invalidFields(`${path}.${part}`, value, checkPathSegment(value)));
  }
  if (namespace) errors.push(...invalidFields(`${path}.namespace`, namespace, checkPathSegment(namespace)));
}
