import type { AdmissionPlugin } from "../../contract/admission.ts";
import { goQuote } from "../../go/quote.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { isFor, UPDATE } from "../requests.ts";
import { maySign } from "../signer-access.ts";

/** Requires the verb `approve` on the signer for approving a certificate request. */
export function createCertificateApproval(environment: PluginEnvironment): AdmissionPlugin {
  const group = environment.naming.group("certificates");
  return {
    name: "CertificateApproval",
    operations: UPDATE,
    resources: new Set(["certificatesigningrequests"]),
    async validate(request) {
      if (!isFor(request, group, "certificatesigningrequests", "approval")) return;
      const { signerName = "" } = (request.oldObject?.spec ?? {}) as { signerName?: string };
      if (!(await maySign(environment, request.user, "approve", signerName)))
        throw refuseAdmission(request, `user not permitted to approve requests with signerName ${goQuote(signerName)}`);
    },
  };
}
