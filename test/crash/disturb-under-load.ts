import { randomUUID } from "node:crypto";
import type { AdminClient } from "../tools/admin-client.ts";
import type { CrashSummary } from "./crash-embedded.ts";

const COLLECTION = "/api/v1/namespaces/default/configmaps";
const WRITERS = 10;
const MOST_WRITES_A_ROUND = 200;
/** How long a writer waits after a request that failed or was not answered. While something is down, attempts only take its processor. */
const RETRY_MS = { calm: 10, disturbed: 100 };
/** How long a writer waits between two writes while something is down or starts, which needs the processor. Another server may take writes meanwhile. */
const PACE_MS = 40;

interface Stored {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
}

interface Seen {
  readonly type: string;
  readonly name: string;
  readonly revision: number;
}

interface Acked {
  readonly name: string;
  /** Of a write; for a deletion the revision the object had before. */
  readonly revision: number;
  readonly deleted: boolean;
}

interface Life {
  over: boolean;
  /** Something is down or starts. */
  disturbed: boolean;
  readonly paceMs: number;
}

export interface Disturbance {
  readonly client: AdminClient;
  /** Kill or stop something and bring it back. All of them are called in every round, each under full load. */
  readonly disturb: readonly (() => Promise<void>)[];
  readonly rounds: number;
  /** Milliseconds between two writes of a writer while something starts. */
  readonly paceMs?: number;
  readonly random?: () => number;
}

/**
 * Concurrent clients write objects through real servers and one watches them, going on where it was whenever its
 * connection breaks. In the end all that was acknowledged must have been seen, and what was seen must lead to the
 * present state.
 */
export async function disturbUnderLoad(disturbance: Disturbance): Promise<CrashSummary> {
  const { client, disturb, rounds, paceMs = PACE_MS, random = Math.random } = disturbance;
  const acked: Acked[] = [];
  const seen: Seen[] = [];
  const faults: string[] = [];
  const life: Life = { over: false, disturbed: false, paceMs };
  const from = (await list(client)).revision;
  const watcher = follow(client, from, seen, faults, life);
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(client, writer, life, acked));
  for (let round = 0; round < rounds; round++) {
    for (const step of disturb) {
      await progress(acked, writesOfRound(random));
      life.disturbed = true;
      await step();
      life.disturbed = false;
    }
  }
  await progress(acked, WRITERS);
  life.over = true;
  await Promise.all(writers);
  const last = await writeLast(client);
  while ((seen.at(-1)?.revision ?? 0) < last && faults.length === 0) await pause(20);
  const state = await list(client);
  client.close();
  await watcher;
  const contradictions = [...faults, ...contradictionsOf(acked, seen, state.revisions)];
  return { rounds, acked: acked.length, seen: seen.length, contradictions };
}

/** Half of all rounds have at most 25 writes, because a server that has just started is slow; some have many. */
function writesOfRound(random: () => number): number {
  return 1 + Math.floor(random() ** 3 * MOST_WRITES_A_ROUND);
}

/** Waits until so many more writes were acknowledged: a round is long enough on a slow machine and short on a fast one. */
async function progress(acked: readonly Acked[], writes: number): Promise<void> {
  const enough = acked.length + writes;
  while (acked.length < enough) await pause(2);
}

/** The write that says, once it was seen, that all before it were. It is repeated while connections are broken. */
async function writeLast(client: AdminClient): Promise<number> {
  for (;;) {
    try {
      const name = `last-of-all-${randomUUID()}`;
      return revisionOf((await client.request("POST", COLLECTION, { metadata: { name } })).body as Stored);
    } catch {
      await pause(20);
    }
  }
}

/** Creates, changes and deletes one object after another until life is over. */
async function write(client: AdminClient, writer: number, life: Life, acked: Acked[]): Promise<void> {
  const current = new Map<string, Stored>();
  for (let sequence = 0; !life.over; sequence++) {
    const name = `crash-${writer}-${sequence % 3}`;
    const path = `${COLLECTION}/${name}`;
    try {
      const known = current.get(name);
      if (known !== undefined && sequence % 5 === 4) {
        const { status } = await client.request("DELETE", path);
        if (status >= 500) throw new Error(`unavailable: ${status}`);
        if (status === 200) acked.push({ name, revision: revisionOf(known), deleted: true });
        current.delete(name);
        continue;
      }
      const data = { id: randomUUID() };
      const answer =
        known === undefined
          ? await client.request("POST", COLLECTION, { metadata: { name }, data })
          : await client.request("PUT", path, { ...known, data });
      if (answer.status >= 500) throw new Error(`unavailable: ${answer.status}`);
      const object = answer.body as Stored;
      if (answer.status < 300) {
        acked.push({ name, revision: revisionOf(object), deleted: false });
        current.set(name, object);
        if (life.disturbed) await pause(life.paceMs);
      } else {
        const live = await client.request("GET", path);
        if (live.status === 200) current.set(name, live.body as Stored);
        else current.delete(name);
      }
    } catch {
      // There was no answer, or the store did not respond: what became of the write is unknown, and the next one will find out.
      await pause(life.disturbed ? RETRY_MS.disturbed : RETRY_MS.calm);
    }
  }
}

/** Watches, and watches again from the last revision seen whenever the connection ends, until life is over. */
async function follow(client: AdminClient, from: string, seen: Seen[], faults: string[], life: Life): Promise<void> {
  for (;;) {
    const since = seen.at(-1)?.revision ?? from;
    await client.watch(`${COLLECTION}?watch=1&resourceVersion=${since}`, (event) => {
      const { type, object } = event as { type: string; object: Stored };
      if (type === "ERROR") faults.push(`the watch from ${since} ended with ${JSON.stringify(object)}`);
      else seen.push({ type, name: object.metadata.name, revision: revisionOf(object) });
    });
    if (life.over || faults.length > 0) return;
    await pause(life.disturbed ? RETRY_MS.disturbed : RETRY_MS.calm);
  }
}

async function list(client: AdminClient): Promise<{ revision: string; revisions: Map<string, number> }> {
  const { body } = await client.request("GET", COLLECTION);
  const { metadata, items } = body as { metadata: { resourceVersion: string }; items: Stored[] };
  const revisions = new Map(items.map((item) => [item.metadata.name, revisionOf(item)]));
  return { revision: metadata.resourceVersion, revisions };
}

function contradictionsOf(
  acked: readonly Acked[],
  seen: readonly Seen[],
  state: ReadonlyMap<string, number>,
): string[] {
  const found: string[] = [];
  for (const [index, { revision }] of seen.entries()) {
    const before = seen[index - 1]?.revision ?? 0;
    if (revision <= before) found.push(`the watcher saw ${revision} after ${before}`);
  }
  for (const { name, revision, deleted } of unseenOf(acked, seen)) {
    found.push(`${deleted ? "deletion" : "write"} of ${name} at ${revision} was acknowledged and is lost`);
  }
  const replayed = new Map<string, number>();
  for (const { type, name, revision } of seen) {
    if (type === "DELETED") replayed.delete(name);
    else replayed.set(name, revision);
  }
  for (const name of new Set([...replayed.keys(), ...state.keys()])) {
    if (name !== "kube-root-ca.crt" && replayed.get(name) !== state.get(name)) {
      found.push(`${name} is at ${state.get(name)}, the watcher last saw ${replayed.get(name)}`);
    }
  }
  return found;
}

/**
 * What was acknowledged and not seen. Of a deletion nobody is told the revision: it must show after the revision the
 * object had and before the next one it was given.
 */
function unseenOf(acked: readonly Acked[], seen: readonly Seen[]): Acked[] {
  const written = new Set<string>();
  const deletions = new Map<string, number[]>();
  for (const { type, name, revision } of seen) {
    if (type !== "DELETED") written.add(`${name} ${revision}`);
    else if (deletions.has(name)) deletions.get(name)?.push(revision);
    else deletions.set(name, [revision]);
  }
  const next = new Map<string, number>();
  const unseen: Acked[] = [];
  for (const write of [...acked].reverse()) {
    const { name, revision, deleted } = write;
    const before = next.get(name) ?? Number.POSITIVE_INFINITY;
    const shown = deleted
      ? deletions.get(name)?.some((deletion) => deletion > revision && deletion < before)
      : written.has(`${name} ${revision}`);
    if (!shown) unseen.push(write);
    if (!deleted) next.set(name, revision);
  }
  return unseen.reverse();
}

function revisionOf(object: Stored): number {
  return Number(object.metadata.resourceVersion);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
