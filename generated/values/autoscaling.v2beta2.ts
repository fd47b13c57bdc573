// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of autoscaling/v2beta2.HPAScalingPolicyType. */
export const HPAScalingPolicyType: readonly string[] = ["Pods", "Percent"];

/** The well-known values of autoscaling/v2beta2.HorizontalPodAutoscalerConditionType. */
export const HorizontalPodAutoscalerConditionType: readonly string[] = ["ScalingActive", "AbleToScale", "ScalingLimited"];

/** The well-known values of autoscaling/v2beta2.MetricSourceType. */
export const MetricSourceType: readonly string[] = ["Object", "Pods", "Resource", "ContainerResource", "External"];

/** The well-known values of autoscaling/v2beta2.MetricTargetType. */
export const MetricTargetType: readonly string[] = ["Utilization", "Value", "AverageValue"];

/** The well-known values of autoscaling/v2beta2.ScalingPolicySelect. */
export const ScalingPolicySelect: readonly string[] = ["Max", "Min", "Disabled"];
