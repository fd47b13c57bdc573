import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { paramRefText } from "./parameter-text.ts";
import type { ValidatingAdmissionPolicyBinding } from "./validating-admission-policy-binding.ts";

export const hooks = hooksFor<ValidatingAdmissionPolicyBinding>({
  cells: ({ spec }) => ({ ParamRef: paramRefText(spec?.paramRef) }),
});
