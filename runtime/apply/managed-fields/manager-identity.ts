export type Operation = "Apply" | "Update";

/** Who a managedFields entry belongs to. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: Operation;
  /** Absent for appliers: one applier is one manager whichever version it uses. */
  readonly apiVersion?: string;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** Equal identities have equal keys, and keys sort as Kubernetes sorts managers. */
export function identityKey(manager: string, operation: Operation, apiVersion: string, subresource: string): string {
  return JSON.stringify({
    manager: manager || undefined,
    operation,
    apiVersion: operation === "Apply" ? undefined : apiVersion,
    subresource: subresource || undefined,
  });
}

export function identityOfKey(key: string): ManagerIdentity {
  return { manager: "", subresource: "", ...(JSON.parse(key) as Partial<ManagerIdentity>) } as ManagerIdentity;
}
