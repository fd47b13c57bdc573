/** Strings that have their own type in Go, which error messages name. Keyed by struct and field. */
export const GO_TEXTS: Readonly<Record<string, string>> = {
  "ObjectMeta.uid": "types.UID",
  "OwnerReference.uid": "types.UID",
  "ObjectReference.uid": "types.UID",
  "Preconditions.uid": "types.UID",
  "StatusDetails.uid": "types.UID",
  "BoundObjectReference.uid": "types.UID",
  "ResourceClaimConsumerReference.uid": "types.UID",
  "ConfigMapNodeConfigSource.uid": "types.UID",
  "UncountedTerminatedPods.succeeded": "types.UID",
  "UncountedTerminatedPods.failed": "types.UID",
  "ResourceHealth.resourceID": "v1.ResourceID",
  "Capabilities.add": "v1.Capability",
  "Capabilities.drop": "v1.Capability",
};

/** Strings whose own type belongs to the version in which they are declared. */
export const GO_VERSIONED_TEXTS: Readonly<Record<string, string>> = {
  "DeviceConstraint.matchAttribute": "FullyQualifiedName",
};

/** Lists and maps whose own type belongs to the version in which they are declared. */
export const GO_CONTAINERS: Readonly<Record<string, string>> = {
  "JSONSchemaProps.x-kubernetes-validations": "ValidationRules",
  "JSONSchemaProps.dependencies": "JSONSchemaDependencies",
  "JSONSchemaProps.definitions": "JSONSchemaDefinitions",
};

/** Maps whose keys have their own type, which belongs to the version in which they are declared. */
export const GO_KEYS: Readonly<Record<string, string>> = {
  "Device.attributes": "QualifiedName",
  "Device.capacity": "QualifiedName",
  "BasicDevice.attributes": "QualifiedName",
  "BasicDevice.capacity": "QualifiedName",
  "PersistentVolumeClaimStatus.allocatedResourceStatuses": "ResourceName",
};
