import type { MemberPath } from "../../../contract/object-access.ts";
import { stringifyJson } from "../../../encoding/json/stringify-json.ts";
import { equalJson } from "../../../lib/equal-json.ts";
import { type CustomDefinition, versionsOf } from "./custom-definition.ts";

/** A definition of which only the outline is kept in memory. Schemas are most of a definition's size and are needed only when its kind is used. */
export interface DefinitionSource {
  /** The definition without the schemas of its versions. */
  readonly outline: CustomDefinition;
  /** Parses and returns the complete definition. */
  full(): CustomDefinition;
}

/** Paths of the members that take most memory. */
export const NOT_IN_OUTLINE: readonly MemberPath[] = [
  ["metadata", "managedFields"],
  ["spec", "versions", "schema"],
];

/** Suffix of the annotation in which `kubectl apply` stores the complete object as a string. */
const LAST_APPLIED = "/last-applied-configuration";

/** Returns a definition without the members that take most memory: the schemas of its versions, managedFields and the last applied configuration. */
export function outlineOf(definition: CustomDefinition): CustomDefinition {
  const { managedFields: _fields, annotations, ...metadata } = definition.metadata;
  const kept = Object.entries(annotations ?? {}).filter(([key]) => !key.endsWith(LAST_APPLIED));
  const versions = versionsOf(definition).map(({ schema: _schema, ...version }) => version);
  return {
    ...definition,
    metadata: { ...metadata, ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }) },
    spec: { ...definition.spec, versions },
  };
}

/** Creates the source of a definition that is in memory anyway. */
export function inMemory(definition: CustomDefinition): DefinitionSource {
  return { outline: outlineOf(definition), full: () => definition };
}

/** Whether two states of a definition are served in the same way. Relies on the generation, which changes with the spec. */
export function isServedAlike(a: DefinitionSource, b: DefinitionSource): boolean {
  const [{ metadata, status }, { metadata: other, status: otherStatus }] = [a.outline, b.outline];
  if (metadata.uid !== other.uid || !equalJson(status?.acceptedNames, otherStatus?.acceptedNames)) return false;
  if (metadata.generation !== undefined && other.generation !== undefined)
    return metadata.generation === other.generation;
  return stringifyJson(a.full().spec) === stringifyJson(b.full().spec);
}
