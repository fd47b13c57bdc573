import { FieldSet } from "../fieldpath/field-set.ts";
import { internWhole } from "../fieldpath/intern-set.ts";
import { fieldPath } from "../fieldpath/path.ts";

/** Fields that identify an object or are set by the server. No manager owns them. */
const SYSTEM_FIELDS = FieldSet.of(
  fieldPath("apiVersion"),
  fieldPath("kind"),
  fieldPath("metadata"),
  ...[
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
  ].map((name) => fieldPath("metadata", name)),
);

/** Cache of results for interned sets, which many objects share. */
const without = new WeakMap<FieldSet, FieldSet>();

export function withoutSystemFields(set: FieldSet): FieldSet {
  if (set.number === 0) return set.difference(SYSTEM_FIELDS);
  let rest = without.get(set);
  if (rest === undefined) without.set(set, (rest = internWhole(set.difference(SYSTEM_FIELDS))));
  return rest;
}
