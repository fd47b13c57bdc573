import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import {
  collectErrors,
  forbiddenField,
  invalidFields,
  requiredField,
  tooLongField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { checkDnsLabel } from "../../../runtime/values/names.ts";
import { validateDomainPrefixedPath } from "../../meta/v1/domain-path-validation.ts";
import type { IngressClass, IngressClassParametersReference } from "./ingress-class.ts";
import { validateTypedReference } from "./reference-validation.ts";

const MAX_CONTROLLER = 250;
const SCOPES = ["Cluster", "Namespace"];

export const hooks = kindHooks<IngressClass>({
  validate: validateClass,
  cells: ({ spec }) => {
    const parameters = spec?.parameters;
    if (parameters === undefined) return { Parameters: "<none>" };
    const kind = parameters.apiGroup === undefined ? parameters.kind : `${parameters.kind}.${parameters.apiGroup}`;
    return { Parameters: `${kind}/${parameters.name}` };
  },
  compatibility: {
    order: { update: ["metadataAsChange", "declared", "metadataAsNew", "validate"] },
  },
});

function validateParameters(parameters: IngressClassParametersReference, path: string, errors: FieldError[]): void {
  const { scope, namespace } = parameters;
  validateTypedReference(parameters, path, errors);
  if (scope === undefined || scope === null) {
    errors.push(requiredField(`${path}.scope`));
  } else if (!SCOPES.includes(scope)) {
    errors.push(unsupportedField(`${path}.scope`, scope, SCOPES));
  } else if (scope === "Namespace") {
    if (namespace === undefined) {
      errors.push(requiredField(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'"));
    } else {
      errors.push(...invalidFields(`${path}.namespace`, namespace, checkDnsLabel(namespace)));
    }
  } else if (namespace !== undefined) {
    errors.push(forbiddenField(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  }
}

function validateClass({ spec = {} }: IngressClass): FieldError[] {
  return collectErrors((errors) => {
    const { controller = "", parameters } = spec;
    if (Buffer.byteLength(controller) > MAX_CONTROLLER) errors.push(tooLongField("spec.controller", MAX_CONTROLLER));
    validateDomainPrefixedPath(controller, "spec.controller", errors);
    if (parameters !== undefined) validateParameters(parameters, "spec.parameters", errors);
  });
}
