import { UsageError } from "../usage-error.ts";
import { duration, file, keyPair, list } from "./flag.ts";
import { section } from "./section.ts";

const KUBELET_PORT = 10_250;
const ADDRESS_TYPES = ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"];

export const NODES = section(
  "Nodes",
  {
    certificate: file("kubelet-client-certificate", {
      help: "Client certificate for requests to kubelets. With it, logs, exec, attach, port-forward and proxies connect to nodes; without it, they are refused. Read again for new connections.",
    }),
    key: file("kubelet-client-key", { help: "Private key of --kubelet-client-certificate." }),
    authority: file("kubelet-certificate-authority", {
      help: "CA of the serving certificates of kubelets. Without it they are not verified, as in kube-apiserver.",
    }),
    addressTypes: list("kubelet-preferred-address-types", {
      default: ADDRESS_TYPES.join(","),
      help: "Types of node addresses through which kubelets are reached, the preferred one first.",
    }).to((types, name) => {
      const unknown = types.find((type) => !ADDRESS_TYPES.includes(type));
      if (unknown !== undefined) throw new UsageError(`--${name}: unknown address type "${unknown}"`);
      return types;
    }),
    timeoutMs: duration("kubelet-timeout", {
      default: "5s",
      help: "Timeout for connecting to kubelets, and for their responses to protocol upgrades.",
    }),
  },
  ({ certificate, key, authority, addressTypes, timeoutMs }) => {
    const client = keyPair(["kubelet-client-certificate", certificate], ["kubelet-client-key", key]);
    if (client === undefined) return { nodes: undefined };
    const credentials = { client, authorityFile: authority?.path };
    return { nodes: { addressTypes, port: KUBELET_PORT, timeoutMs, credentials } };
  },
);
