import type { FieldError } from "../../contract/field-error.ts";
import { invalidField, requiredField } from "../../lib/field-errors.ts";
import { goQuote } from "../../lib/go-quote.ts";
import type { CustomDefinition } from "../definition/custom-definition.ts";
import type { DefinitionCheckOptions } from "./definition-check-options.ts";

/** Groups of the platform itself are for those who are allowed to extend it. */
export function validateApproval(
  { metadata, spec }: CustomDefinition,
  old: CustomDefinition | undefined,
  { domain, vendor }: DefinitionCheckOptions,
): FieldError[] {
  const isProtected = [domain, `${vendor}.io`].some((name) => spec.group === name || spec.group.endsWith(`.${name}`));
  const key = `api-approved.${vendor}.io`;
  const approval = metadata.annotations?.[key] ?? "";
  const isSettled =
    old !== undefined && approvalState(old.metadata.annotations?.[key] ?? "") === approvalState(approval);
  if (!isProtected || isSettled) return [];
  const demand = `protected groups must have approval annotation ${goQuote(key)}`;
  const reference = "see https://github.com/kubernetes/enhancements/pull/1111";
  const path = `metadata.annotations[${key}]`;
  switch (approvalState(approval)) {
    case "missing":
      return [requiredField(path, `${demand}, ${reference}`)];
    case "invalid":
      return [
        invalidField(
          path,
          approval,
          `${demand} with either a URL or a reason starting with "unapproved", ${reference}`,
        ),
      ];
    default:
      return [];
  }
}

function approvalState(approval: string): "missing" | "invalid" | "bypassed" | "approved" {
  if (approval === "") return "missing";
  if (approval.startsWith("unapproved")) return "bypassed";
  return URL.canParse(approval) && new URL(approval).host !== "" ? "approved" : "invalid";
}
