import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { readCertificateRequest } from "../../../runtime/x509/certificate-request.ts";
import { release } from "../../release.ts";
import type { CertificateSigningRequest } from "./certificate-signing-request.ts";

const NODES = "system:nodes";
const NODE_PREFIX = "system:node:";

export const hooks = kindHooks<CertificateSigningRequest>({
  /** In v1beta1 the signer defaults to one that fits the request. */
  default: ({ spec }) => {
    spec.signerName ??= `${release.vendor}.io/${guessSigner(spec.request ?? "", new Set(spec.usages))}`;
  },
});

function guessSigner(text: string, usages: ReadonlySet<string>): string {
  const request = readCertificateRequest(text);
  const isNode =
    request !== undefined &&
    request.organizations.length === 1 &&
    request.organizations[0] === NODES &&
    request.commonName.startsWith(NODE_PREFIX);
  if (!isNode) return "legacy-unknown";
  if (isExactly(usages, "client auth") && !request.hasAlternativeNames) return "kube-apiserver-client-kubelet";
  if (isExactly(usages, "server auth") && request.hasAlternativeNames) return "kubelet-serving";
  return "legacy-unknown";
}

/** Whether the usages are those of a TLS certificate for this purpose. `key encipherment` is optional: only RSA keys need it. */
function isExactly(usages: ReadonlySet<string>, purpose: string): boolean {
  const allowed = new Set(["key encipherment", "digital signature", purpose]);
  return usages.has("digital signature") && usages.has(purpose) && [...usages].every((usage) => allowed.has(usage));
}
