import { isDeepStrictEqual } from "node:util";
import type { AdmissionPlugin } from "../../contract/admission.ts";
import { goQuote } from "../../go/quote.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { CREATE_AND_UPDATE, isFor } from "../requests.ts";
import { maySign } from "../signer-access.ts";

/** Requires the verb `attest` on the signer for writing a trust bundle with a signer name. */
export function createClusterTrustBundleAttest(environment: PluginEnvironment): AdmissionPlugin {
  const group = environment.naming.group("certificates");
  return {
    name: "ClusterTrustBundleAttest",
    operations: CREATE_AND_UPDATE,
    resources: new Set(["clustertrustbundles"]),
    async validate(request) {
      if (!isFor(request, group, "clustertrustbundles") || !environment.featureEnabled("ClusterTrustBundle")) return;
      const { signerName = "" } = (request.object?.spec ?? {}) as { signerName?: string };
      if (signerName === "") return;
      if (request.operation === "UPDATE" && isDeepStrictEqual(request.object?.spec, request.oldObject?.spec)) return;
      if (!(await maySign(environment, request.user, "attest", signerName)))
        throw refuseAdmission(request, `user not permitted to attest for signerName ${goQuote(signerName)}`);
    },
  };
}
