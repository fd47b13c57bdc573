import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { Role } from "./role.ts";
import { validateRoleName } from "./role-names.ts";

export const hooks = hooksFor<Role>({ validateName: validateRoleName });
