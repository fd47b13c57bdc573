import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { isSameRawText, rawText } from "../../../runtime/encoding/json/raw-text.ts";
import { goList, goStruct, shown } from "../../../runtime/go/literal.ts";
import { invalidField, requiredField } from "../../../runtime/values/field-errors.ts";
import type { ControllerRevision } from "./controller-revision.ts";

export const hooks = kindHooks<ControllerRevision>({
  validate: ({ data }) => {
    if (data === undefined || data === null) return [requiredField("data", "data is mandatory")];
    return typeof data !== "object" || Array.isArray(data)
      ? [requiredField("data", "data must be a valid JSON object")]
      : [];
  },
  cells: ({ metadata, revision }) => {
    const owner = metadata?.ownerReferences?.find((reference) => reference.controller === true);
    return { Controller: owner === undefined ? "<none>" : ownerText(owner), Revision: revision };
  },
  validation: {
    // Compares the JSON text: a patch serializes `data` again, so data that Go would write differently counts as changed.
    update: ({ data }, old) =>
      isSameRawText(data ?? null, old.data ?? null)
        ? []
        : [invalidField("data", shown(goRaw(data)), "field is immutable")],
  },
  compatibility: {
    order: { update: ["metadataAsChange", "metadataAsNew", "declared", "update"] },
    rawTexts: ["data"],
  },
});

/** Formats the owner as kubectl does, such as `deployment.apps/web`. */
function ownerText({ apiVersion, kind, name }: { apiVersion: string; kind: string; name: string }): string {
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : `.${apiVersion.slice(0, slash)}`;
  return `${kind}${group}`.toLowerCase().concat("/", name);
}

/** Formats raw data as Go prints it in messages: a list of bytes. */
function goRaw(data: unknown): string {
  const isNone = data === undefined || data === null;
  const bytes = isNone ? undefined : [...Buffer.from(rawText(data))].map((byte) => `0x${byte.toString(16)}`);
  return goStruct("runtime.RawExtension", { Raw: goList("uint8", bytes), Object: "runtime.Object(nil)" });
}
