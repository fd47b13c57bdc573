import type {
  ColumnDescriptor,
  ResourceDescriptor,
  SubresourceDescriptor,
  Verb,
} from "../../../contract/resource-descriptor.ts";
import type { TypeRef } from "../../../contract/type-table.ts";
import { compareVersionNames } from "../../../release/version-name.ts";
import {
  type CustomDefinition,
  type DefinitionNames,
  type DefinitionVersion,
  isConditionTrue,
  storageVersionOf,
  versionsOf,
} from "./custom-definition.ts";

const VERBS: readonly Verb[] = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const PART_VERBS: readonly Verb[] = ["get", "patch", "update"];

/** Whether the kind of a definition is served. */
export function isServed(definition: CustomDefinition): boolean {
  return isConditionTrue(definition, "NamesAccepted") || isConditionTrue(definition, "Established");
}

/** Type name of a version. No generated module contains such a name. */
export function customTypeRef({ spec }: CustomDefinition, version: string): TypeRef {
  return `${spec.group}/${version}.${spec.names.kind}`;
}

/** Describes one resource per served version of a definition, with its accepted names. */
export function describeResources(definition: CustomDefinition): ResourceDescriptor[] {
  const storage = storageVersionOf(definition);
  if (storage === undefined) return [];
  return versionsOf(definition)
    .filter(({ served }) => served)
    .map((version) => describeVersion(definition, version, storage));
}

/** Describes the stored version, whether or not it is served. */
export function describeStored(definition: CustomDefinition): ResourceDescriptor | undefined {
  const storage = storageVersionOf(definition);
  return storage && describeVersion(definition, storage, storage);
}

function describeVersion(
  definition: CustomDefinition,
  version: DefinitionVersion,
  storage: DefinitionVersion,
): ResourceDescriptor {
  const { spec } = definition;
  const { group } = spec;
  const names: DefinitionNames = definition.status?.acceptedNames ?? spec.names;
  const { kind, plural } = names;
  const type = customTypeRef(definition, version.name);
  const warning = deprecationWarning(definition, version.name);
  return {
    group,
    version: version.name,
    kind,
    listKind: names.listKind ?? `${kind}List`,
    resource: plural,
    singular: names.singular ?? kind.toLowerCase(),
    namespaced: spec.scope === "Namespaced",
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    verbs: VERBS,
    type,
    subresources: describeParts(definition, version, type),
    columns: [NAME_COLUMN, ...describeColumns(version)],
    selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./, "")),
    lifecycle: {},
    virtual: false,
    createOnUpdate: false,
    generation: true,
    conditionalUpdate: true,
    custom: {
      terminating: isConditionTrue(definition, "Terminating"),
      established: isConditionTrue(definition, "Established"),
      versions: versionsOf(definition).map(({ name }) => name),
      ...(warning !== undefined && { warning }),
    },
    storage: {
      group,
      version: storage.name,
      kind,
      resource: plural,
      type: customTypeRef(definition, storage.name),
      prefix: `${group}/${plural}`,
    },
  };
}

function describeParts(
  definition: CustomDefinition,
  version: DefinitionVersion,
  type: TypeRef,
): SubresourceDescriptor[] {
  const { spec } = definition;
  const parts: SubresourceDescriptor[] = [];
  const { status, scale } = version.subresources ?? {};
  if (status !== undefined) {
    const kind = { group: spec.group, version: version.name, kind: spec.names.kind };
    parts.push({ name: "status", kind, type, verbs: PART_VERBS });
  }
  if (scale !== undefined) {
    parts.push({
      name: "scale",
      kind: { group: "autoscaling", version: "v1", kind: "Scale" },
      type: "autoscaling/v1.Scale",
      verbs: PART_VERBS,
      scale: {
        specReplicas: scale.specReplicasPath,
        statusReplicas: scale.statusReplicasPath,
        ...(scale.labelSelectorPath !== undefined && { labelSelector: scale.labelSelectorPath }),
        specReplicasByVersion: Object.fromEntries(
          versionsOf(definition).map(({ name, subresources }) => [
            `${spec.group}/${name}`,
            subresources?.scale?.specReplicasPath ?? null,
          ]),
        ),
      },
    });
  }
  return parts;
}

const NAME_COLUMN: ColumnDescriptor = {
  name: "Name",
  type: "string",
  format: "name",
  description: "The name of the object.",
  priority: 0,
  path: ".metadata.name",
};
const AGE_COLUMN: ColumnDescriptor = {
  name: "Age",
  type: "date",
  format: "",
  description: "When the object was created.",
  priority: 0,
  path: ".metadata.creationTimestamp",
};

/** Columns of a version. Versions that declare none show the age. */
function describeColumns({ additionalPrinterColumns: columns }: DefinitionVersion): ColumnDescriptor[] {
  if (columns === undefined || columns.length === 0) return [AGE_COLUMN];
  return columns.map(({ name, type, format = "", description = "", priority = 0, jsonPath }) => ({
    name,
    type,
    format,
    description:
      description === "" ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : description,
    priority,
    path: jsonPath,
  }));
}

/** Warning for clients that use a deprecated version. Undefined if the version is not deprecated. */
function deprecationWarning(definition: CustomDefinition, name: string): string | undefined {
  const { spec } = definition;
  const version = versionsOf(definition).find((candidate) => candidate.name === name);
  if (version?.deprecated !== true) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const { kind } = spec.names;
  const better = versionsOf(definition)
    .filter((other) => other.served && other.deprecated !== true && compareVersionNames(other.name, name) < 0)
    .map((other) => other.name)
    .sort(compareVersionNames)[0];
  const advice = better === undefined ? "" : `; use ${spec.group}/${better} ${kind}`;
  return `${spec.group}/${name} ${kind} is deprecated${advice}`;
}
