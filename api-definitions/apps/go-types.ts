/** The structs of this group that messages show, as `runtime/go/types.ts` reads them. */
export const APPS_GO_TYPES = {
  DaemonSetUpdateStrategy: "Type DaemonSetUpdateStrategyType; RollingUpdate *RollingUpdateDaemonSet",
  DaemonSetUpdateStrategyType: "= string",
  DeploymentStrategy: "Type DeploymentStrategyType; RollingUpdate *RollingUpdateDeployment",
  DeploymentStrategyType: "= string",
  RollingUpdateDaemonSet: "MaxUnavailable intstr.IntOrString; MaxSurge intstr.IntOrString",
  RollingUpdateDeployment: "MaxUnavailable intstr.IntOrString; MaxSurge intstr.IntOrString",
  RollingUpdateStatefulSetStrategy: "Partition int32; MaxUnavailable *intstr.IntOrString",
  StatefulSetUpdateStrategy: "Type StatefulSetUpdateStrategyType; RollingUpdate *RollingUpdateStatefulSetStrategy",
  StatefulSetUpdateStrategyType: "= string",
} as const;
