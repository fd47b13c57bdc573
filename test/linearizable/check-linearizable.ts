import type { History, Operation } from "./history.ts";

/**
 * Searches for an order of the operations on one object that is consistent with real time and explains every response. Uses the algorithm of
 * Wing and Gong with Lowe's cache: the search state is which operations have taken effect and the current value, and no state is visited
 * twice. An operation without a response may take effect at any time after its call, or never.
 *
 * Returns undefined if there is such an order, otherwise the longest prefix of one that was found. Throws if there are too many states.
 */
function linearize(operations: readonly Operation[]): readonly Operation[] | undefined {
  const list = new EntryList(operations);
  const done = new Uint8Array(operations.length);
  const visited = new Set<string>();
  const path: { readonly entry: Entry; readonly before: Value }[] = [];
  let value: Value;
  let missing = operations.filter(({ returned }) => returned !== Number.POSITIVE_INFINITY).length;
  let longest: readonly Operation[] = [];
  let entry = list.first;
  while (missing > 0) {
    const after = entry?.isCall ? apply(entry.operation, value) : undefined;
    if (entry?.isCall && after !== undefined) {
      done[entry.index] = 1;
      const situation = `${Buffer.from(done).toString("latin1")}${after.value}`;
      if (visited.has(situation)) {
        done[entry.index] = 0;
        entry = entry.next;
        continue;
      }
      if (visited.size === MOST_SITUATIONS) throw new Error("undecided: too many requests had no response");
      visited.add(situation);
      path.push({ entry, before: value });
      if (path.length > longest.length) longest = path.map((step) => step.entry.operation);
      value = after.value;
      if (entry.operation.returned !== Number.POSITIVE_INFINITY) missing--;
      list.remove(entry);
      entry = list.first;
    } else if (entry?.isCall) {
      entry = entry.next;
    } else {
      // An operation returned before it could take effect, or no candidates are left: backtracks.
      const last = path.pop();
      if (last === undefined) return longest;
      done[last.entry.index] = 0;
      value = last.before;
      if (last.entry.operation.returned !== Number.POSITIVE_INFINITY) missing++;
      list.restore(last.entry);
      entry = last.entry.next;
    }
  }
  return undefined;
}

const MOST_SITUATIONS = 200_000;

type Value = string | undefined;

/** Returns the value after an operation takes effect; undefined if its response excludes that it takes effect now. */
function apply({ action, outcome }: Operation, value: Value): { readonly value: Value } | undefined {
  const { result } = outcome;
  const same = { value };
  switch (action.verb) {
    case "get":
      if (result === "unknown") return same;
      return (
        result === "absent"
          ? value === undefined
          : value !== undefined && outcome.result === "ok" && outcome.value === value
      )
        ? same
        : undefined;
    case "create":
      if (result === "conflict") return value === undefined ? undefined : same;
      return value === undefined ? { value: action.value } : undefined;
    case "update":
      if (result === "absent") return value === undefined ? same : undefined;
      if (result === "conflict") return value === undefined || value === action.expected ? undefined : same;
      if (value === undefined || (action.expected !== undefined && value !== action.expected)) return undefined;
      return { value: action.value };
    case "apply":
      if (result === "conflict") return value === undefined || value === action.expected ? undefined : same;
      return value === undefined || value === action.expected ? { value: action.value } : undefined;
    case "delete":
      if (result === "absent") return value === undefined ? same : undefined;
      if (result === "conflict") return value === undefined || value === action.expected ? undefined : same;
      if (value === undefined || (action.expected !== undefined && value !== action.expected)) return undefined;
      return { value: undefined };
  }
}

interface Entry {
  readonly index: number;
  readonly operation: Operation;
  readonly isCall: boolean;
  match: Entry | undefined;
  previous: Entry | undefined;
  next: Entry | undefined;
}

/** Calls and returns in order of time, as a doubly linked list from which operations can be removed and restored. */
class EntryList {
  readonly #head: Entry;

  constructor(operations: readonly Operation[]) {
    const entries = operations.flatMap((operation, index) => {
      const one = (isCall: boolean): Entry => ({
        index,
        operation,
        isCall,
        match: undefined,
        previous: undefined,
        next: undefined,
      });
      const [call, end] = [one(true), one(false)];
      call.match = end;
      return [call, end];
    });
    const timeOf = (entry: Entry): number => (entry.isCall ? entry.operation.called : entry.operation.returned);
    // At equal times calls come first, so that such operations count as concurrent.
    entries.sort((a, b) => timeOf(a) - timeOf(b) || Number(b.isCall) - Number(a.isCall) || 0);
    this.#head = { ...(entries[0] as Entry), previous: undefined, next: undefined };
    let last = this.#head;
    for (const entry of entries) {
      last.next = entry;
      entry.previous = last;
      last = entry;
    }
  }

  get first(): Entry | undefined {
    return this.#head.next;
  }

  remove(call: Entry): void {
    for (const entry of [call, call.match as Entry]) {
      if (entry.previous) entry.previous.next = entry.next;
      if (entry.next) entry.next.previous = entry.previous;
    }
  }

  /** Undoes the last `remove`. */
  restore(call: Entry): void {
    for (const entry of [call.match as Entry, call]) {
      if (entry.previous) entry.previous.next = entry;
      if (entry.next) entry.next.previous = entry;
    }
  }
}

/** Returns the violations of linearizability in a history: of each object, of lists, and of revisions. */
export function checkLinearizable(history: History): string[] {
  const { lists } = history;
  const operations = withoutEffectless(history);
  const problems: string[] = [];
  const listed = new Set(lists.flatMap(({ items }) => [...items.keys()]));
  const keys = new Set([...operations.map(({ key }) => key), ...listed]);
  for (const key of keys) {
    const ofKey = [...operations.filter((one) => one.key === key), ...lists.map((list) => listAsGet(list, key))];
    const stuck = linearize(
      ofKey.filter(({ action, outcome }) => !(action.verb === "get" && outcome.result === "unknown")),
    );
    if (stuck === undefined) continue;
    const explained = new Set(stuck);
    const rest = ofKey.filter((one) => !explained.has(one) && one.returned !== Number.POSITIVE_INFINITY);
    const next = rest.sort((a, b) => a.returned - b.returned)[0];
    problems.push(
      `linearizable: ${key} has no order that explains its ${ofKey.length} requests; not explained: ${next === undefined ? "" : describe(next)}`,
    );
  }
  return [...problems, ...checkRevisions(operations)];
}

/**
 * Leaves out writes without a response that no watcher saw, if one watcher received everything from beginning to end: they did not take
 * effect. Otherwise the search would try each of them at every point.
 */
function withoutEffectless({ operations, watches }: History): readonly Operation[] {
  const isWhole = watches.some(({ steps }) => !steps.some((step) => step.step === "start" && step.listed));
  if (!isWhole) return operations;
  const [written, deleted] = [new Set<string>(), new Set<string>()];
  for (const { steps } of watches)
    for (const step of steps)
      if (step.step === "event") (step.type === "DELETED" ? deleted : written).add(`${step.key} ${step.value}`);
  return operations.filter(({ key, action, outcome }) => {
    if (outcome.result !== "unknown") return true;
    if ("value" in action) return written.has(`${key} ${action.value}`);
    return action.verb !== "delete" || action.expected === undefined || deleted.has(`${key} ${action.expected}`);
  });
}

/** Returns the read of one object that a list implies, also for objects that it does not contain. */
function listAsGet({ called, returned, items }: ListRead, key: string): Operation {
  const item = items.get(key);
  const outcome = item === undefined ? ({ result: "absent" } as const) : ({ result: "ok", ...item } as const);
  return { key, action: { verb: "get" }, called, returned, outcome };
}

type ListRead = History["lists"][number];

/** Checks that a value has the same revision in all responses, and that a write that begins after another has ended has a higher revision. */
function checkRevisions(operations: readonly Operation[]): string[] {
  const problems: string[] = [];
  const revisions = new Map<string, number>();
  const writes: { readonly called: number; readonly returned: number; readonly revision: number }[] = [];
  for (const { key, action, outcome, called, returned } of operations) {
    if (outcome.result !== "ok" || outcome.revision === undefined) continue;
    const value = "value" in action ? action.value : outcome.value;
    const known = revisions.get(`${key} ${value}`);
    if (known !== undefined && known !== outcome.revision)
      problems.push(`revisions: ${value} of ${key} has the revisions ${known} and ${outcome.revision}`);
    revisions.set(`${key} ${value}`, outcome.revision);
    if (action.verb !== "get") writes.push({ called, returned, revision: outcome.revision });
  }
  const [byCall, byReturn] = [
    writes.toSorted((a, b) => a.called - b.called),
    writes.toSorted((a, b) => a.returned - b.returned),
  ];
  let [ended, highest] = [0, 0];
  for (const { called, revision } of byCall) {
    for (let next = byReturn[ended]; next !== undefined && next.returned < called; next = byReturn[++ended])
      highest = Math.max(highest, next.revision);
    if (revision <= highest) problems.push(`revisions: a write got ${revision} after another had got ${highest}`);
  }
  return problems;
}

function describe({ action, outcome, called, returned }: Operation): string {
  const what = [action.verb, "expected" in action && `expected ${action.expected}`, "value" in action && action.value];
  const said = outcome.result === "ok" ? `ok ${outcome.value ?? ""} ${outcome.revision ?? ""}`.trim() : outcome.result;
  return `${what.filter(Boolean).join(" ")} -> ${said} (${called.toFixed(1)} to ${returned.toFixed(1)} ms)`;
}
