export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
}

export interface PodStatus {
  readonly phase?: string;
  readonly conditions?: readonly Condition[];
}

/** Replaces or adds a condition. If its status does not change, it keeps its `lastTransitionTime`. */
export function replaceCondition<T extends Condition>(
  conditions: readonly Condition[] = [],
  next: T,
): readonly Condition[] {
  const before = conditions.find(({ type }) => type === next.type);
  if (before === undefined) return [...conditions, next];
  const { lastTransitionTime } = before.status === next.status ? before : next;
  const changed = { ...next, ...(lastTransitionTime !== undefined && { lastTransitionTime }) };
  return conditions.map((condition) => (condition === before ? changed : condition));
}
