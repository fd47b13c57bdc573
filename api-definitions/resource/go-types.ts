/** The structs of this group that messages show, as `runtime/go/types.ts` reads them. */
export const RESOURCE_GO_TYPES = {
  AllocationConfigSource: "= string",
  AllocationResult: "Devices DeviceAllocationResult; NodeSelector *core.NodeSelector",
  CELDeviceSelector: "Expression string",
  DeviceAllocationConfiguration: "Source AllocationConfigSource; Requests []string; DeviceConfiguration",
  DeviceAllocationMode: "= string",
  DeviceAllocationResult: "Results []DeviceRequestAllocationResult; Config []DeviceAllocationConfiguration",
  DeviceAttribute: `
    IntValue *int64 int; BoolValue *bool bool; StringValue *string string; VersionValue *string version`,
  DeviceClaim: "Requests []DeviceRequest; Constraints []DeviceConstraint; Config []DeviceClaimConfiguration",
  DeviceClaimConfiguration: "Requests []string; DeviceConfiguration",
  DeviceConfiguration: "Opaque *OpaqueDeviceConfiguration",
  DeviceConstraint: "Requests []string; MatchAttribute *FullyQualifiedName",
  DeviceRequest: "Name string; Exactly *ExactDeviceRequest; FirstAvailable []DeviceSubRequest",
  DeviceRequestAllocationResult: `
    Request string; Driver string; Pool string; Device string; AdminAccess *bool; Tolerations []DeviceToleration`,
  DeviceSelector: "CEL *CELDeviceSelector",
  DeviceSubRequest: `
    Name string; DeviceClassName string; Selectors []DeviceSelector; AllocationMode DeviceAllocationMode; Count int64;
    Tolerations []DeviceToleration`,
  DeviceTaintEffect: "= string",
  DeviceToleration: `
    Key string; Operator DeviceTolerationOperator; Value string; Effect DeviceTaintEffect; TolerationSeconds *int64`,
  DeviceTolerationOperator: "= string",
  ExactDeviceRequest: `
    DeviceClassName string; Selectors []DeviceSelector; AllocationMode DeviceAllocationMode; Count int64;
    AdminAccess *bool; Tolerations []DeviceToleration`,
  FullyQualifiedName: "= string",
  OpaqueDeviceConfiguration: "Driver string; Parameters runtime.RawExtension",
  ResourceClaimSpec: "Devices DeviceClaim",
  ResourceClaimTemplateSpec: "v1.ObjectMeta; Spec ResourceClaimSpec",
} as const;
