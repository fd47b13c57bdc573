// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of autoscaling/v2beta1.HorizontalPodAutoscalerConditionType. */
export const HorizontalPodAutoscalerConditionType: readonly string[] = ["ScalingActive", "AbleToScale", "ScalingLimited"];

/** The well-known values of autoscaling/v2beta1.MetricSourceType. */
export const MetricSourceType: readonly string[] = ["Object", "Pods", "Resource", "ContainerResource", "External"];
