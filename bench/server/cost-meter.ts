import { calmestHalf, percentile } from "../measurement.ts";
import { cpuMs, stolenMs, type Target } from "./server-process.ts";

interface Slice {
  readonly calls: number;
  readonly cpuMs: number;
  /** What the fixed work of the pace took around it. */
  readonly pace: number;
  /** How long other machines had the processor while it ran, for each millisecond that it ran. */
  readonly stolen: number;
}

/** What a call costs the server, in milliseconds of its processor time. */
export interface Cost {
  /** As on a core that nobody else disturbs. */
  readonly undisturbed: number;
  readonly asMeasured: number;
}

/** Takes the cost of a load slice by slice, each with the pace of the machine just then. */
export class CostMeter {
  readonly #target: Target;
  readonly #slices: Slice[] = [];

  constructor(target: Target) {
    this.#target = target;
  }

  async slice(calls: number, work: () => Promise<unknown>): Promise<void> {
    const { pids } = this.#target;
    const paceBefore = await this.#pace();
    const before = cpuMs(pids);
    const stolenBefore = stolenMs();
    const began = performance.now();
    await work();
    const spent = cpuMs(pids) - before;
    const stolen = (stolenMs() - stolenBefore) / (performance.now() - began);
    this.#slices.push({ calls, cpuMs: spent, pace: (paceBefore + (await this.#pace())) / 2, stolen });
  }

  cost(): Cost {
    const undisturbed = this.#target.pace?.undisturbed ?? 1;
    const each = calmestHalf(this.#slices, disturbance).map(
      ({ calls, cpuMs: spent, pace }) => ((spent / calls) * undisturbed) / pace,
    );
    const total = this.#slices.reduce((sum, { cpuMs: spent }) => sum + spent, 0);
    const calls = this.#slices.reduce((sum, slice) => sum + slice.calls, 0);
    return { undisturbed: percentile(each, 0.5), asMeasured: total / calls };
  }

  async #pace(): Promise<number> {
    const { pids, pace } = this.#target;
    const [pid] = pids;
    return pid === undefined || pace === undefined ? 1 : pace.now(pid);
  }
}

function disturbance({ pace, stolen }: Slice): number {
  return pace * (1 + stolen);
}
