import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { defaultDeviceClaim } from "./device-claim-defaults.ts";
import type { ResourceClaimTemplate } from "./resource-claim-template.ts";

export const hooks = kindHooks<ResourceClaimTemplate>({
  default: ({ spec }) => defaultDeviceClaim(spec?.spec?.devices),
});
