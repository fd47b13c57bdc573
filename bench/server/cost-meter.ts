import { calmestHalf, percentile } from "../measurement.ts";
import { cpuMs, stolenMs, type Target } from "./server-process.ts";

interface Slice {
  readonly calls: number;
  readonly cpuMs: number;
  /** Duration of the pace's fixed work around the slice. */
  readonly pace: number;
  /** Time that the hypervisor gave to other machines, per millisecond of the slice. */
  readonly stolen: number;
}

/** Cost of a call to the server, in milliseconds of its processor time. */
export interface Cost {
  /** Corrected to an undisturbed core. */
  readonly undisturbed: number;
  readonly asMeasured: number;
}

/** Measures the cost of a load slice by slice, each with the current pace of the machine. */
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
