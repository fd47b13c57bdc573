import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { ServiceAccount } from "./service-account.ts";

export const hooks = hooksFor<ServiceAccount>({
  cells: (account) => ({ Secrets: account.secrets?.length ?? 0 }),
});
