/**
 * A long run of mixed load, with namespaces, definitions, webhooks, leases and Events that are created and deleted: `make soak MINUTES=60`.
 * Exits with 1 if a request failed, or memory or descriptors kept growing. `RATE=40` limits the load to 40 operations per second, so that a
 * run of hours leaves processor time to others. With `SPEED=5` the clocks of this process and of the server run five times as fast: minutes,
 * rates and all figures refer to their time.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type MemoryAtRest, memoryAtRest } from "./rest.ts";
import { growthOf, HISTORY_SECONDS, runSoak, slopeOf, startSoakServer } from "./run-soak.ts";

const MOST_GROWTH = 1.15;
/** Maximum growth of referenced memory in MiB per hour. A leak that long runs would notice exceeds it. */
const MOST_PER_HOUR = 5;
/** Minimum duration for a judgement: in the first quarter of a run, caches and history must fill completely. */
const LEAST_MINUTES_TO_JUDGE = 24;

/** Load before the first rest, which loads and compiles everything, so that the last rest can be compared with the first. */
const WARM_UP_SECONDS = 300;
/** Longer than the time for which snapshots for continued lists are kept, which exceeds that of events. */
const REST_SECONDS = HISTORY_SECONDS + 60;
/** Maximum growth from the first to the last rest, in MiB, without compiled code. */
const MOST_AT_REST = 4;

/** Short, so that for most of a run as many Events expire as are created. */
const EVENT_TTL = "2m0s";

const minutes = positive("MINUTES", process.argv[2] ?? "60");
const rate = process.argv[3] === undefined ? {} : { operationsPerSecond: positive("RATE", process.argv[3]) };
const directory = mkdtempSync(join(tmpdir(), "typeplane-soak-"));
const server = await startSoakServer(directory, [`--event-ttl=${EVENT_TTL}`]);
const tellRest = ({ dataMiB, codeMiB }: MemoryAtRest): string =>
  `${dataMiB.toFixed(1)} MiB of data and ${codeMiB.toFixed(1)} MiB of code referenced at rest`;
try {
  await runSoak(server, { seconds: WARM_UP_SECONDS, ...rate });
  const before = await memoryAtRest(server, REST_SECONDS);
  console.log(`before the run ${tellRest(before)}`);
  const report = await runSoak(server, {
    seconds: minutes * 60,
    ...rate,
    progress: ({ elapsedSeconds, operations, anonymousMiB, mappedMiB, descriptors }) =>
      console.log(
        `${elapsedSeconds.toFixed(0).padStart(6)} s ${operations} operations, ` +
          `${anonymousMiB.toFixed(0)} MiB held, ${mappedMiB.toFixed(0)} MiB of files mapped, ${descriptors} descriptors`,
      ),
    measured: ({ elapsedSeconds, liveMiB, heapMiB, codeMiB }) =>
      console.log(
        `${elapsedSeconds.toFixed(0).padStart(6)} s ${liveMiB.toFixed(1)} MiB referenced, ${heapMiB.toFixed(1)} of them on the heap, ${codeMiB.toFixed(1)} of those compiled code`,
      ),
  });
  const after = await memoryAtRest(server, REST_SECONDS);
  const atRest = after.dataMiB - before.dataMiB;
  const growth = growthOf(report.samples, "anonymousMiB");
  const { perHour, within } = slopeOf(report.live);
  const opened = growthOf(report.samples, "descriptors");
  for (const [operation, count] of Object.entries(report.operations)) console.log(`${operation}: ${count}`);
  for (const failure of report.failures) console.log(`FAILED ${failure}`);
  const heap = slopeOf(report.live.map((sample) => ({ ...sample, liveMiB: sample.heapMiB })));
  const code = slopeOf(report.live.map((sample) => ({ ...sample, liveMiB: sample.codeMiB })));
  console.log(
    `referenced memory grew by ${perHour.toFixed(1)} ± ${within.toFixed(1)} MiB per hour after the first quarter, the events of recent writes apart (at most ${MOST_PER_HOUR}), ` +
      `the heap by ${heap.perHour.toFixed(1)} ± ${heap.within.toFixed(1)} of them, compiled code by ${code.perHour.toFixed(1)} ± ${code.within.toFixed(1)} of those`,
  );
  console.log(
    `memory held in the last quarter is ${growth.toFixed(2)} times that in the second (at most ${MOST_GROWTH}), ` +
      `open descriptors ${opened.toFixed(2)} times`,
  );
  console.log(
    `after the run ${tellRest(after)}: ${atRest.toFixed(1)} MiB of data more than before (at most ${MOST_AT_REST})`,
  );
  const judged = minutes >= LEAST_MINUTES_TO_JUDGE;
  if (!judged)
    console.log(`memory is judged from ${LEAST_MINUTES_TO_JUDGE} minutes on: before, history is still filling`);
  const grew = Math.max(growth, opened) > MOST_GROWTH || perHour > MOST_PER_HOUR;
  if (report.failures.length > 0 || atRest > MOST_AT_REST || (judged && grew)) process.exitCode = 1;
} finally {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  console.error(`${name}=${text}: a number above 0 is needed`);
  process.exit(2);
}
