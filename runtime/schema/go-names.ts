/** Texts that Go has a type of its own for, which messages name. By struct and field. */
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

/** Texts whose type is of the version they are in. */
export const GO_VERSIONED_TEXTS: Readonly<Record<string, string>> = {
  "DeviceConstraint.matchAttribute": "FullyQualifiedName",
};

/** Lists and maps that have a type of their own, of the version they are in. */
export const GO_CONTAINERS: Readonly<Record<string, string>> = {
  "JSONSchemaProps.x-kubernetes-validations": "ValidationRules",
  "JSONSchemaProps.dependencies": "JSONSchemaDependencies",
  "JSONSchemaProps.definitions": "JSONSchemaDefinitions",
};

/** Maps whose keys have a type of their own, of the version they are in. */
export const GO_KEYS: Readonly<Record<string, string>> = {
  "Device.attributes": "QualifiedName",
  "Device.capacity": "QualifiedName",
  "BasicDevice.attributes": "QualifiedName",
  "BasicDevice.capacity": "QualifiedName",
  "PersistentVolumeClaimStatus.allocatedResourceStatuses": "ResourceName",
};
