import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { ConfigMap } from "./config-map.ts";

export const hooks = hooksFor<ConfigMap>({
  cells: (map) => ({ Data: Object.keys(map.data ?? {}).length + Object.keys(map.binaryData ?? {}).length }),
});
