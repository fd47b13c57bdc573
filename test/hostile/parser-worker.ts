/** Runs parser inputs in a separate thread, one after another, until it is told to stop. */
import { parentPort, workerData } from "node:worker_threads";
import { threadCpuMs } from "../tools/thread-cpu.ts";
import { isCrash, PARSERS } from "./parsers.ts";
import { Random } from "./random.ts";

export interface ParserWork {
  readonly seed: number;
  /** The first input number, counted over all parsers. */
  readonly from: number;
  readonly limitMs: number;
  /** Contains the number of the current input, and whether to stop. */
  readonly shared: SharedArrayBuffer;
}

export interface ParserFinding {
  readonly number: number;
  readonly what: string;
}

/** Returns the processor time of this thread in milliseconds, and a thrown error that parsers must not throw. */
export function runParser(seed: number, number: number): { milliseconds: number; name: string; crash?: Error } {
  const names = Object.keys(PARSERS);
  const name = names[number % names.length] as string;
  const run = (PARSERS[name] as (typeof PARSERS)[string])(Random.ofInput(seed, "parsers", number));
  const start = threadCpuMs();
  let crash: Error | undefined;
  try {
    run();
  } catch (error) {
    if (isCrash(error)) crash = error as Error;
  }
  return { milliseconds: threadCpuMs() - start, name, ...(crash && { crash }) };
}

function work({ seed, from, limitMs, shared }: ParserWork): void {
  const state = new Int32Array(shared);
  for (let number = from; state[1] === 0; number++) {
    state[0] = number;
    let { milliseconds, name, crash } = runParser(seed, number);
    // Repeats the input, because a garbage collection may have occurred in between.
    for (let again = 0; again < 3 && milliseconds > limitMs; again++) {
      milliseconds = Math.min(milliseconds, runParser(seed, number).milliseconds);
    }
    if (crash) tell({ number, what: `${name} throws ${crash.stack?.split("\n").slice(0, 4).join("\n")}` });
    if (milliseconds > limitMs) tell({ number, what: `${name} takes ${milliseconds.toFixed(0)} ms` });
  }
}

function tell(finding: ParserFinding): void {
  parentPort?.postMessage(finding);
}

if (parentPort !== null && workerData !== null) work(workerData as ParserWork);
