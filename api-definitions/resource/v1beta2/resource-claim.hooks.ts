import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { defaultDeviceClaim } from "./device-claim-defaults.ts";
import type { ResourceClaim } from "./resource-claim.ts";

export const hooks = kindHooks<ResourceClaim>({
  default: ({ spec }) => defaultDeviceClaim(spec?.devices),
});
