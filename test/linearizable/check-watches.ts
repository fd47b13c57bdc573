import type { History, WatchEvent, WatchRecord } from "./history.ts";

/** The guarantees of etcd's watches, under the names in its documentation. */
export type Guarantee = "ordered" | "unique" | "reliable" | "atomic" | "resumable" | "bookmarkable";

/**
 * Returns the violations of etcd's guarantees in what watchers received. A change happened if any watcher received it or any writer got its
 * acknowledgement: with several watchers, none of them can hide a change from the check.
 *
 *     ordered        revisions never decrease, also across connections
 *     unique         no change is sent twice
 *     reliable       no change between two received ones is missing
 *     atomic         the changes of one revision arrive together: without others in between, and not separated by a bookmark
 *     resumable      a connection that starts at a revision sends everything after it, and nothing before
 *     bookmarkable   everything up to the revision of a bookmark was sent before it
 */
export function checkWatches(history: History): string[] {
  const changes = changesOf(history);
  return [...history.watches.flatMap((watch) => checkWatch(watch, changes)), ...checkLists(history, changes)];
}

/** All changes in order of their revisions. */
type Changes = readonly Pick<WatchEvent, "key" | "revision">[];

function changesOf({ operations, watches }: History): Changes {
  const found = new Map<string, Changes[number]>();
  const note = (key: string, revision: number): void => void found.set(`${revision} ${key}`, { key, revision });
  for (const { key, action, outcome } of operations)
    if (action.verb !== "get" && outcome.result === "ok" && outcome.revision !== undefined) note(key, outcome.revision);
  for (const { steps } of watches) for (const step of steps) if (step.step === "event") note(step.key, step.revision);
  return [...found.values()].sort((a, b) => a.revision - b.revision);
}

function checkWatch({ name, steps }: WatchRecord, changes: Changes): string[] {
  const problems: string[] = [];
  const problem = (guarantee: Guarantee, what: string): void => void problems.push(`${guarantee}: ${name}: ${what}`);
  const told = new Set<string>();
  const values = new Map<string, string>();
  /** All changes up to this revision were received or are older than the watch. */
  let complete = 0;
  /** What guaranteed this revision. */
  let promise: "event" | "bookmark" | "start" = "start";
  let last = 0;
  for (const step of steps) {
    if (step.step === "event") {
      const id = `${step.revision} ${step.key}`;
      const isNew = !told.has(id);
      if (!isNew) problem("unique", `${step.type} of ${step.key} at ${step.revision} was told twice`);
      else if (step.revision < last) problem("ordered", `${step.revision} was told after ${last}`);
      else if (step.revision <= complete && promise === "bookmark")
        problem("bookmarkable", `${step.key} at ${step.revision} was told after the bookmark ${complete}`);
      else if (step.revision <= complete && promise === "start")
        problem("resumable", `${step.key} at ${step.revision} was told by a watch from ${complete}`);
      if (isNew && step.revision > last) {
        const missed = unknownTo(told, changes, complete, step.revision - 1);
        if (missed !== undefined)
          problem(
            promise === "start" ? "resumable" : missed.revision === last ? "atomic" : "reliable",
            `${step.key} at ${step.revision} was told, and ${missed.key} at ${missed.revision} before it was not`,
          );
        complete = step.revision - 1;
      }
      if (isNew && step.type === "ADDED" && values.has(step.key))
        problem("reliable", `${step.key} was added at ${step.revision}, and its deletion was not told`);
      if (step.type === "DELETED") values.delete(step.key);
      else values.set(step.key, step.value);
      told.add(id);
      promise = "event";
      last = Math.max(last, step.revision);
    } else {
      // A connection continues where the previous one ended. The first one, and one after a list, start again.
      const isBeginning = step.step === "start" && (step.listed === true || complete === 0);
      const missed = isBeginning ? undefined : unknownTo(told, changes, complete, step.revision);
      if (missed !== undefined)
        problem(
          missed.revision === last ? "atomic" : step.step === "start" ? "resumable" : "bookmarkable",
          `${missed.key} at ${missed.revision} was not told before the ${step.step} ${step.revision}`,
        );
      if (step.step === "bookmark" && step.revision < last)
        problem("ordered", `the bookmark ${step.revision} came after ${last}`);
      if (step.step === "start" && step.listed) values.clear();
      complete = isBeginning ? step.revision : Math.max(complete, step.revision);
      promise = step.step;
      last = Math.max(last, step.revision);
    }
  }
  return problems;
}

/** Returns the first change after one revision and up to another that a watcher did not receive. */
function unknownTo(
  told: ReadonlySet<string>,
  changes: Changes,
  after: number,
  upTo: number,
): Changes[number] | undefined {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.revision ?? 0) <= after) low = middle + 1;
    else high = middle;
  }
  for (let change = changes[low]; change !== undefined && change.revision <= upTo; change = changes[++low])
    if (!told.has(`${change.revision} ${change.key}`)) return change;
  return undefined;
}

/**
 * Checks that a list shows the state at its revision, which results from all changes up to it. The state is known only if one watcher
 * received everything: a watcher that had to list again did not receive the changes in between.
 */
function checkLists({ lists, watches }: History, changes: Changes): string[] {
  const problems: string[] = [];
  const isWhole = watches.some(({ steps }) => !steps.some((step) => step.step === "start" && step.listed));
  const events = new Map(
    watches.flatMap(({ steps }) =>
      steps.flatMap((step) => (step.step === "event" ? [[`${step.revision} ${step.key}`, step] as const] : [])),
    ),
  );
  for (const { items, revision } of lists) {
    for (const [key, item] of items)
      if (item.revision > revision) problems.push(`lists: ${key} at ${item.revision} is in a list of ${revision}`);
    if (!isWhole) continue;
    const state = new Map<string, number>();
    for (const change of changes) {
      if (change.revision > revision) break;
      if (events.get(`${change.revision} ${change.key}`)?.type === "DELETED") state.delete(change.key);
      else state.set(change.key, change.revision);
    }
    for (const [key, at] of state)
      if (items.get(key)?.revision !== at)
        problems.push(
          `lists: ${key} is at ${items.get(key)?.revision} in the list of ${revision}, and should be at ${at}`,
        );
    for (const key of items.keys())
      if (!state.has(key) && changes.some((change) => change.key === key && change.revision <= revision))
        problems.push(`lists: ${key} is in the list of ${revision}, after its deletion`);
  }
  return problems;
}
