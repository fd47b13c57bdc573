import type { Shape } from "./shape.ts";

/** Texts that Go has a type of its own for, which messages name. By struct and field. */
const TEXTS: Readonly<Record<string, string>> = {
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
const VERSIONED_TEXTS: Readonly<Record<string, string>> = {
  "DeviceConstraint.matchAttribute": "FullyQualifiedName",
};

/** Lists and maps that have a type of their own, of the version they are in. */
const CONTAINERS: Readonly<Record<string, string>> = {
  "JSONSchemaProps.x-kubernetes-validations": "ValidationRules",
  "JSONSchemaProps.dependencies": "JSONSchemaDependencies",
  "JSONSchemaProps.definitions": "JSONSchemaDefinitions",
};

/** Maps whose keys have a type of their own, of the version they are in. */
const KEYS: Readonly<Record<string, string>> = {
  "Device.attributes": "QualifiedName",
  "Device.capacity": "QualifiedName",
  "BasicDevice.attributes": "QualifiedName",
  "BasicDevice.capacity": "QualifiedName",
};

/** The shape of a field under the name that Go has for its type. */
export function goNamed(shape: Shape, place: string, version: string): Shape {
  const versioned = VERSIONED_TEXTS[place];
  const goType = versioned === undefined ? TEXTS[place] : `${version}.${versioned}`;
  if (goType !== undefined && shape.kind === "scalar") return { ...shape, goType };
  if (goType !== undefined && shape.kind === "list") {
    return { ...shape, goType: `[]${goType}`, element: goNamed(shape.element, place, version) };
  }
  const container = CONTAINERS[place];
  if (container !== undefined && (shape.kind === "list" || shape.kind === "map")) {
    return { ...shape, goType: `${version}.${container}` };
  }
  const key = KEYS[place];
  if (key === undefined || shape.kind !== "map") return shape;
  return { ...shape, goType: shape.goType.replace("map[string]", `map[${version}.${key}]`) };
}
