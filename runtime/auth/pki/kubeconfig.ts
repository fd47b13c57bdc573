import { dirname } from "node:path";
import { makeDirectory, writePrivately } from "../../lib/private-files.ts";
import type { ClusterIdentity } from "./cluster-identity.ts";

export interface KubeconfigOptions {
  /** For example `https://127.0.0.1:6443`. */
  readonly server: string;
  /** Name of the cluster, of the user, and of the context that combines them. */
  readonly name: string;
  readonly identity: Pick<ClusterIdentity, "serverTrustPem" | "admin">;
}

/** Returns a kubeconfig for this server with the administrator's certificate, as a string. */
export function formatKubeconfig({ server, name, identity }: KubeconfigOptions): string {
  const base64 = (pem: string) => Buffer.from(pem).toString("base64");
  return `apiVersion: v1
kind: Config
clusters:
- name: ${name}
  cluster:
    server: ${server}
    certificate-authority-data: ${base64(identity.serverTrustPem)}
users:
- name: ${name}-admin
  user:
    client-certificate-data: ${base64(identity.admin.certificatePem)}
    client-key-data: ${base64(identity.admin.keyPem)}
contexts:
- name: ${name}
  context:
    cluster: ${name}
    user: ${name}-admin
current-context: ${name}
`;
}

/** Writes the kubeconfig to a file that only its owner may read. */
export function writeKubeconfig(path: string, options: KubeconfigOptions): void {
  makeDirectory(dirname(path));
  writePrivately(path, formatKubeconfig(options));
}
