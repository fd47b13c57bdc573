import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import type { CustomResourceDefinition } from "./custom-resource-definition.ts";

const CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

export const hooks = kindHooks<CustomResourceDefinition>({
  default: (definition) => {
    fillNames(definition);
    if ((definition.status?.storedVersions ?? []).length === 0) rememberStoredVersion(definition);
  },
  lifecycle: {
    prepareForCreate: rememberStoredVersion,
    prepareForUpdate: (definition, _old, { subresource }) => {
      if (subresource === undefined || (definition.status?.storedVersions ?? []).length === 0)
        rememberStoredVersion(definition);
    },
    resetFields: { "": ["status"], status: ["spec", "metadata"] },
    /** The first deletion only marks the definition as terminating: objects of the kind are deleted first. */
    holdsDeletion: ({ metadata }) => metadata?.deletionTimestamp === undefined,
    dependents: "unsupported",
    markDeleting: awaitCleanup,
  },
  compatibility: {
    freeFinalizers: true,
    ownDeletion: true,
  },
});

function fillNames({ spec }: CustomResourceDefinition): void {
  const { names } = spec;
  if ((names.singular ?? "") === "" && names.kind !== "") names.singular = names.kind.toLowerCase();
  if ((names.listKind ?? "") === "" && names.kind !== "") names.listKind = `${names.kind}List`;
}

/** Adds the storage version to `status.storedVersions`; versions are removed there only by a client. */
function rememberStoredVersion(definition: CustomResourceDefinition): void {
  const storage = (definition.spec.versions ?? []).find((version) => version.storage)?.name;
  const status = definition.status;
  if (status === undefined || storage === undefined) return;
  const known = status.storedVersions ?? [];
  if (!known.includes(storage)) definition.status = { ...status, storedVersions: [...known, storage] };
}

/** As in Kubernetes, deleting a definition neither increases its generation nor sets a grace period. */
function awaitCleanup(definition: CustomResourceDefinition): void {
  const { metadata, status } = definition;
  if (metadata === undefined || status === undefined) return;
  const conditions = status.conditions ?? [];
  if (conditions.some(({ type }) => type === "Terminating")) return;
  const { deletionGracePeriodSeconds: _grace, ...kept } = metadata;
  definition.metadata = {
    ...kept,
    ...(metadata.generation !== undefined && { generation: metadata.generation - 1 }),
    finalizers: [...(metadata.finalizers ?? []), CLEANUP_FINALIZER],
  };
  definition.status = {
    ...status,
    conditions: [
      ...conditions,
      {
        type: "Terminating",
        status: "True",
        lastTransitionTime: metadata.deletionTimestamp as string,
        reason: "InstanceDeletionPending",
        message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
      },
    ],
  };
}
