import type { ApiObject } from "../contract/api-object.ts";
import type { Controller, ControllerParts } from "./controller.ts";
import { createStatusController } from "./status-controller.ts";

interface ValidatingPolicy extends ApiObject {
  readonly status?: { readonly observedGeneration?: number; readonly typeChecking?: object };
}

export interface PolicyTypesParts extends ControllerParts {
  /** Returns the type errors in a policy's expressions. */
  readonly checkTypes: (policy: ApiObject) => Promise<readonly object[]>;
}

/** Reports type errors of expressions in the status of ValidatingAdmissionPolicies. */
export function createPolicyTypes(parts: PolicyTypesParts): Controller {
  const name = "validatingadmissionpolicy-status";
  return createStatusController<ValidatingPolicy>(parts, {
    name,
    subject: { group: parts.naming.group("admissionregistration"), resource: "validatingadmissionpolicies" },
    as: { fieldManager: name, applied: true },
    async statusOf(policy) {
      const generation = policy.metadata.generation ?? 0;
      if (generation <= (policy.status?.observedGeneration ?? 0)) return undefined;
      const expressionWarnings = await parts.checkTypes(policy);
      const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings };
      return { ...policy.status, observedGeneration: generation, typeChecking };
    },
  });
}
