import { randomUUID } from "node:crypto";
import type { AdminClient } from "../tools/admin-client.ts";
import type { CrashSummary } from "./crash-embedded.ts";

const COLLECTION = "/api/v1/namespaces/default/configmaps";
const WRITERS = 10;
const MOST_WRITES_A_ROUND = 200;
/** Pause of a writer after a request that failed or got no response. While a server is down, attempts only take its processor time. */
const RETRY_MS = { calm: 10, disturbed: 100 };
/** Pause of a writer between two writes while a server is down or starts, which needs the processor. Another server may accept writes meanwhile. */
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
  /** Revision of a write; for a deletion, the last revision of the object. */
  readonly revision: number;
  readonly deleted: boolean;
}

interface Life {
  over: boolean;
  /** Whether a server is down or starting. */
  disturbed: boolean;
  readonly paceMs: number;
}

export interface Disturbance {
  readonly client: AdminClient;
  /** Functions that kill or stop a server and start it again. Each is called once per round, under full load. */
  readonly disturb: readonly (() => Promise<void>)[];
  readonly rounds: number;
  /** Pause in milliseconds between two writes of a writer while a server starts. */
  readonly paceMs?: number;
  readonly random?: () => number;
}

/**
 * Writes objects through real servers with concurrent clients, while one client watches and resumes after its connection breaks. At the end,
 * all acknowledged writes must have been seen, and the seen changes must result in the current state.
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

/** Returns the number of writes of a round. Half of all rounds have at most 25, because a newly started server is slow; some have many. */
function writesOfRound(random: () => number): number {
  return 1 + Math.floor(random() ** 3 * MOST_WRITES_A_ROUND);
}

/** Waits for this number of further acknowledged writes, so that a round is long enough on a slow machine and short on a fast one. */
async function progress(acked: readonly Acked[], writes: number): Promise<void> {
  const enough = acked.length + writes;
  while (acked.length < enough) await pause(2);
}

/** Makes the last write. Once a watcher has seen it, it has seen all earlier ones. The write is repeated while connections are broken. */
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

/** Creates, changes and deletes one object after another until the end of the run. */
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
      // There was no response, or the store did not respond. The outcome is unknown, and the next write will show it.
      await pause(life.disturbed ? RETRY_MS.disturbed : RETRY_MS.calm);
    }
  }
}

/** Watches until the end of the run. Resumes from the last revision whenever the connection ends. */
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
 * Returns the acknowledged writes that were not seen. The response to a deletion contains no revision: it must be seen after the last
 * revision of the object and before its next one.
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
