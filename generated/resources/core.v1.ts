// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import { binding as defineBinding, type Binding } from "../../api-definitions/core/v1/binding.ts";
import { componentStatus as defineComponentStatus, type ComponentStatus } from "../../api-definitions/core/v1/component-status.ts";
import { configMap as defineConfigMap, type ConfigMap } from "../../api-definitions/core/v1/config-map.ts";
import { endpoints as defineEndpoints, type Endpoints } from "../../api-definitions/core/v1/endpoints.ts";
import { event as defineEvent, type Event } from "../../api-definitions/core/v1/event.ts";
import { limitRange as defineLimitRange, type LimitRange } from "../../api-definitions/core/v1/limit-range.ts";
import { namespace as defineNamespace, type Namespace } from "../../api-definitions/core/v1/namespace.ts";
import { node as defineNode, type Node } from "../../api-definitions/core/v1/node.ts";
import { persistentVolumeClaim as definePersistentVolumeClaim, type PersistentVolumeClaim } from "../../api-definitions/core/v1/persistent-volume-claim.ts";
import { persistentVolume as definePersistentVolume, type PersistentVolume } from "../../api-definitions/core/v1/persistent-volume.ts";
import { podTemplate as definePodTemplate, type PodTemplate } from "../../api-definitions/core/v1/pod-template.ts";
import { pod as definePod, type Pod } from "../../api-definitions/core/v1/pod.ts";
import { replicationController as defineReplicationController, type ReplicationController } from "../../api-definitions/core/v1/replication-controller.ts";
import { resourceQuota as defineResourceQuota, type ResourceQuota } from "../../api-definitions/core/v1/resource-quota.ts";
import { secret as defineSecret, type Secret } from "../../api-definitions/core/v1/secret.ts";
import { serviceAccount as defineServiceAccount, type ServiceAccount } from "../../api-definitions/core/v1/service-account.ts";
import { service as defineService, type Service } from "../../api-definitions/core/v1/service.ts";

/** Assigns a pod to a node. Schedulers create it through the subresource `binding` of the pod; it is not stored. Rejected if the pod already has a node, has `schedulingGates` or is being deleted. In the older resource `bindings`, `metadata.name` is that of the pod. */
export const bindings = resourceToken<Binding>({
  group: "",
  version: "v1",
  kind: "Binding",
  resource: "bindings",
  namespaced: true,
}, defineBinding);

/** Health of a component of the control plane, which the server checks on every read. Deprecated and not reliable: the server can check only components on its own machine. Use the health endpoints of the components instead. */
export const componentstatuses = resourceToken<ComponentStatus>({
  group: "",
  version: "v1",
  kind: "ComponentStatus",
  resource: "componentstatuses",
  namespaced: false,
}, defineComponentStatus);

/** Configuration data that pods read as files, environment variables or arguments. Use a Secret for confidential data. */
export const configmaps = resourceToken<ConfigMap>({
  group: "",
  version: "v1",
  kind: "ConfigMap",
  resource: "configmaps",
  namespaced: true,
}, defineConfigMap);

/** All addresses behind a Service in one object. The endpoints controller maintains it for Services with a selector, and lists at most 1000 addresses. Use EndpointSlice in new code: it is not limited in size and has zones, hints and both IP families. */
export const endpoints = resourceToken<Endpoints>({
  group: "",
  version: "v1",
  kind: "Endpoints",
  resource: "endpoints",
  namespaced: true,
}, defineEndpoints);

/** A report of something that happened to an object, such as a failed image pull, for people who investigate problems. The server deletes events after one hour by default. Do not build automation on them: wording, timing and delivery are not guaranteed. */
export const events = resourceToken<Event>({
  group: "",
  version: "v1",
  kind: "Event",
  resource: "events",
  namespaced: true,
}, defineEvent);

/** Limits and defaults for the resources of single pods, containers and claims in a namespace. They apply when objects are created or resized; existing objects are not affected. Use a ResourceQuota to limit the total of the namespace. */
export const limitranges = resourceToken<LimitRange>({
  group: "",
  version: "v1",
  kind: "LimitRange",
  resource: "limitranges",
  namespaced: true,
}, defineLimitRange);

/** A scope for names and policies: objects in different namespaces may have the same name, and access, quotas and defaults are set per namespace. Deleting it deletes everything in it. The server labels it with its name, as `kubernetes.io/metadata.name`. */
export const namespaces = resourceToken<Namespace>({
  group: "",
  version: "v1",
  kind: "Namespace",
  resource: "namespaces",
  namespaced: false,
}, defineNamespace);

/** A machine, virtual or physical, that runs pods. The kubelet on the machine registers its Node and keeps the status up to date; administrators edit labels, taints and `spec.unschedulable`. */
export const nodes = resourceToken<Node>({
  group: "",
  version: "v1",
  kind: "Node",
  resource: "nodes",
  namespaced: false,
}, defineNode);

/** A request for storage by a user. The volume controller binds it to a PersistentVolume that fits, or a provisioner creates one according to the StorageClass. Pods refer to the claim to mount the volume. */
export const persistentvolumeclaims = resourceToken<PersistentVolumeClaim>({
  group: "",
  version: "v1",
  kind: "PersistentVolumeClaim",
  resource: "persistentvolumeclaims",
  namespaced: true,
}, definePersistentVolumeClaim);

/** A piece of storage in the cluster with a lifecycle of its own, created by an administrator or by a provisioner for a StorageClass. Pods use it through a PersistentVolumeClaim that is bound to it. */
export const persistentvolumes = resourceToken<PersistentVolume>({
  group: "",
  version: "v1",
  kind: "PersistentVolume",
  resource: "persistentvolumes",
  namespaced: false,
}, definePersistentVolume);

/** A group of containers that run together on one node and share its network address, volumes and lifecycle. Pods are usually created by a workload such as a Deployment, StatefulSet or Job, which replaces pods that fail; a Pod created directly is not recreated on another node. After creation most of `spec` cannot be changed: only container images, `activeDeadlineSeconds` (set or lowered), additional `tolerations`, removal of `schedulingGates`, ephemeral containers (subresource `ephemeralcontainers`) and CPU and memory (subresource `resize`). */
export const pods = resourceToken<Pod>({
  group: "",
  version: "v1",
  kind: "Pod",
  resource: "pods",
  namespaced: true,
}, definePod);

/** A template of pods that is stored as an object of its own. Workloads contain their template and do not refer to such objects; use it where a custom controller needs a template that is shared. */
export const podtemplates = resourceToken<PodTemplate>({
  group: "",
  version: "v1",
  kind: "PodTemplate",
  resource: "podtemplates",
  namespaced: true,
}, definePodTemplate);

/** Ensures that a number of pods with the same template run at any time. Superseded by Deployment and ReplicaSet, which support rolling updates and label selectors with expressions; use those for new workloads. If it has no labels, it gets those of its template. */
export const replicationcontrollers = resourceToken<ReplicationController>({
  group: "",
  version: "v1",
  kind: "ReplicationController",
  resource: "replicationcontrollers",
  namespaced: true,
}, defineReplicationController);

/** Limits the total resources and number of objects of a namespace. Requests that would exceed a limit are rejected. Use a LimitRange to limit single pods and containers. */
export const resourcequotas = resourceToken<ResourceQuota>({
  group: "",
  version: "v1",
  kind: "ResourceQuota",
  resource: "resourcequotas",
  namespaced: true,
}, defineResourceQuota);

/** Small confidential data such as passwords, tokens and keys, which pods read as files or environment variables. Values are encoded in base64, not encrypted: anyone who may read the Secret can read them. Use a ConfigMap for data that is not confidential. */
export const secrets = resourceToken<Secret>({
  group: "",
  version: "v1",
  kind: "Secret",
  resource: "secrets",
  namespaced: true,
}, defineSecret);

/** An identity for processes in pods. A pod authenticates as the account that it names in `serviceAccountName`, or as `default` of its namespace. */
export const serviceaccounts = resourceToken<ServiceAccount>({
  group: "",
  version: "v1",
  kind: "ServiceAccount",
  resource: "serviceaccounts",
  namespaced: true,
}, defineServiceAccount);

/** A stable address and name for a set of pods. Cluster components send its traffic to the pods that match `spec.selector`, or to addresses that you list in EndpointSlices. Use it whenever clients should not depend on the addresses of single pods. */
export const services = resourceToken<Service>({
  group: "",
  version: "v1",
  kind: "Service",
  resource: "services",
  namespaced: true,
}, defineService);
