// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { ControllerRevision } from "../../api-definitions/apps/v1beta2/controller-revision.ts";
import type { DaemonSet } from "../../api-definitions/apps/v1beta2/daemon-set.ts";
import type { Deployment } from "../../api-definitions/apps/v1beta2/deployment.ts";
import type { ReplicaSet } from "../../api-definitions/apps/v1beta2/replica-set.ts";
import type { StatefulSet } from "../../api-definitions/apps/v1beta2/stateful-set.ts";

export const controllerrevisions = resourceToken<ControllerRevision>({
  group: "apps",
  version: "v1beta2",
  kind: "ControllerRevision",
  resource: "controllerrevisions",
  namespaced: true,
});

export const daemonsets = resourceToken<DaemonSet>({
  group: "apps",
  version: "v1beta2",
  kind: "DaemonSet",
  resource: "daemonsets",
  namespaced: true,
});

export const deployments = resourceToken<Deployment>({
  group: "apps",
  version: "v1beta2",
  kind: "Deployment",
  resource: "deployments",
  namespaced: true,
});

export const replicasets = resourceToken<ReplicaSet>({
  group: "apps",
  version: "v1beta2",
  kind: "ReplicaSet",
  resource: "replicasets",
  namespaced: true,
});

export const statefulsets = resourceToken<StatefulSet>({
  group: "apps",
  version: "v1beta2",
  kind: "StatefulSet",
  resource: "statefulsets",
  namespaced: true,
});
