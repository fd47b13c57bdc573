import type { Steps } from "../../../lib/in-turns.ts";
import { type CustomDefinition, versionsOf } from "../definition/custom-definition.ts";
import { validateStructure } from "./validate-structure.ts";

/** Requirements that apply only to some definitions. */
export interface Demands {
  /** Every version must have a schema. If false, only served versions need one, and only if unknown fields are pruned. */
  readonly schemas: boolean;
  /** Schemas must be structural. */
  readonly structure: boolean;
  /** Unknown fields must not be preserved. */
  readonly pruning: boolean;
}

/**
 * Determines the requirements for a definition. v1beta1 required less than v1 (table 9.3), and definitions that were stored under its rules
 * may keep them.
 */
export function* demandsOn(
  definition: CustomDefinition,
  old: CustomDefinition | undefined,
  { apiVersion, vendor }: { readonly apiVersion: string; readonly vendor: string },
): Steps<Demands> {
  const speaksBeta = apiVersion.endsWith("/v1beta1");
  const isPruned = definition.spec.preserveUnknownFields !== true;
  return {
    schemas: !speaksBeta && (old === undefined || schemasOf(old).every((schema) => schema !== undefined)),
    structure:
      isPruned ||
      needsStructure(definition, vendor) ||
      (!speaksBeta && (old === undefined || (yield* isStructural(old, vendor)))),
    pruning: !speaksBeta && old?.spec.preserveUnknownFields !== true,
  };
}

/** Whether a schema of the definition has defaults. */
export function hasDefaults(definition: CustomDefinition): boolean {
  return mentions(definition, (key) => key === "default");
}

function needsStructure(definition: CustomDefinition, vendor: string): boolean {
  return mentions(definition, (key) => key === "default" || key.startsWith(`x-${vendor}-`));
}

function* isStructural(definition: CustomDefinition, vendor: string): Steps<boolean> {
  for (const schema of schemasOf(definition)) {
    if (schema !== undefined && (yield* validateStructure(schema, vendor, "")).length > 0) return false;
  }
  return true;
}

function schemasOf(definition: CustomDefinition) {
  return versionsOf(definition).map(({ schema }) => schema?.openAPIV3Schema);
}

/** Keywords whose members are named by the author of the schema. */
const NAMED: ReadonlySet<string> = new Set(["properties", "patternProperties", "definitions"]);
/** Keywords that contain values, not schemas. */
const VALUES: ReadonlySet<string> = new Set(["enum", "example"]);

function mentions(definition: CustomDefinition, isKeyword: (key: string) => boolean): boolean {
  const inSchema = (value: unknown): boolean => {
    if (typeof value !== "object" || value === null) return false;
    if (Array.isArray(value)) return value.some(inSchema);
    return Object.entries(value).some(([key, member]) => {
      if (isKeyword(key)) return true;
      if (VALUES.has(key)) return false;
      return NAMED.has(key) ? Object.values(Object(member)).some(inSchema) : inSchema(member);
    });
  };
  return schemasOf(definition).some(inSchema);
}
