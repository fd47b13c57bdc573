import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { bindingCells } from "./binding-cells.ts";
import type { RoleBinding } from "./role-binding.ts";

export const hooks = hooksFor<RoleBinding>({ cells: bindingCells });
