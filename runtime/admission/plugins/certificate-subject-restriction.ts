import type { AdmissionPlugin } from "../../contract/admission.ts";
import { requestedOrganizations } from "../certificate-request.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { CREATE, isFor } from "../requests.ts";

/** Rejects client certificate requests with the group `system:masters`. */
export function createCertificateSubjectRestriction({ naming }: PluginEnvironment): AdmissionPlugin {
  const group = naming.group("certificates");
  const signer = naming.key("kube-apiserver-client");
  return {
    name: "CertificateSubjectRestriction",
    operations: CREATE,
    resources: new Set(["certificatesigningrequests"]),
    validate(request) {
      if (!isFor(request, group, "certificatesigningrequests")) return;
      const spec = (request.object?.spec ?? {}) as { signerName?: string; request?: string };
      if (spec.signerName !== signer) return;
      const organizations = requestedOrganizations(spec.request ?? "");
      if (organizations === undefined)
        throw refuseAdmission(request, "failed to parse CSR: PEM block type must be CERTIFICATE REQUEST");
      if (organizations.includes("system:masters"))
        throw refuseAdmission(request, `use of ${signer} signer with system:masters group is not allowed`);
    },
  };
}
