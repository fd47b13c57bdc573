// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { daemonSet as defineDaemonSet, type DaemonSet } from "../../api-definitions/extensions/v1beta1/daemon-set.ts";
import { deployment as defineDeployment, type Deployment } from "../../api-definitions/extensions/v1beta1/deployment.ts";
import { ingress as defineIngress, type Ingress } from "../../api-definitions/extensions/v1beta1/ingress.ts";
import { networkPolicy as defineNetworkPolicy, type NetworkPolicy } from "../../api-definitions/extensions/v1beta1/network-policy.ts";
import { podSecurityPolicy as definePodSecurityPolicy, type PodSecurityPolicy } from "../../api-definitions/extensions/v1beta1/pod-security-policy.ts";
import { replicaSet as defineReplicaSet, type ReplicaSet } from "../../api-definitions/extensions/v1beta1/replica-set.ts";

/** Runs one copy of a pod on every node, or on the nodes that match the node selector, the affinity and the tolerations of the pod template. Use it for log collectors, monitoring agents, network plugins and storage drivers. Pods are added and removed as nodes join and leave the cluster. */
export const daemonsets = resourceToken<DaemonSet>({
  group: "extensions",
  version: "v1beta1",
  kind: "DaemonSet",
  resource: "daemonsets",
  namespaced: true,
}, defineDaemonSet);

/** Runs a number of identical pods and replaces them in a controlled way when their template changes. Use it for stateless applications. For each version of the template it creates a ReplicaSet, which creates the pods; earlier ReplicaSets remain as the history for rollbacks. */
export const deployments = resourceToken<Deployment>({
  group: "extensions",
  version: "v1beta1",
  kind: "Deployment",
  resource: "deployments",
  namespaced: true,
}, defineDeployment);

/** Routes HTTP and HTTPS requests from outside the cluster to Services, by host name and path, and terminates TLS. It has an effect only if an ingress controller for its class runs in the cluster. For other protocols use a Service of type `LoadBalancer` or `NodePort`. */
export const ingresses = resourceToken<Ingress>({
  group: "extensions",
  version: "v1beta1",
  kind: "Ingress",
  resource: "ingresses",
  namespaced: true,
}, defineIngress);

/** Restricts the network traffic of pods at the level of IP addresses and ports. Pods that no policy selects accept all traffic; as soon as one selects them, only traffic that some policy allows passes in the directions of that policy. Policies only add permissions, so their order does not matter. Requires a network plugin that implements it. */
export const networkpolicies = resourceToken<NetworkPolicy>({
  group: "extensions",
  version: "v1beta1",
  kind: "NetworkPolicy",
  resource: "networkpolicies",
  namespaced: true,
}, defineNetworkPolicy);

/** Limits which security-relevant settings pods may use. Removed in release 1.25; use Pod Security Admission or an admission policy instead. A pod is admitted if its user or service account is authorized to `use` a policy that permits the pod. */
export const podsecuritypolicies = resourceToken<PodSecurityPolicy>({
  group: "extensions",
  version: "v1beta1",
  kind: "PodSecurityPolicy",
  resource: "podsecuritypolicies",
  namespaced: false,
}, definePodSecurityPolicy);

/** Runs a number of identical pods. Usually created by a Deployment, which replaces one ReplicaSet by another to roll out changes; create a Deployment rather than a ReplicaSet unless you orchestrate updates yourself. */
export const replicasets = resourceToken<ReplicaSet>({
  group: "extensions",
  version: "v1beta1",
  kind: "ReplicaSet",
  resource: "replicasets",
  namespaced: true,
}, defineReplicaSet);
