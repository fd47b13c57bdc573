import { type OwnedField, ownersView } from "../apply/owners-view.ts";
import type { ApiObject } from "../contract/api-object.ts";
import type { MergeType } from "../contract/merge-schema.ts";
import { goJson } from "../go/json.ts";
import type { JsonObject } from "../lib/json-object.ts";

const column = (name: string, type: string, description: string, priority = 0) => ({
  name,
  type,
  format: "",
  description,
  priority,
});

const COLUMNS = [
  column("Path", "string", "Where the field stands in the object."),
  column("Value", "string", "What it holds."),
  column("Managers", "string", "Who owns it; several when they agree."),
  column("Operation", "string", "How each of them came to own it: Apply or Update."),
  column("Time", "string", "When each of them last changed something."),
  column("Subresource", "string", "Through which subresource, if any.", 1),
  column("Version", "string", "In which API version it was recorded.", 1),
];

/** The field owners of an object, as a Table with one row per leaf field. */
export function ownersTable(object: ApiObject, type: MergeType, metaApiVersion: string): ApiObject {
  const rows = ownersView(object as unknown as JsonObject, type).map((field) => ({
    cells: cells(field),
    object: null,
  }));
  const { resourceVersion } = object.metadata;
  const metadata = resourceVersion === undefined ? {} : { resourceVersion };
  return {
    kind: "Table",
    apiVersion: metaApiVersion,
    metadata,
    columnDefinitions: COLUMNS,
    rows,
  } as unknown as ApiObject;
}

function cells({ path, value, owners }: OwnedField): string[] {
  const each = (read: (owner: OwnedField["owners"][number]) => string) => owners.map(read).join(", ");
  return [
    path,
    typeof value === "string" ? value : goJson(value),
    each((owner) => owner.manager),
    each((owner) => owner.operation),
    each((owner) => owner.time),
    each((owner) => owner.subresource),
    each((owner) => owner.apiVersion),
  ];
}
