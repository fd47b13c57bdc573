import { badRequest } from "../contract/status.ts";
import { parseFieldSelector } from "../lib/field-selector.ts";
import { goQuote } from "../lib/go-quote.ts";
import { compileLabelSelector, parseLabelSelector, SelectorSyntaxError } from "../lib/label-selector.ts";
import type { StoredKind } from "../resource/served-resource.ts";
import type { CachedObject } from "../watch/cached-object.ts";
import type { Selector, SelectorHint } from "../watch/requests.ts";

/** Compiles `labelSelector` and `fieldSelector`; undefined selects everything. Throws 400 for what cannot be read. */
export function readSelection(query: URLSearchParams, kind: StoredKind): Selector | undefined {
  try {
    return compile(query.get("labelSelector") ?? "", query.get("fieldSelector") ?? "", kind);
  } catch (error) {
    if (error instanceof SelectorSyntaxError) {
      throw badRequest(error.message);
    }
    throw error;
  }
}

function compile(labelText: string, fieldText: string, kind: StoredKind): Selector | undefined {
  const labels = parseLabelSelector(labelText);
  const fields = parseFieldSelector(fieldText);
  if (labels.length === 0 && fields.length === 0) {
    return undefined;
  }
  for (const { field } of fields) {
    if (!kind.selectableFields.has(field)) {
      throw badRequest(unknownField(field, kind));
    }
  }
  const matchLabels = compileLabelSelector(labels);
  const matches = (object: CachedObject): boolean =>
    (labels.length === 0 || matchLabels(object.labels)) &&
    fields.every(({ field, equal, value }) => ((object.field(field) ?? "") === value) === equal);
  const hint = findHint(labels, fields);
  return hint === undefined ? { matches } : { matches, hint };
}

function findHint(
  labels: ReturnType<typeof parseLabelSelector>,
  fields: ReturnType<typeof parseFieldSelector>,
): SelectorHint | undefined {
  const label = labels.find(({ operator, values }) => operator === "in" && values.length === 1);
  if (label !== undefined) {
    return { kind: "label", name: label.key, value: label.values[0] ?? "" };
  }
  const field = fields.find(({ equal }) => equal);
  return field === undefined ? undefined : { kind: "field", name: field.field, value: field.value };
}

/** Kinds that declare fields of their own word it differently. */
function unknownField(field: string, kind: StoredKind): string {
  return kind.selectableFields.size > 2
    ? `field label not supported: ${field}`
    : `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}
