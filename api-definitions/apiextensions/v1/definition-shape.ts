import { equalJson } from "../../../runtime/lib/equal-json.ts";
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  CustomResourceValidation,
  SelectableField,
} from "./custom-resource-definition.ts";

/** What versions of a definition have in common, where all of them have the same. */
export interface CommonParts {
  readonly schema?: CustomResourceValidation;
  readonly subresources?: CustomResourceSubresources;
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinition[];
  readonly selectableFields?: readonly SelectableField[];
}

const PARTS = ["schema", "subresources", "additionalPrinterColumns", "selectableFields"] as const;

/**
 * A definition as Kubernetes checks it: what all versions share stands above them, and messages name it there
 * (`spec.validation.openAPIV3Schema` rather than `spec.versions[0].schema.openAPIV3Schema`).
 */
export function splitVersions(spec: CustomResourceDefinitionSpec): {
  readonly common: CommonParts;
  readonly versions: readonly CustomResourceDefinitionVersion[];
} {
  const versions = spec.versions ?? [];
  const first = versions[0];
  if (first === undefined) return { common: {}, versions: [] };
  const shared = PARTS.filter((part) => versions.every((version) => equalJson(version[part], first[part])));
  return {
    common: Object.fromEntries(shared.map((part) => [part, first[part]])),
    versions: versions.map((version) => {
      const own = { ...version };
      for (const part of shared) delete own[part];
      return own;
    }),
  };
}
