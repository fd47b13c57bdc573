import { equalJson } from "../../../lib/equal-json.ts";
import type { CustomDefinition, DefinitionVersion } from "../definition/custom-definition.ts";
import { versionsOf } from "../definition/custom-definition.ts";

/** The parts of a version that messages speak of as parts of the definition when all versions have the same. */
export type SharedPart = "schema" | "subresources" | "additionalPrinterColumns" | "selectableFields";

const SHARED_NAMES: Readonly<Record<SharedPart, string>> = {
  schema: "validation",
  subresources: "subresources",
  additionalPrinterColumns: "additionalPrinterColumns",
  selectableFields: "selectableFields",
};

/** One value of a part, where messages place it, and the version it stands for. */
export interface PlacedPart<P extends SharedPart> {
  readonly value: NonNullable<DefinitionVersion[P]>;
  readonly path: string;
  readonly version: DefinitionVersion;
}

/** Kubernetes looks at a part that all versions share once, as if it stood in the definition itself. */
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
