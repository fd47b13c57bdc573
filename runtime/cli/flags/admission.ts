import { boolean, list, number, string } from "./flag.ts";
import { section } from "./section.ts";

export const ADMISSION = section(
  "Admission",
  {
    enabledPlugins: list("enable-admission-plugins", {
      default: "NodeRestriction",
      help: "Admission plugins to enable besides the default ones. NodeRestriction belongs to the authorizer Node: name it, too, if you name others.",
    }),
    disabledPlugins: list("disable-admission-plugins", { help: "Default admission plugins to disable." }),
    admissionConfig: string("admission-control-config-file", {
      help: "File of kind AdmissionConfiguration: configuration of the admission plugins.",
    }),
    allowPrivileged: boolean("allow-privileged", {
      default: "true",
      help: "Allow privileged containers. The default of kube-apiserver is false.",
    }),
    notReady: number("default-not-ready-toleration-seconds", {
      default: "300",
      help: "Seconds that a pod tolerates a node that is not ready, unless the pod sets a toleration itself (DefaultTolerationSeconds).",
    }),
    unreachable: number("default-unreachable-toleration-seconds", {
      default: "300",
      help: "Seconds that a pod tolerates an unreachable node, unless the pod sets a toleration itself (DefaultTolerationSeconds).",
    }),
  },
  ({ notReady, unreachable, ...values }) => ({ ...values, tolerationSeconds: { notReady, unreachable } }),
);
