import type { FieldError } from "../../../runtime/contract/field-error.ts";
import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
import { forbiddenField } from "../../../runtime/values/field-errors.ts";
import { namespace as namespaceKind } from "../../core/v1/namespace.ts";
import type { DeviceRequest } from "./device-requests.ts";
import type { AllocationResult } from "./resource-claim.ts";

export type AdminReads = typeof namespaceKind;

type AdminContext = Pick<HookContext<unknown, AdminReads>, "namespace" | "read">;

const LABEL = "resource.k8s.io/admin-access";

/** Prepends an error to `errors` if a request for admin access is not allowed in the namespace. Synchronous if admin access is not requested. */
export function withRequestedAccess(
  requests: readonly DeviceRequest[] | undefined,
  context: AdminContext,
  errors: FieldError[],
): FieldError[] | Promise<FieldError[]> {
  const index = (requests ?? []).findIndex(({ adminAccess }) => adminAccess === true);
  if (index < 0) return errors;
  return withRefusal(`spec.devices.requests[${index}].adminAccess`, context, errors);
}

/** Like `withRequestedAccess`, for an allocation. Skipped if the previous allocation had admin access, because allocations are immutable. */
export function withAllocatedAccess(
  allocation: AllocationResult | undefined,
  old: AllocationResult | undefined,
  context: AdminContext,
  errors: FieldError[],
): FieldError[] | Promise<FieldError[]> {
  const index = firstAdmin(allocation);
  if (index < 0 || firstAdmin(old) >= 0) return errors;
  return withRefusal(`status.allocation.devices.results[${index}].adminAccess`, context, errors);
}

function firstAdmin(allocation: AllocationResult | undefined): number {
  return (allocation?.devices?.results ?? []).findIndex(({ adminAccess }) => adminAccess === true);
}

async function withRefusal(field: string, context: AdminContext, errors: FieldError[]): Promise<FieldError[]> {
  const found = await context.read(namespaceKind).get(undefined, context.namespace ?? "");
  if (found?.metadata?.labels?.[LABEL] === "true") return errors;
  const detail = `admin access to devices requires the \`${LABEL}: true\` label on the containing namespace`;
  return [forbiddenField(field, detail), ...errors];
}
