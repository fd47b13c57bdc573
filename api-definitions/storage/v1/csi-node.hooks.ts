import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { CSINode } from "./csi-node.ts";

export const hooks = hooksFor<CSINode>({
  cells: ({ spec }) => ({ Drivers: spec?.drivers?.length ?? 0 }),
});
