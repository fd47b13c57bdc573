import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { humanDuration } from "../../../runtime/lib/human-duration.ts";
import type { CertificateSigningRequest } from "./certificate-signing-request.ts";

export const hooks = hooksFor<CertificateSigningRequest>({
  cells: ({ spec, status }) => ({
    SignerName: spec.signerName || "<none>",
    RequestedDuration: spec.expirationSeconds === undefined ? "<none>" : humanDuration(spec.expirationSeconds * 1000),
    Condition: conditionText(status),
  }),
});

function conditionText(status: CertificateSigningRequest["status"]): string {
  const has = (type: string) => status?.conditions?.some((condition) => condition.type === type) ?? false;
  const decision = has("Denied") ? "Denied" : has("Approved") ? "Approved" : "Pending";
  return [decision, ...(has("Failed") ? ["Failed"] : []), ...(status?.certificate ? ["Issued"] : [])].join(",");
}
