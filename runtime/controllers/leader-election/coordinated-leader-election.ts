import { hasReason } from "../../contract/status.ts";
import { isoString } from "../../lib/clock.ts";
import { WorkQueue } from "../../lib/work-queue.ts";
import { type Controller, type ControllerParts, queueOptions } from "../controller.ts";
import { createPeriodicController } from "../periodic-controller.ts";
import {
  type ElectionStep,
  isAsked,
  isCandidateExpired,
  isLeaseExpired,
  LEASE_SECONDS,
  type Lease,
  type LeaseCandidate,
  nextStep,
} from "./election.ts";

const NAME = "leader-election-controller";
/** Interval between checks of a lease without changes: its holder may have stopped renewing it. */
const REPEAT_MS = 5_000;
const COLLECT_MS = 30 * 60_000;

/**
 * Elects the holders of leases that have LeaseCandidates (gate `CoordinatedLeaderElection`). Writes the Lease for the best candidate, which then
 * renews it. If a better candidate appears later, names it in `preferredHolder`, so that the holder yields. Writes are conditional: several servers
 * over one store may run this at the same time.
 */
export function createCoordinatedLeaderElection(parts: ControllerParts): Controller {
  const { reader, writer, feed, now } = parts;
  const group = parts.naming.group("coordination");
  const leases = { group, resource: "leases" };
  const candidates = { group, resource: "leasecandidates" };
  const queue = new WorkQueue(reconcile, queueOptions(NAME, parts));
  const stops: (() => void)[] = [];

  async function reconcile(key: string): Promise<number | undefined> {
    const [namespace = "", name = ""] = key.split("/");
    const all = (await reader.list(candidates, namespace)) as readonly LeaseCandidate[];
    const own = all.filter(({ spec }) => spec?.leaseName === name);
    const lease = (await reader.get(leases, namespace, name)) as Lease | undefined;
    const step = nextStep(lease, own, now().getTime());
    try {
      return await take(step, lease, namespace, name);
    } catch (error) {
      // A candidate or the lease was written in the meantime: its event triggers the next step.
      if (hasReason(error, "Conflict", "AlreadyExists", "NotFound")) return REPEAT_MS;
      throw error;
    }
  }

  /** Performs a step. Returns the milliseconds until the next check of the lease. */
  async function take(
    step: ElectionStep,
    lease: Lease | undefined,
    namespace: string,
    name: string,
  ): Promise<number | undefined> {
    if (step.action === "wait") {
      if (step.problem !== undefined) parts.onProblem?.(NAME, `${namespace}/${name}`, new Error(step.problem));
      return step.again ? REPEAT_MS : undefined;
    }
    const time = formatMicroTime(now());
    if (step.action === "ping") {
      await Promise.all(
        step.candidates.map((candidate) =>
          writer.update(candidates, { ...candidate, spec: { ...candidate.spec, pingTime: time } }),
        ),
      );
      return REPEAT_MS;
    }
    if (lease === undefined) {
      await writer.create(leases, {
        apiVersion: `${group}/v1`,
        kind: "Lease",
        metadata: { name, namespace },
        spec: { ...elected(step, time), strategy: step.strategy },
      });
      return REPEAT_MS;
    }
    const changed = withResult(lease, step, now().getTime(), time);
    if (changed !== lease) await writer.update(leases, changed);
    return REPEAT_MS;
  }

  const collector = createPeriodicController(
    {
      name: NAME,
      subject: "lease candidates",
      intervalMs: COLLECT_MS,
      async round() {
        for (const candidate of (await reader.list(candidates)) as readonly LeaseCandidate[]) {
          if (!isCandidateExpired(candidate, now().getTime())) continue;
          const { namespace = "", name = "", uid, resourceVersion } = candidate.metadata;
          const same = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
          await writer.delete(candidates, namespace, name, same).catch((error: unknown) => {
            if (!hasReason(error, "NotFound", "Conflict")) throw error;
          });
        }
      },
    },
    parts,
  );

  return {
    name: NAME,
    async start() {
      stops.push(
        await feed.follow(candidates, ({ object }) => {
          const candidate = object as LeaseCandidate;
          const { namespace = "" } = candidate.metadata;
          if (!isAsked(candidate)) queue.add(`${namespace}/${candidate.spec?.leaseName ?? ""}`);
        }),
        await feed.follow(leases, ({ metadata }) => queue.add(`${metadata.namespace ?? ""}/${metadata.name ?? ""}`)),
      );
      parts.metrics?.leads(NAME, true);
      await collector.start();
    },
    async stop() {
      for (const stop of stops) stop();
      parts.metrics?.leads(NAME, false);
      await Promise.all([queue.stop(), collector.stop()]);
    },
    settled: () => queue.settled(),
  };
}

type Elect = Extract<ElectionStep, { readonly action: "elect" }>;

function elected({ holder }: Elect, time: string): NonNullable<Lease["spec"]> {
  return {
    ...(holder !== undefined && { holderIdentity: holder }),
    leaseDurationSeconds: LEASE_SECONDS,
    renewTime: time,
  };
}

/** Returns the lease after an election. A holder that still renews it is not replaced: `preferredHolder` tells it to yield. */
function withResult(lease: Lease, step: Elect, now: number, time: string): Lease {
  const {
    holderIdentity: before = "",
    preferredHolder: _preferred,
    acquireTime: _acquired,
    ...spec
  } = lease.spec ?? {};
  const { strategy, holder } = step;
  const isFree = before === "" || (isLeaseExpired(lease, now) && before !== holder);
  if (holder !== undefined && isFree) {
    return { ...lease, spec: { ...spec, ...elected(step, time), strategy } };
  }
  const yields = holder !== undefined && holder !== before && lease.spec?.preferredHolder !== holder;
  if (!yields && lease.spec?.strategy === strategy) return lease;
  return { ...lease, spec: { ...lease.spec, strategy, ...(yields && { preferredHolder: holder }) } };
}

/** Formats a MicroTime, with microseconds. */
function formatMicroTime(time: Date): string {
  return isoString(time).replace(/Z$/, "000Z");
}
