import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { defaultDeviceClaim } from "./device-claim-defaults.ts";
import type { ResourceClaimTemplate } from "./resource-claim-template.ts";

export const hooks = hooksFor<ResourceClaimTemplate>({
  defaults: ({ spec }) => defaultDeviceClaim(spec?.spec?.devices),
});
