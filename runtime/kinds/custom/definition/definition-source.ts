import type { MemberPath } from "../../../contract/object-access.ts";
import { stringifyJson } from "../../../encoding/json/stringify-json.ts";
import { equalJson } from "../../../lib/equal-json.ts";
import { type CustomDefinition, versionsOf } from "./custom-definition.ts";

/** A definition of which only the outline is kept in memory: schemas are nearly all of it, and are needed only when its kind is used. */
export interface DefinitionSource {
  /** The definition without the schemas of its versions. */
  readonly outline: CustomDefinition;
  /** All of it, parsed when asked for. */
  full(): CustomDefinition;
}

/** What takes much memory, as paths. */
export const NOT_IN_OUTLINE: readonly MemberPath[] = [
  ["metadata", "managedFields"],
  ["spec", "versions", "schema"],
];

/** What `kubectl apply` keeps on an object: all of it, as text. */
const LAST_APPLIED = "/last-applied-configuration";

/** A definition without what takes much memory: the schemas of its versions, managedFields and what was last applied. */
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

/** The source of a definition that is in memory anyway. */
export function inMemory(definition: CustomDefinition): DefinitionSource {
  return { outline: outlineOf(definition), full: () => definition };
}

/** Whether two states of a definition serve the same. The generation of a definition changes with its spec. */
export function isServedAlike(a: DefinitionSource, b: DefinitionSource): boolean {
  const [{ metadata, status }, { metadata: other, status: otherStatus }] = [a.outline, b.outline];
  if (metadata.uid !== other.uid || !equalJson(status?.acceptedNames, otherStatus?.acceptedNames)) return false;
  if (metadata.generation !== undefined && other.generation !== undefined)
    return metadata.generation === other.generation;
  return stringifyJson(a.full().spec) === stringifyJson(b.full().spec);
}
