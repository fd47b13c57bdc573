import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { ClusterRole } from "./cluster-role.ts";
import { validateRoleName } from "./role-names.ts";

export const hooks = hooksFor<ClusterRole>({ validateName: validateRoleName });
