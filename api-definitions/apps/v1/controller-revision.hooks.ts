import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/lib/collect-errors.ts";
import { requiredField } from "../../../runtime/lib/field-errors.ts";
import { goStruct, shown } from "../../../runtime/lib/go-literal.ts";
import { validateImmutable } from "../../meta/v1/change-validation.ts";
import type { ControllerRevision } from "./controller-revision.ts";

export const hooks = hooksFor<ControllerRevision>({
  validate: ({ data }) => {
    if (data === undefined || data === null) return [requiredField("data", "data is mandatory")];
    return typeof data !== "object" || Array.isArray(data)
      ? [requiredField("data", "data must be a valid JSON object")]
      : [];
  },
  validateUpdate: ({ data }, old) =>
    collectErrors((errors) => validateImmutable(data, old.data, "data", errors, (changed) => shown(goRaw(changed)))),
  cells: ({ metadata, revision }) => {
    const owner = metadata?.ownerReferences?.find((reference) => reference.controller === true);
    return { Controller: owner === undefined ? "<none>" : ownerText(owner), Revision: revision };
  },
});

/** `deployment.apps/web`. */
function ownerText({ apiVersion, kind, name }: { apiVersion: string; kind: string; name: string }): string {
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : `.${apiVersion.slice(0, slash)}`;
  return `${kind}${group}`.toLowerCase().concat("/", name);
}

/** How messages show raw data: byte by byte. */
function goRaw(data: unknown): string {
  const bytes = [...Buffer.from(JSON.stringify(data))].map((byte) => `0x${byte.toString(16)}`);
  return goStruct("runtime.RawExtension", { Raw: `[]uint8{${bytes.join(", ")}}`, Object: "runtime.Object(nil)" });
}
