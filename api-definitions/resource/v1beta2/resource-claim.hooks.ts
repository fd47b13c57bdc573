import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { defaultDeviceClaim } from "./device-claim-defaults.ts";
import type { ResourceClaim } from "./resource-claim.ts";

export const hooks = hooksFor<ResourceClaim>({ defaults: ({ spec }) => defaultDeviceClaim(spec?.devices) });
