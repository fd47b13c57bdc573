// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { ControllerRevision } from "../../api-definitions/apps/v1/controller-revision.ts";
import type { DaemonSet } from "../../api-definitions/apps/v1/daemon-set.ts";
import type { Deployment } from "../../api-definitions/apps/v1/deployment.ts";
import type { ReplicaSet } from "../../api-definitions/apps/v1/replica-set.ts";
import type { StatefulSet } from "../../api-definitions/apps/v1/stateful-set.ts";

/** A past state of a DaemonSet or StatefulSet, kept to go back to. */
export const controllerrevisions = resourceToken<ControllerRevision>({
  group: "apps",
  version: "v1",
  kind: "ControllerRevision",
  resource: "controllerrevisions",
  namespaced: true,
});

/** Runs one copy of a pod on every node, or on some of them. */
export const daemonsets = resourceToken<DaemonSet>({
  group: "apps",
  version: "v1",
  kind: "DaemonSet",
  resource: "daemonsets",
  namespaced: true,
});

/** Keeps a replicated set of pods running and rolls out changes to them. */
export const deployments = resourceToken<Deployment>({
  group: "apps",
  version: "v1",
  kind: "Deployment",
  resource: "deployments",
  namespaced: true,
});

/** Keeps a number of equal pods running. */
export const replicasets = resourceToken<ReplicaSet>({
  group: "apps",
  version: "v1",
  kind: "ReplicaSet",
  resource: "replicasets",
  namespaced: true,
});

/** Runs pods that each keep a name and storage of their own. */
export const statefulsets = resourceToken<StatefulSet>({
  group: "apps",
  version: "v1",
  kind: "StatefulSet",
  resource: "statefulsets",
  namespaced: true,
});
