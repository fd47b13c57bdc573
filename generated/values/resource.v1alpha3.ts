// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of resource/v1alpha3.DeviceAllocationMode. */
export const DeviceAllocationMode: readonly string[] = ["ExactCount", "All"];

/** All values of resource/v1alpha3.DeviceTaintEffect. */
export const DeviceTaintEffect: readonly string[] = ["NoSchedule", "NoExecute"];

/** All values of resource/v1alpha3.DeviceTolerationOperator. */
export const DeviceTolerationOperator: readonly string[] = ["Exists", "Equal"];
