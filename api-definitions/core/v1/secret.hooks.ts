import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { Secret } from "./secret.ts";

export const hooks = hooksFor<Secret>({
  cells: (secret) => ({ Data: Object.keys(secret.data ?? {}).length }),
});
