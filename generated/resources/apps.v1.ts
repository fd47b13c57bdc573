// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { controllerRevision as defineControllerRevision, type ControllerRevision } from "../../api-definitions/apps/v1/controller-revision.ts";
import { daemonSet as defineDaemonSet, type DaemonSet } from "../../api-definitions/apps/v1/daemon-set.ts";
import { deployment as defineDeployment, type Deployment } from "../../api-definitions/apps/v1/deployment.ts";
import { replicaSet as defineReplicaSet, type ReplicaSet } from "../../api-definitions/apps/v1/replica-set.ts";
import { statefulSet as defineStatefulSet, type StatefulSet } from "../../api-definitions/apps/v1/stateful-set.ts";

/** Immutable snapshot of the template of a DaemonSet or StatefulSet, created by their controllers to roll pods out and back. Not meant to be written by users, although they may read it for the history of a workload. */
export const controllerrevisions = resourceToken<ControllerRevision>({
  group: "apps",
  version: "v1",
  kind: "ControllerRevision",
  resource: "controllerrevisions",
  namespaced: true,
}, defineControllerRevision);

/** Runs one copy of a pod on every node, or on the nodes that match the node selector, the affinity and the tolerations of the pod template. Use it for log collectors, monitoring agents, network plugins and storage drivers. Pods are added and removed as nodes join and leave the cluster. */
export const daemonsets = resourceToken<DaemonSet>({
  group: "apps",
  version: "v1",
  kind: "DaemonSet",
  resource: "daemonsets",
  namespaced: true,
}, defineDaemonSet);

/** Runs a number of identical pods and replaces them in a controlled way when their template changes. Use it for stateless applications. For each version of the template it creates a ReplicaSet, which creates the pods; earlier ReplicaSets remain as the history for rollbacks. */
export const deployments = resourceToken<Deployment>({
  group: "apps",
  version: "v1",
  kind: "Deployment",
  resource: "deployments",
  namespaced: true,
}, defineDeployment);

/** Runs a number of identical pods. Usually created by a Deployment, which replaces one ReplicaSet by another to roll out changes; create a Deployment rather than a ReplicaSet unless you orchestrate updates yourself. */
export const replicasets = resourceToken<ReplicaSet>({
  group: "apps",
  version: "v1",
  kind: "ReplicaSet",
  resource: "replicasets",
  namespaced: true,
}, defineReplicaSet);

/** Runs pods that each have a stable name, a stable DNS name and their own persistent volumes. Use it for databases and other clustered applications whose members are not interchangeable. Pods are named `<name>-<ordinal>` and retain their name and claims when they are replaced. Its name must be a DNS label. */
export const statefulsets = resourceToken<StatefulSet>({
  group: "apps",
  version: "v1",
  kind: "StatefulSet",
  resource: "statefulsets",
  namespaced: true,
}, defineStatefulSet);
