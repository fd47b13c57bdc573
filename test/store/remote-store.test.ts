import { duplexPair } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { Channel } from "../../runtime/lib/channel.ts";
import type { EmbeddedStore } from "../../runtime/store/embedded/embedded-store.ts";
import { openMemoryStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { UnavailableError } from "../../runtime/store/errors.ts";
import { decodeStoreError, encodeStoreError } from "../../runtime/store/remote/error-data.ts";
import { RemoteStore } from "../../runtime/store/remote/remote-store.ts";
import { SharedRevision } from "../../runtime/store/remote/shared-revision.ts";
import { StoreService } from "../../runtime/store/remote/store-service.ts";
import { Recorder, runStoreTests } from "./run-store-tests.ts";

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

function connect(owner: EmbeddedStore, service: StoreService, shared: SharedRevision) {
  const [here, there] = duplexPair();
  const stuck: string[] = [];
  const session = service.serve(new Channel(there, { encodeError: encodeStoreError }), () => void stuck.push("stuck"));
  const channel = new Channel(here, { decodeError: decodeStoreError });
  const store = new RemoteStore({ channel, shared, identity: owner.identity, checkWriter: () => undefined });
  return { store, session, stuck, breakOff: () => void there.destroy() };
}

function share(owner = openMemoryStore()) {
  const shared = SharedRevision.create();
  const service = new StoreService(owner, {
    shared,
    maxQueuedBytes: 1024 * 1024,
    onFailure: (error) => {
      throw error;
    },
  });
  opened.push(() => shared.close());
  return { owner, connect: () => connect(owner, service, shared) };
}

runStoreTests("remote", async () => ({ store: share().connect().store, prefix: "/registry/things/" }));

describe("a store in another process", () => {
  it("knows without a call whether its watches show everything that was acknowledged", async () => {
    const { owner, connect } = share();
    const [first, second] = [connect().store, connect().store];
    const seen = new Recorder(first, { prefix: "/registry/things/", startRevision: 1 });
    await seen.until(() => first.watchesAreImmediate);
    const { revision } = await second.put("/registry/things/a", Buffer.from("1"), { expected: 0 });
    // The other process received it. This one has not, or has shown it already.
    expect(first.watchesAreImmediate).toBe(seen.revision >= revision);
    await first.catchUp();
    expect(seen.summary).toEqual(["put /registry/things/a 1"]);
    expect(first.watchesAreImmediate).toBe(true);
    await owner.close();
  });

  it("is not woken by changes that it neither watches nor reads, and catches up when it does", async () => {
    const { owner, connect } = share();
    const { store } = connect();
    const seen = new Recorder(store, { prefix: "/registry/things/", startRevision: 1 });
    await seen.until(() => store.watchesAreImmediate);
    const { revision } = await owner.put("/registry/others/a", Buffer.from("1"), { expected: 0 });
    expect(store.watchesAreImmediate).toBe(false);
    expect(await store.currentRevision()).toBe(revision);
    // The response comes when the revision has arrived, without a second request.
    seen.watch.requestProgress();
    await seen.until((recorder) => recorder.revision >= revision);
    expect(store.watchesAreImmediate).toBe(true);
    await owner.close();
  });

  it("does not call its watches complete while one of them still reports its history", async () => {
    const { owner, connect } = share();
    for (let n = 0; n < 1200; n++) await owner.put(`/registry/things/${n}`, Buffer.from("1"), { expected: 0 });
    const { store } = connect();
    await store.ping();
    expect(store.watchesAreImmediate).toBe(true);
    const seen = new Recorder(store, { prefix: "/registry/things/", startRevision: 1 });
    expect(store.watchesAreImmediate).toBe(false);
    await seen.until(({ events }) => events.length > 0);
    expect(seen.events.length).toBeLessThan(1200);
    expect(store.watchesAreImmediate).toBe(false);
    await seen.until(() => store.watchesAreImmediate);
    expect(seen.events.length).toBe(1200);
    await owner.close();
  });

  it("reads entries that are too large for one message in several, as of one revision", async () => {
    const { owner, connect } = share();
    const value = Buffer.alloc(3 * 1024 * 1024, "x");
    for (const name of ["a", "b", "c", "d", "e"]) await owner.put(`/registry/things/${name}`, value, { expected: 0 });
    const { store } = connect();
    const { entries, more, revision } = await store.range({ prefix: "/registry/things/" });
    expect([entries.length, more, revision]).toEqual([5, false, 6]);
    const page = await store.range({ prefix: "/registry/things/", limit: 4 });
    expect([page.entries.length, page.more]).toEqual([4, true]);
    const last = page.entries.at(-1);
    expect([last?.key, value.equals(last?.value ?? Buffer.alloc(0))]).toEqual(["/registry/things/d", true]);
    await owner.close();
  });

  it("says of a write without a response that it may have happened", async () => {
    const { owner, connect } = share();
    const { store, breakOff } = connect();
    const written = store.put("/registry/things/a", Buffer.from("1"), { expected: 0 });
    breakOff();
    const error = await written.catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).toMatchObject({ maybeApplied: true });
    await owner.close();
  });

  it("reports a process that does not read its events, instead of keeping them all", async () => {
    const { owner, connect } = share();
    const { store, stuck, session } = connect();
    const prefix = "/registry/things/";
    await new Promise<void>((resolve) => {
      store.watch({ prefix, startRevision: 1 }, { changed() {}, progress: () => resolve(), failed() {} });
    });
    // In one turn of the event loop, so that nothing is read in between.
    const value = Buffer.alloc(256 * 1024);
    for (let n = 0; n < 10; n++) void owner.put(`${prefix}${n}`, value, { expected: 0 });
    await new Promise<void>((resolve) => setImmediate(resolve));
    await owner.currentRevision();
    expect(stuck.length).toBeGreaterThan(0);
    session.leave();
    await owner.close();
  });
});
