import type { AdmissionPlugin } from "../../contract/admission.ts";
import type { ApiObject } from "../../contract/api-object.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { CREATE_AND_UPDATE, isFor } from "../requests.ts";

/** Rejects new external IPs of a Service. */
export const denyServiceExternalIPs: AdmissionPlugin = {
  name: "DenyServiceExternalIPs",
  operations: CREATE_AND_UPDATE,
  resources: new Set(["services"]),
  validate(request) {
    if (!isFor(request, "", "services")) return;
    const addresses = (service: ApiObject | undefined) =>
      (service?.spec as { externalIPs?: string[] } | undefined)?.externalIPs ?? [];
    const before = new Set(addresses(request.oldObject));
    if (addresses(request.object).some((address) => !before.has(address)))
      throw refuseAdmission(request, "Use of external IPs is denied by admission control");
  },
};
