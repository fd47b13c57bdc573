import { isDeepStrictEqual } from "node:util";
import type { AdmissionPlugin } from "../../contract/admission.ts";
import type { ApiObject } from "../../contract/api-object.ts";
import { goQuote } from "../../go/quote.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { isFor, UPDATE } from "../requests.ts";
import { maySign } from "../signer-access.ts";

/** Requires the verb `sign` on the signer for setting the certificate or conditions of a certificate request. */
export function createCertificateSigning(environment: PluginEnvironment): AdmissionPlugin {
  const group = environment.naming.group("certificates");
  const signed = (object: ApiObject | undefined) => {
    const { certificate, conditions } = (object?.status ?? {}) as { certificate?: string; conditions?: unknown[] };
    return [certificate ?? "", conditions ?? []];
  };
  return {
    name: "CertificateSigning",
    operations: UPDATE,
    resources: new Set(["certificatesigningrequests"]),
    async validate(request) {
      if (!isFor(request, group, "certificatesigningrequests", "status")) return;
      if (isDeepStrictEqual(signed(request.object), signed(request.oldObject))) return;
      const { signerName = "" } = (request.oldObject?.spec ?? {}) as { signerName?: string };
      if (!(await maySign(environment, request.user, "sign", signerName)))
        throw refuseAdmission(request, `user not permitted to sign requests with signerName ${goQuote(signerName)}`);
    },
  };
}
