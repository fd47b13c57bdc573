import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { paramKindText } from "./parameter-text.ts";
import type { ValidatingAdmissionPolicy } from "./validating-admission-policy.ts";

export const hooks = hooksFor<ValidatingAdmissionPolicy>({
  cells: ({ spec }) => ({ Validations: spec?.validations?.length ?? 0, ParamKind: paramKindText(spec?.paramKind) }),
});
