import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EtcdStore } from "../../runtime/store/etcd/etcd-store.ts";
import type { StoreWatch, WatchReceiver } from "../../runtime/store/store.ts";
import { FakeEtcd, type FakeWatchStream } from "../tools/fake-etcd.ts";
import { ManualClock } from "../watch/manual-clock.ts";

const PREFIX = "/registry/things/";
const LONGEST_PAUSE_MS = 2000;

/** Checks the contract of a watch: whenever it reports a revision, every change up to it has been sent, once and in order. */
class Witness implements WatchReceiver {
  readonly #etcd: FakeEtcd;
  readonly #from: number;
  readonly seen: number[] = [];
  readonly told: number[] = [];
  readonly breaches: string[] = [];
  error: Error | undefined;
  #wake: () => void = () => undefined;

  constructor(etcd: FakeEtcd, from: number) {
    this.#etcd = etcd;
    this.#from = from;
  }

  changed(events: readonly { readonly revision: number }[], revision: number): void {
    this.seen.push(...events.map((event) => event.revision));
    this.progress(revision);
  }

  progress(revision: number): void {
    this.told.push(revision);
    const due = this.#etcd.changes(PREFIX, this.#from, revision).map((change) => change.revision);
    if (due.join() !== this.seen.join()) this.breaches.push(`told ${revision}, seen ${this.seen}, due ${due}`);
    this.#wake();
  }

  failed(error: Error): void {
    this.error = error;
    this.#wake();
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

describe("a watch of etcd", () => {
  let etcd: FakeEtcd;
  let store: EtcdStore;
  let clock: ManualClock;
  let witness: Witness;
  let watch: StoreWatch;

  /** Resolves when everything that the client has sent so far has arrived. */
  const arrived = (): Promise<number> => store.currentRevision();
  const open = async (startRevision: number): Promise<FakeWatchStream> => {
    witness = new Witness(etcd, startRevision);
    watch = store.watch({ prefix: PREFIX, startRevision }, witness);
    return etcd.nextStream();
  };
  /** Resolves when the client has noticed that its stream broke, and waits before it opens another. */
  const noticed = async (): Promise<void> => {
    while (clock.waiting === 0) await arrived();
  };
  const reopened = async (): Promise<FakeWatchStream> => {
    await noticed();
    await clock.advance(LONGEST_PAUSE_MS);
    return etcd.nextStream();
  };

  beforeEach(async () => {
    etcd = await FakeEtcd.start(10);
    clock = new ManualClock();
    store = await EtcdStore.connect({ endpoints: [etcd.endpoint], clock });
  });
  afterEach(async () => {
    await store.close();
    etcd.stop();
    expect(witness.breaches).toEqual([]);
  });

  it("ignores progress notifications that it did not request", async () => {
    for (const name of ["a", "b", "c"]) etcd.put(PREFIX + name);
    const stream = await open(11);
    stream.confirm();
    stream.progress(12);
    stream.changes(PREFIX, 11, 11);
    stream.progress(13);
    stream.changes(PREFIX, 12, 13);
    await witness.until(() => witness.seen.length === 3);
    expect(witness.seen).toEqual([11, 12, 13]);
    expect(witness.told).toEqual([11, 13]);
  });

  it("does not use the revision in the header of events as progress: it may be ahead of a watch that catches up", async () => {
    for (const name of ["a", "b", "c", "d"]) etcd.put(PREFIX + name);
    const stream = await open(11);
    stream.confirm();
    stream.changes(PREFIX, 11, 12);
    await witness.until(() => witness.seen.length === 2);
    stream.break();
    const again = await reopened();
    expect(again.startRevision).toBe(13);
    again.confirm();
    again.changes(PREFIX, 13, 14);
    await witness.until(() => witness.seen.length === 4);
    expect(witness.told).toEqual([12, 14]);
  });

  it("asks for progress only once etcd has confirmed it", async () => {
    const stream = await open(11);
    watch.requestProgress();
    watch.requestProgress();
    await arrived();
    expect(stream.progressRequests).toBe(0);
    stream.confirm();
    await stream.requestsOfProgress(1);
    stream.progress(10);
    await witness.until(() => witness.told.length === 1);
    expect(witness.told).toEqual([10]);
    await arrived();
    expect(stream.progressRequests).toBe(1);
  });

  it("receives progress when nothing below its prefix changed", async () => {
    const stream = await open(11);
    stream.confirm();
    etcd.put("/registry/others/x");
    watch.requestProgress();
    watch.requestProgress();
    // Requested before the confirmation arrived, or right after: in both cases every request that was sent gets a response.
    await stream.requestsOfProgress(1);
    stream.progress(11);
    await witness.until(() => witness.told.includes(11));
    etcd.put(`${PREFIX}a`);
    stream.changes(PREFIX, 12, 12);
    await witness.until(() => witness.seen.length === 1);
    expect(witness.told.at(-1)).toBe(12);
  });

  it("repeats an unanswered progress request on the next stream, and ignores notifications before that", async () => {
    const stream = await open(11);
    stream.confirm();
    watch.requestProgress();
    await stream.requestsOfProgress(1);
    etcd.put(`${PREFIX}a`);
    etcd.put(`${PREFIX}b`);
    stream.break();
    const again = await reopened();
    expect(again.startRevision).toBe(11);
    again.progress(12);
    again.changes(PREFIX, 11, 11);
    await witness.until(() => witness.seen.length === 1);
    expect(witness.told).toEqual([11]);
    await arrived();
    expect(again.progressRequests).toBe(0);
    again.confirm();
    await again.requestsOfProgress(1);
    again.changes(PREFIX, 12, 12);
    again.progress(12);
    await witness.until(() => witness.told.length === 3);
    expect(witness.seen).toEqual([11, 12]);
    expect(witness.told).toEqual([11, 12, 12]);
  });

  it("sends a progress request that was made between two streams", async () => {
    const stream = await open(11);
    stream.confirm();
    etcd.put(`${PREFIX}a`);
    stream.changes(PREFIX, 11, 11);
    await witness.until(() => witness.seen.length === 1);
    stream.break();
    await noticed();
    watch.requestProgress();
    const again = await reopened();
    again.confirm();
    await again.requestsOfProgress(1);
  });

  it("resumes after the last progress, without duplicate events after a reconnect", async () => {
    etcd.put(`${PREFIX}a`);
    const stream = await open(11);
    stream.confirm();
    stream.changes(PREFIX, 11, 11);
    await witness.until(() => witness.seen.length === 1);
    etcd.put("/registry/others/x");
    watch.requestProgress();
    await stream.requestsOfProgress(1);
    stream.progress(12);
    await witness.until(() => witness.told.includes(12));
    etcd.put(`${PREFIX}b`);
    stream.break();
    const again = await reopened();
    expect(again.startRevision).toBe(13);
    again.confirm();
    // A member that sends more than was requested.
    again.changes(PREFIX, 11, 13);
    await witness.until(() => witness.seen.length === 2);
    expect(witness.seen).toEqual([11, 13]);
  });

  it("discards the fragments of an interrupted response and receives it again", async () => {
    for (const name of ["a", "b", "c"]) etcd.put(PREFIX + name);
    const stream = await open(11);
    stream.confirm();
    stream.changes(PREFIX, 11, 12, { fragment: true });
    stream.break();
    const again = await reopened();
    expect(again.startRevision).toBe(11);
    expect(witness.seen).toEqual([]);
    again.confirm();
    again.changes(PREFIX, 11, 12, { fragment: true });
    again.changes(PREFIX, 13, 13);
    await witness.until(() => witness.seen.length === 3);
    expect(witness.told).toEqual([13]);
  });

  it("accepts the lower progress of a member that lags behind", async () => {
    etcd.put(`${PREFIX}a`);
    const stream = await open(11);
    stream.confirm();
    stream.changes(PREFIX, 11, 11);
    await witness.until(() => witness.seen.length === 1);
    stream.break();
    const again = await reopened();
    again.confirm();
    watch.requestProgress();
    await again.requestsOfProgress(1);
    again.progress(9);
    etcd.put(`${PREFIX}b`);
    again.changes(PREFIX, 12, 12);
    await witness.until(() => witness.seen.length === 2);
    again.break();
    expect((await reopened()).startRevision).toBe(13);
  });

  it("ends for good when its history was compacted", async () => {
    const stream = await open(5);
    stream.confirm();
    stream.compacted(8);
    await witness.until(() => witness.error !== undefined);
    expect(witness.error).toMatchObject({ code: "Compacted", compactRevision: 8 });
    await clock.advance(10_000);
    await arrived();
    expect(etcd.waitingStreams).toBe(0);
  });

  it("ends with the reason when etcd refuses to create it", async () => {
    const stream = await open(11);
    stream.refuse("etcdserver: permission denied");
    await witness.until(() => witness.error !== undefined);
    expect(witness.error).toMatchObject({
      code: "Unavailable",
      message: "etcd ended the watch: etcdserver: permission denied",
    });
  });

  it("asks etcd to end the stream when the member has no leader", async () => {
    expect((await open(11)).metadata).toMatchObject({ hasleader: "true" });
  });

  it("sends no events after it was closed", async () => {
    const stream = await open(11);
    stream.confirm();
    watch.close();
    etcd.put(`${PREFIX}a`);
    stream.changes(PREFIX, 11, 11);
    await arrived();
    await clock.advance(10_000);
    await arrived();
    expect([witness.seen, witness.error, etcd.waitingStreams]).toEqual([[], undefined, 0]);
  });
});
