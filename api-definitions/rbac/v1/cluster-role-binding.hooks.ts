import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { bindingCells } from "./binding-cells.ts";
import type { ClusterRoleBinding } from "./cluster-role-binding.ts";

export const hooks = hooksFor<ClusterRoleBinding>({ cells: bindingCells });
