import { createHash } from "node:crypto";
import type { Parameter } from "./parameters.ts";

/**
 * Names of shared parameters. Version 2 defines parameters that many operations use once, under the parameter's name and a suffix of a few
 * letters. Clients generated from Kubernetes use these names, so those of Kubernetes are kept.
 */
const WELL_KNOWN: { readonly [parameter: string]: string } = {
  "NodeProxyOptions.path": "rFDtV0x9",
  "PodAttachOptions.container": "_Q-EJ3nR",
  "PodAttachOptions.stderr": "26jJhFUR",
  "PodAttachOptions.stdin": "sEFnN3IS",
  "PodAttachOptions.stdout": "005YMKE6",
  "PodAttachOptions.tty": "g7MlET_l",
  "PodExecOptions.command": "Py3eQybp",
  "PodExecOptions.container": "i5dOmRiM",
  "PodExecOptions.stderr": "W_1TNlWc",
  "PodExecOptions.stdin": "PSzNhyUC",
  "PodExecOptions.stdout": "-EZLRwV1",
  "PodExecOptions.tty": "s0flW37O",
  "PodLogOptions.container": "1GeXxFDC",
  "PodLogOptions.follow": "9OIXh_2R",
  "PodLogOptions.insecureSkipTLSVerifyBackend": "gM00jVbe",
  "PodLogOptions.limitBytes": "zwd1RXuc",
  "PodLogOptions.previous": "1jxDPu3y",
  "PodLogOptions.sinceSeconds": "vE2NLdnP",
  "PodLogOptions.stream": "l-48cgXv",
  "PodLogOptions.tailLines": "9xQLWHMV",
  "PodLogOptions.timestamps": "c17fW1w_",
  "PodPortForwardOptions.ports": "91KROJmm",
  "PodProxyOptions.path": "oPbzgLUj",
  "ServiceProxyOptions.path": "QCf0eosM",
  allowWatchBookmarks: "HC2hJt-J",
  "body.DeleteOptions": "2Y1dVQaQ",
  "body.Patch": "78PwaGsr",
  continue: "QfD61s0i",
  fieldManager: "Qy4HdaTW",
  "fieldManager.patch": "7c6nTn1T",
  fieldSelector: "xIcQKXFG",
  force: "tOGGb0Yi",
  gracePeriodSeconds: "-K5HaBOS",
  ignoreStoreReadErrorWithClusterBreakingPotential: "QbNkfIqj",
  labelSelector: "5Zw57w4C",
  limit: "1NfNmdNH",
  namespace: "vgWSWtn3",
  orphanDependents: "uRB25kX5",
  "path.path": "z6Ciiujn",
  pretty: "tJGM1-ng",
  propagationPolicy: "6jk3prlO",
  resourceVersion: "5WAnf1kx",
  resourceVersionMatch: "t8XhRHeC",
  sendInitialEvents: "rLXlEK_k",
  timeoutSeconds: "yvYezaOC",
  watch: "XNNPZGbK",
};

/** Returns the name of a shared parameter: that of Kubernetes, or one derived from its content. */
export function sharedName(name: string, key: string, parameter: Parameter | undefined): string {
  const known = WELL_KNOWN[key];
  if (known !== undefined) return `${name}-${known}`;
  const digest = createHash("sha256")
    .update(JSON.stringify(parameter ?? key))
    .digest("base64url");
  return `${name}-${digest.slice(0, 8)}`;
}
