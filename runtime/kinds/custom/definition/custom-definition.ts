import type { ApiObject, ObjectMeta } from "../../../contract/api-object.ts";
import type { WebhookClientConfig } from "../../../contract/webhook-client-config.ts";
import { caBundleProblem } from "../../../x509/ca-bundle.ts";
import type { CustomSchema } from "../schema/structural-schema.ts";

/** The parts of a CustomResourceDefinition that are needed to serve its kind. */
export interface CustomDefinition extends ApiObject {
  metadata: ObjectMeta;
  spec: DefinitionSpec;
  status?: DefinitionStatus;
}

export interface DefinitionSpec {
  readonly group: string;
  readonly scope: string;
  readonly names: DefinitionNames;
  readonly versions: readonly DefinitionVersion[] | null;
  readonly conversion?: {
    readonly strategy: string;
    readonly webhook?: {
      readonly clientConfig?: WebhookClientConfig;
      readonly conversionReviewVersions?: readonly string[] | null;
    };
  };
  readonly preserveUnknownFields?: boolean;
}

export interface DefinitionNames {
  readonly plural: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly kind: string;
  readonly listKind?: string;
  readonly categories?: readonly string[];
}

export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: CustomSchema };
  readonly subresources?: { readonly status?: object; readonly scale?: ScalePaths };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

export interface DefinitionStatus {
  readonly conditions?: readonly DefinitionCondition[] | null;
  readonly acceptedNames?: DefinitionNames;
  readonly storedVersions?: readonly string[] | null;
}

export interface DefinitionCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
}

export function findCondition(definition: CustomDefinition, type: string): DefinitionCondition | undefined {
  return definition.status?.conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(definition: CustomDefinition, type: string): boolean {
  return findCondition(definition, type)?.status === "True";
}

/** Whether the CA certificates of the conversion webhook can be read. True if there are none. */
export function hasReadableCaBundle({ spec }: CustomDefinition): boolean {
  const bundle = spec.conversion?.webhook?.clientConfig?.caBundle ?? "";
  return caBundleProblem(Buffer.from(bundle, "base64").toString()) === undefined;
}

/** Returns the conditions with one of them set. Its `lastTransitionTime` changes only if its status changes. */
export function withCondition(
  conditions: readonly DefinitionCondition[],
  condition: Omit<DefinitionCondition, "lastTransitionTime">,
  now: string,
): DefinitionCondition[] {
  const former = conditions.find(({ type }) => type === condition.type);
  const time = former?.status === condition.status ? former.lastTransitionTime : now;
  const next = { ...condition, lastTransitionTime: time ?? now };
  return former === undefined
    ? [...conditions, next]
    : conditions.map((existing) => (existing === former ? next : existing));
}

export function versionsOf({ spec }: CustomDefinition): readonly DefinitionVersion[] {
  return spec.versions ?? [];
}

export function storageVersionOf(definition: CustomDefinition): DefinitionVersion | undefined {
  return versionsOf(definition).find(({ storage }) => storage);
}

/** Name of the finalizer that delays deletion of a definition until all objects of its kind are gone. */
export function cleanupFinalizer(domain: string): string {
  return `customresourcecleanup.apiextensions.${domain}`;
}
