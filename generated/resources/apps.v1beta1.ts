// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.
import { resourceToken } from "../../runtime/contract/resource-token.ts";
import type { ControllerRevision } from "../../api-definitions/apps/v1beta1/controller-revision.ts";
import type { Deployment } from "../../api-definitions/apps/v1beta1/deployment.ts";
import type { ReplicaSet } from "../../api-definitions/apps/v1beta1/replica-set.ts";
import type { StatefulSet } from "../../api-definitions/apps/v1beta1/stateful-set.ts";

/** A past state of a DaemonSet or StatefulSet, kept to go back to. */
export const controllerrevisions = resourceToken<ControllerRevision>({
  group: "apps",
  version: "v1beta1",
  kind: "ControllerRevision",
  resource: "controllerrevisions",
  namespaced: true,
});

/** Keeps a replicated set of pods running and rolls out changes to them. */
export const deployments = resourceToken<Deployment>({
  group: "apps",
  version: "v1beta1",
  kind: "Deployment",
  resource: "deployments",
  namespaced: true,
});

/** Keeps a number of equal pods running. Table 9.3 of the specification lists it among what release 1.16 removed. */
export const replicasets = resourceToken<ReplicaSet>({
  group: "apps",
  version: "v1beta1",
  kind: "ReplicaSet",
  resource: "replicasets",
  namespaced: true,
});

/** Runs pods that each keep a name and storage of their own. */
export const statefulsets = resourceToken<StatefulSet>({
  group: "apps",
  version: "v1beta1",
  kind: "StatefulSet",
  resource: "statefulsets",
  namespaced: true,
});
