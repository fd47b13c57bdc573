import { equalJson } from "../../../lib/equal-json.ts";
import type { CustomDefinition, DefinitionVersion } from "../definition/custom-definition.ts";
import { versionsOf } from "../definition/custom-definition.ts";

/** Parts of a version. If all versions have the same, messages report their path in the definition instead of a version. */
export type SharedPart = "schema" | "subresources" | "additionalPrinterColumns" | "selectableFields";

const SHARED_NAMES: Readonly<Record<SharedPart, string>> = {
  schema: "validation",
  subresources: "subresources",
  additionalPrinterColumns: "additionalPrinterColumns",
  selectableFields: "selectableFields",
};

/** A part of a version with its path in messages. */
export interface PlacedPart<P extends SharedPart> {
  readonly value: NonNullable<DefinitionVersion[P]>;
  readonly path: string;
  readonly version: DefinitionVersion;
}

/**
 * Returns the values of a part that are to be checked. As in Kubernetes, a value that all versions share is checked once, as if the
 * definition itself contained it.
 */
export function placeParts<P extends SharedPart>(definition: CustomDefinition, part: P): PlacedPart<P>[] {
  const versions = versionsOf(definition);
  const [first] = versions;
  if (first === undefined) return [];
  if (isShared(versions, part)) {
    const value = first[part];
    return isSet(value) ? [{ value, path: `spec.${SHARED_NAMES[part]}`, version: first }] : [];
  }
  return versions.flatMap((version, index) => {
    const value = version[part];
    return isSet(value) ? [{ value, path: `spec.versions[${index}].${part}`, version }] : [];
  });
}

export function isShared(versions: readonly DefinitionVersion[], part: SharedPart): boolean {
  return versions.every((version) => equalJson(version[part], versions[0]?.[part]));
}

function isSet<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}
