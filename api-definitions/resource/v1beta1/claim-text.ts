import { carryNotes } from "../../../runtime/go/source-notes.ts";
import type { Verbatim } from "../../../runtime/go/verbatim.ts";
import { shownAs } from "../../go-types.ts";
import type { AllocationResult, ResourceClaimSpec } from "./resource-claim.ts";
import type { ResourceClaimTemplateSpec } from "./resource-claim-template.ts";

/** A claim as messages show it. */
export function shownClaimSpec(spec: ResourceClaimSpec): Verbatim {
  return shownAs("resource.ResourceClaimSpec", inServersShape(spec));
}

export function shownTemplateSpec(template: ResourceClaimTemplateSpec): Verbatim {
  const spec = inServersShape(template.spec ?? {});
  return shownAs("resource.ResourceClaimTemplateSpec", { metadata: template.metadata, spec });
}

export function shownAllocation(allocation: AllocationResult): Verbatim {
  return shownAs("resource.AllocationResult", allocation);
}

/** Moves the fields of a request into `exactly`, as in Kubernetes' internal type, which messages show. */
function inServersShape(spec: ResourceClaimSpec): object {
  const requests = spec.devices?.requests?.map(({ name, firstAvailable, ...exactly }) => ({
    name,
    firstAvailable,
    ...(Object.values(exactly).some((part) => part !== undefined && part !== "") && { exactly }),
  }));
  const devices = { ...spec.devices, ...(requests && { requests }) };
  if (spec.devices !== undefined) carryNotes(spec.devices, devices);
  return { ...spec, devices };
}
