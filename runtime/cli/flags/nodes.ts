import { UsageError } from "../usage-error.ts";
import { checkCredentials, duration, file, list } from "./flag.ts";
import { section } from "./section.ts";

const KUBELET_PORT = 10_250;
const ADDRESS_TYPES = ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"];

export const NODES = section(
  "Nodes",
  {
    certificate: file("kubelet-client-certificate", {
      help: "Client certificate for requests to kubelets. With it, logs, exec, attach, port-forward and proxies connect to nodes; without it, they are refused.",
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
    if ((certificate === undefined) !== (key === undefined))
      throw new UsageError("--kubelet-client-certificate and --kubelet-client-key must be specified together");
    if (certificate === undefined || key === undefined) return { nodes: undefined };
    checkCredentials(["kubelet-client-certificate", "kubelet-client-key"], {
      cert: certificate.contents,
      key: key.contents,
    });
    return {
      nodes: {
        addressTypes,
        port: KUBELET_PORT,
        timeoutMs,
        credentials: { certificateFile: certificate.path, keyFile: key.path, authorityFile: authority?.path },
      },
    };
  },
);
