import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LeaseCandidate, nextStep } from "../../runtime/controllers/leader-election/election.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { ask, type Read, until } from "../plane/requests.ts";

const NOW = Date.parse("2026-05-01T12:00:00Z");
const ago = (seconds: number): string => microTime(NOW - seconds * 1000);

function microTime(time: number): string {
  return new Date(time).toISOString().replace("Z", "000Z");
}

function candidate(name: string, spec: Partial<LeaseCandidate["spec"]> = {}, created = ago(60)): LeaseCandidate {
  return {
    apiVersion: "coordination.k8s.io/v1beta1",
    kind: "LeaseCandidate",
    metadata: { name, namespace: "default", creationTimestamp: created },
    spec: {
      leaseName: "scheduler",
      binaryVersion: "1.33.0",
      emulationVersion: "1.33.0",
      renewTime: ago(1),
      strategy: "OldestEmulationVersion",
      ...spec,
    },
  } as LeaseCandidate;
}

const lease = (spec: object) => ({ apiVersion: "v1", kind: "Lease", metadata: { name: "scheduler" }, spec });
const held = (by: string, renewed = 1) =>
  lease({ holderIdentity: by, leaseDurationSeconds: 5, renewTime: ago(renewed) });

describe("the next step of an election", () => {
  const elects = (holder: string | undefined, strategy = "OldestEmulationVersion") => ({
    action: "elect",
    strategy,
    holder,
  });

  it("elects the lowest emulation version, then the lowest binary version, then the oldest candidate", () => {
    const old = candidate("old", { emulationVersion: "1.32.0" });
    const binary = candidate("binary", { emulationVersion: "1.32.0", binaryVersion: "1.32.9" });
    const first = candidate("first", { emulationVersion: "1.32.0", binaryVersion: "1.32.9" }, ago(90));
    const early = candidate("early", { emulationVersion: "1.32.0-rc.2", binaryVersion: "1.32.9" });
    const all = [candidate("new"), old, binary, first, early];
    expect(nextStep(undefined, all.slice(0, 1), NOW)).toEqual(elects("new"));
    expect(nextStep(undefined, all.slice(0, 2), NOW)).toEqual(elects("old"));
    expect(nextStep(undefined, all.slice(0, 3), NOW)).toEqual(elects("binary"));
    expect(nextStep(undefined, all.slice(0, 4), NOW)).toEqual(elects("first"));
    expect(nextStep(undefined, all, NOW)).toEqual(elects("early"));
  });

  it("does nothing while the best candidate holds the lease, and elects when it has expired or has no holder", () => {
    const all = [candidate("a"), candidate("b", {}, ago(30))];
    expect(nextStep(held("a"), all, NOW)).toEqual({ action: "wait", again: true });
    expect(nextStep(held("b"), all, NOW)).toEqual(elects("a"));
    expect(nextStep(held("a", 6), all, NOW)).toEqual(elects("a"));
    expect(nextStep(held(""), all, NOW)).toEqual(elects("a"));
  });

  it("asks candidates that were not heard of for five seconds, and waits five seconds for each", () => {
    const silent = candidate("silent", { renewTime: ago(20), emulationVersion: "1.30.0" });
    const present = candidate("present");
    expect(nextStep(undefined, [silent, present], NOW)).toEqual({ action: "ping", candidates: [silent] });
    const waiting = candidate("silent", { ...silent.spec, pingTime: ago(3) });
    expect(nextStep(undefined, [waiting, present], NOW)).toEqual({ action: "wait", again: true });
    const late = candidate("silent", { ...silent.spec, pingTime: ago(6) });
    expect(nextStep(undefined, [late, present], NOW)).toEqual(elects("present"));
    const answered = candidate("silent", { ...silent.spec, pingTime: ago(3), renewTime: ago(2) });
    expect(nextStep(undefined, [answered, present], NOW)).toEqual(elects("silent"));
  });

  it("asks all candidates again every fifteen minutes, and ignores those that were not heard of for thirty", () => {
    const present = candidate("present");
    const quiet = candidate("quiet", { renewTime: ago(16 * 60) });
    expect(nextStep(held("present"), [present, quiet], NOW)).toEqual({ action: "ping", candidates: [quiet] });
    const gone = candidate("gone", { renewTime: ago(31 * 60), emulationVersion: "1.20.0" });
    expect(nextStep(held("present"), [present, gone], NOW)).toEqual({ action: "wait", again: true });
    expect(nextStep(undefined, [gone], NOW)).toEqual({ action: "wait", again: false });
  });

  it("takes the strategy of the newest binary, and elects nobody for strategies of other controllers", () => {
    const other = candidate("other", { binaryVersion: "1.34.0", strategy: "example.com/Own" });
    expect(nextStep(undefined, [candidate("a"), other], NOW)).toEqual(elects(undefined, "example.com/Own"));
    const clash = candidate("clash", { strategy: "example.com/Own" });
    expect(nextStep(undefined, [candidate("a"), clash], NOW)).toMatchObject({ action: "wait", again: false });
  });
});

describe("coordinated leader election", () => {
  const CANDIDATES = "/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates";
  const LEASE = "/apis/coordination.k8s.io/v1/namespaces/default/leases/scheduler";
  let plane: Plane;

  beforeAll(async () => {
    plane = await startPlane({
      listen: false,
      flags: {
        controllers: "false",
        "feature-gates": "CoordinatedLeaderElection=true",
        "runtime-config": "coordination.k8s.io/v1beta1=true",
      },
    });
    await plane.ready;
  });
  afterAll(() => plane.stop());

  const now = (): string => microTime(Date.now());
  const nominate = (of: Plane, name: string, spec: object = {}): Promise<Read> =>
    ask(of, "POST", CANDIDATES, candidate(name, { renewTime: now(), ...spec }));
  const leaseWhere = async (of: Plane, holds: (spec: Read["spec"]) => boolean): Promise<Read> => {
    let found: Read | undefined;
    await until(async () => {
      const response = await of.fetch(LEASE);
      found = response.ok ? ((await response.json()) as Read) : undefined;
      return found !== undefined && holds(found.spec);
    });
    return found as Read;
  };

  it("writes a lease for a candidate, names a better one that comes later, and hands the lease over", async () => {
    const fork = await plane.fork();
    await nominate(fork, "one");
    const first = await leaseWhere(fork, ({ holderIdentity }) => holderIdentity === "one");
    expect(first.spec).toMatchObject({ strategy: "OldestEmulationVersion", leaseDurationSeconds: 5 });
    // The holder renews its lease, as long as the test takes.
    const renewed = await ask(fork, "PUT", LEASE, {
      ...first,
      spec: { ...first.spec, renewTime: now(), leaseDurationSeconds: 600, acquireTime: now() },
    });
    await nominate(fork, "two", { emulationVersion: "1.32.0" });
    const second = await leaseWhere(fork, ({ preferredHolder }) => preferredHolder === "two");
    expect(second.spec).toMatchObject({ holderIdentity: "one", acquireTime: renewed.spec.acquireTime });
    // The holder yields as client-go does.
    const { preferredHolder: _preferred, ...spec } = second.spec;
    const released = { ...spec, holderIdentity: "", leaseDurationSeconds: 1, renewTime: now() };
    await ask(fork, "PUT", LEASE, { ...second, spec: released });
    const third = await leaseWhere(fork, ({ holderIdentity }) => holderIdentity === "two");
    expect(third.spec.preferredHolder).toBeUndefined();
    expect(third.spec.acquireTime).toBeUndefined();
    await fork.stop();
  });

  it("asks a candidate that was not heard of for a while, and elects it when it answers", async () => {
    const fork = await plane.fork();
    await nominate(fork, "quiet", { renewTime: microTime(Date.now() - 60_000), emulationVersion: "1.31.0" });
    let asked: Read | undefined;
    await until(async () => {
      asked = await ask(fork, "GET", `${CANDIDATES}/quiet`);
      return asked.spec.pingTime !== undefined;
    });
    expect((await fork.fetch(LEASE)).status).toBe(404);
    await ask(fork, "PUT", `${CANDIDATES}/quiet`, { ...asked, spec: { ...asked?.spec, renewTime: now() } });
    await leaseWhere(fork, ({ holderIdentity }) => holderIdentity === "quiet");
    await fork.stop();
  });

  it("elects another candidate when the holder does not renew its lease", async () => {
    const fork = await plane.fork();
    await ask(fork, "POST", LEASE.replace(/\/scheduler$/, ""), {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "scheduler" },
      spec: { holderIdentity: "lost", leaseDurationSeconds: 1, renewTime: microTime(Date.now() - 60_000) },
    });
    await nominate(fork, "next");
    const { spec } = await leaseWhere(fork, ({ holderIdentity }) => holderIdentity === "next");
    expect(spec.strategy).toBe("OldestEmulationVersion");
    await fork.stop();
  });

  it("deletes candidates that were not heard of for half an hour", async () => {
    const fork = await plane.fork();
    await nominate(fork, "gone", { renewTime: microTime(Date.now() - 31 * 60_000) });
    await nominate(fork, "present");
    const later = await fork.fork();
    await until(async () => (await later.fetch(`${CANDIDATES}/gone`)).status === 404);
    expect((await later.fetch(`${CANDIDATES}/present`)).status).toBe(200);
    await Promise.all([fork.stop(), later.stop()]);
  });

  it("elects nobody while its feature gate is off", async () => {
    const off = await startPlane({
      listen: false,
      flags: { controllers: "false", "runtime-config": "coordination.k8s.io/v1beta1=true" },
    });
    await off.ready;
    await nominate(off, "one");
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await off.fetch(LEASE)).status).toBe(404);
    await off.stop();
  });
});
