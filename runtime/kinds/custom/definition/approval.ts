import { goQuote } from "../../../go/quote.ts";
import type { CustomDefinition, DefinitionCondition } from "./custom-definition.ts";

/** Names from which the protected groups and the name of the approval annotation are derived. */
export interface ApprovalNames {
  readonly domain: string;
  readonly vendor: string;
}

export type ApprovalState = "missing" | "invalid" | "bypassed" | "approved";

export interface Approval {
  readonly key: string;
  readonly value: string;
  readonly state: ApprovalState;
  readonly message: string;
}

const REFERENCE = "see https://github.com/kubernetes/enhancements/pull/1111";

/** Reads the approval of a definition from its annotation. Undefined for groups that are not protected. */
export function approvalOf(
  { metadata, spec }: CustomDefinition,
  { domain, vendor }: ApprovalNames,
): Approval | undefined {
  const isProtected = [domain, `${vendor}.io`].some((name) => spec.group === name || spec.group.endsWith(`.${name}`));
  if (!isProtected) return undefined;
  const key = `api-approved.${vendor}.io`;
  const value = metadata.annotations?.[key] ?? "";
  const demand = `protected groups must have approval annotation ${goQuote(key)}`;
  if (value === "") return { key, value, state: "missing", message: `${demand}, ${REFERENCE}` };
  if (value.startsWith("unapproved"))
    return { key, value, state: "bypassed", message: `not approved: ${goQuote(value)}` };
  if (URL.canParse(value) && new URL(value).host !== "")
    return { key, value, state: "approved", message: `approved in ${value}` };
  const message = `${demand} with either a URL or a reason starting with "unapproved", ${REFERENCE}`;
  return { key, value, state: "invalid", message };
}

const REASONS: Readonly<Record<ApprovalState, string>> = {
  missing: "MissingAnnotation",
  invalid: "InvalidAnnotation",
  bypassed: "UnapprovedAnnotation",
  approved: "ApprovedAnnotation",
};

/** The condition that reports the approval. Undefined for groups that are not protected. */
export function approvalCondition(
  definition: CustomDefinition,
  names: ApprovalNames,
): Omit<DefinitionCondition, "lastTransitionTime"> | undefined {
  const approval = approvalOf(definition, names);
  if (approval === undefined) return undefined;
  return {
    type: "KubernetesAPIApprovalPolicyConformant",
    status: approval.state === "approved" ? "True" : "False",
    reason: REASONS[approval.state],
    message: approval.message,
  };
}
