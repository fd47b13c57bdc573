import { equalMeaning } from "../../runtime/values/equal-meaning.ts";
import { conversion } from "../conversion-vocabulary.ts";
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from "./v1/custom-resource-definition.ts";
import type {
  CustomResourceDefinition as CustomResourceDefinitionV1beta1,
  CustomResourceColumnDefinition as OldColumn,
  CustomResourceDefinitionVersion as OldVersion,
} from "./v1beta1/custom-resource-definition.ts";

/**
 * v1beta1 has fields at the top for what all versions of a custom kind share; v1 has them in each version. The webhook's configuration
 * moved into an object of its own, and `JSONPath` became `jsonPath`.
 */
export const customResourceDefinitionV1beta1 = conversion<CustomResourceDefinitionV1beta1, CustomResourceDefinition>({
  toHub({ spec: old }, { spec }) {
    const versions = old.versions?.length ? old.versions : singleVersion(old.version);
    spec.versions = versions.map(({ additionalPrinterColumns, ...version }): CustomResourceDefinitionVersion => {
      const columns = old.additionalPrinterColumns ?? additionalPrinterColumns;
      return {
        ...version,
        ...(old.validation && { schema: old.validation }),
        ...(old.subresources && { subresources: old.subresources }),
        ...(old.selectableFields && { selectableFields: old.selectableFields }),
        ...(columns && { additionalPrinterColumns: columns.map(newColumn) }),
      };
    });
    if (spec.conversion === undefined) return;
    const { webhookClientConfig: clientConfig, conversionReviewVersions } = old.conversion ?? {};
    if (clientConfig === undefined && conversionReviewVersions === undefined) return;
    spec.conversion.webhook = {
      ...(clientConfig && { clientConfig }),
      conversionReviewVersions: conversionReviewVersions ?? [],
    };
  },
  fromHub({ spec }, { spec: old }) {
    // Unset means false in v1 and true in v1beta1.
    old.preserveUnknownFields = spec.preserveUnknownFields === true;
    const [first] = spec.versions ?? [];
    if (first !== undefined) {
      old.version = first.name;
      const share = <Name extends Shared>(name: Name): CustomResourceDefinitionVersion[Name] =>
        spec.versions.every((version) => equalMeaning(version[name], first[name])) ? first[name] : undefined;
      const shared = {
        schema: share("schema"),
        subresources: share("subresources"),
        selectableFields: share("selectableFields"),
        additionalPrinterColumns: share("additionalPrinterColumns"),
      };
      old.versions = spec.versions.map((version) => oldVersion(version, shared));
      if (shared.schema) old.validation = shared.schema;
      if (shared.subresources) old.subresources = shared.subresources;
      if (shared.selectableFields) old.selectableFields = shared.selectableFields;
      if (shared.additionalPrinterColumns)
        old.additionalPrinterColumns = shared.additionalPrinterColumns.map(oldColumn);
    }
    const webhook = spec.conversion?.webhook;
    if (old.conversion === undefined || webhook === undefined) return;
    if (webhook.clientConfig) old.conversion.webhookClientConfig = webhook.clientConfig;
    old.conversion.conversionReviewVersions = webhook.conversionReviewVersions;
  },
});

type Shared = "schema" | "subresources" | "selectableFields" | "additionalPrinterColumns";

function singleVersion(name: string | undefined): OldVersion[] {
  return name === undefined || name === "" ? [] : [{ name, served: true, storage: true }];
}

/** A version without the fields that are set at the top for all versions. */
function oldVersion(
  { additionalPrinterColumns: columns, ...version }: CustomResourceDefinitionVersion,
  shared: { readonly [name in Shared]: unknown },
): OldVersion {
  const old: OldVersion = { ...version };
  if (columns && shared.additionalPrinterColumns === undefined) old.additionalPrinterColumns = columns.map(oldColumn);
  if (shared.schema !== undefined) delete old.schema;
  if (shared.subresources !== undefined) delete old.subresources;
  if (shared.selectableFields !== undefined) delete old.selectableFields;
  return old;
}

function newColumn({ JSONPath: jsonPath, ...column }: OldColumn): CustomResourceColumnDefinition {
  return { ...column, jsonPath };
}

function oldColumn({ jsonPath: JSONPath, ...column }: CustomResourceColumnDefinition): OldColumn {
  return { ...column, JSONPath };
}
