import { FieldSet } from "../fieldpath/field-set.ts";
import { fieldPath } from "../fieldpath/path.ts";

/** Fields that identify an object or are set by the server: no manager owns them. */
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

export function withoutSystemFields(set: FieldSet): FieldSet {
  return set.difference(SYSTEM_FIELDS);
}
