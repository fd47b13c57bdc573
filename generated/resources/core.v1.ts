// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { Binding } from "../../api-definitions/core/v1/binding.ts";
import type { ComponentStatus } from "../../api-definitions/core/v1/component-status.ts";
import type { ConfigMap } from "../../api-definitions/core/v1/config-map.ts";
import type { Endpoints } from "../../api-definitions/core/v1/endpoints.ts";
import type { Event } from "../../api-definitions/core/v1/event.ts";
import type { LimitRange } from "../../api-definitions/core/v1/limit-range.ts";
import type { Namespace } from "../../api-definitions/core/v1/namespace.ts";
import type { Node } from "../../api-definitions/core/v1/node.ts";
import type { PersistentVolumeClaim } from "../../api-definitions/core/v1/persistent-volume-claim.ts";
import type { PersistentVolume } from "../../api-definitions/core/v1/persistent-volume.ts";
import type { PodTemplate } from "../../api-definitions/core/v1/pod-template.ts";
import type { Pod } from "../../api-definitions/core/v1/pod.ts";
import type { ReplicationController } from "../../api-definitions/core/v1/replication-controller.ts";
import type { ResourceQuota } from "../../api-definitions/core/v1/resource-quota.ts";
import type { Secret } from "../../api-definitions/core/v1/secret.ts";
import type { ServiceAccount } from "../../api-definitions/core/v1/service-account.ts";
import type { Service } from "../../api-definitions/core/v1/service.ts";

/** Puts a pod on a node. */
export const bindings = resourceToken<Binding>({
  group: "",
  version: "v1",
  kind: "Binding",
  resource: "bindings",
  namespaced: true,
});

/** Whether a component of the control plane is healthy. */
export const componentstatuses = resourceToken<ComponentStatus>({
  group: "",
  version: "v1",
  kind: "ComponentStatus",
  resource: "componentstatuses",
  namespaced: false,
});

/** Settings that pods read as files or environment variables. */
export const configmaps = resourceToken<ConfigMap>({
  group: "",
  version: "v1",
  kind: "ConfigMap",
  resource: "configmaps",
  namespaced: true,
});

/** The addresses behind a service, all in one object. */
export const endpoints = resourceToken<Endpoints>({
  group: "",
  version: "v1",
  kind: "Endpoints",
  resource: "endpoints",
  namespaced: true,
});

/** Something that happened to an object, kept for a while for people to read. */
export const events = resourceToken<Event>({
  group: "",
  version: "v1",
  kind: "Event",
  resource: "events",
  namespaced: true,
});

/** Limits and defaults for what single pods, containers and claims of a namespace may ask for. */
export const limitranges = resourceToken<LimitRange>({
  group: "",
  version: "v1",
  kind: "LimitRange",
  resource: "limitranges",
  namespaced: true,
});

/** A space for names: objects in different namespaces may have the same name, and are kept and ruled apart. */
export const namespaces = resourceToken<Namespace>({
  group: "",
  version: "v1",
  kind: "Namespace",
  resource: "namespaces",
  namespaced: false,
});

/** A machine that runs pods. */
export const nodes = resourceToken<Node>({
  group: "",
  version: "v1",
  kind: "Node",
  resource: "nodes",
  namespaced: false,
});

/** Asks for storage that a pod can mount. */
export const persistentvolumeclaims = resourceToken<PersistentVolumeClaim>({
  group: "",
  version: "v1",
  kind: "PersistentVolumeClaim",
  resource: "persistentvolumeclaims",
  namespaced: true,
});

/** A piece of storage in the cluster, made by an administrator or on demand. */
export const persistentvolumes = resourceToken<PersistentVolume>({
  group: "",
  version: "v1",
  kind: "PersistentVolume",
  resource: "persistentvolumes",
  namespaced: false,
});

/** Containers that run together on one node and share its network address and volumes. */
export const pods = resourceToken<Pod>({
  group: "",
  version: "v1",
  kind: "Pod",
  resource: "pods",
  namespaced: true,
});

/** A pod to be copied, kept as an object of its own. */
export const podtemplates = resourceToken<PodTemplate>({
  group: "",
  version: "v1",
  kind: "PodTemplate",
  resource: "podtemplates",
  namespaced: true,
});

/** Keeps a number of equal pods running; the forerunner of ReplicaSet. */
export const replicationcontrollers = resourceToken<ReplicationController>({
  group: "",
  version: "v1",
  kind: "ReplicationController",
  resource: "replicationcontrollers",
  namespaced: true,
});

/** Limits on what a namespace may use in total. */
export const resourcequotas = resourceToken<ResourceQuota>({
  group: "",
  version: "v1",
  kind: "ResourceQuota",
  resource: "resourcequotas",
  namespaced: true,
});

/** Small confidential data, such as passwords and keys. */
export const secrets = resourceToken<Secret>({
  group: "",
  version: "v1",
  kind: "Secret",
  resource: "secrets",
  namespaced: true,
});

/** An identity for programs that run in pods. */
export const serviceaccounts = resourceToken<ServiceAccount>({
  group: "",
  version: "v1",
  kind: "ServiceAccount",
  resource: "serviceaccounts",
  namespaced: true,
});

/** A lasting address for a changing set of pods. */
export const services = resourceToken<Service>({
  group: "",
  version: "v1",
  kind: "Service",
  resource: "services",
  namespaced: true,
});
