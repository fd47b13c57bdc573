import { setTimeout as sleep } from "node:timers/promises";
import type { KeepAliveClient } from "../keep-alive-client.ts";
import type { Target } from "../target.ts";
import { largeInputs } from "./inputs.ts";
import { LARGE_READY, largePreparation } from "./preparation.ts";
import type { LargeInput } from "./requests.ts";

/** How long one large request held the event loop, and what the server answered. */
export interface LargeResult {
  readonly what: string;
  readonly heldMs: number;
  /** Processor time of the server's main thread for all of it. */
  readonly spentMs: number;
  readonly status: number;
  /** Whether the status is the one that it must be. */
  readonly isAsExpected: boolean;
}

const PATIENCE_MS = 120_000;
/** A collection of other garbage may fall into one of them. */
const ATTEMPTS = 3;

/**
 * Sends valid objects near the limits one by one, in every format and by every verb. Counted is the processor time of the longest turn, in
 * the best of a few attempts where it is above `limitMs`.
 */
export async function measureLarge(
  target: Target,
  limitMs: number,
  tell: (result: LargeResult) => void = () => undefined,
  chosen: (what: string) => boolean = () => true,
): Promise<LargeResult[]> {
  const client = target.client();
  try {
    for (const request of largePreparation()) await client.read(request, PATIENCE_MS);
    for (let n = 0; n < 100 && (await client.read(LARGE_READY, PATIENCE_MS)).status !== 200; n++) await sleep(100);
    const results: LargeResult[] = [];
    for (const input of largeInputs().filter(({ what }) => chosen(what))) {
      const result = await measureInput(target, client, input, limitMs);
      tell(result);
      results.push(result);
    }
    return results;
  } finally {
    client.close();
  }
}

let sent = 0;

async function measureInput(
  target: Target,
  client: KeepAliveClient,
  input: LargeInput,
  limitMs: number,
): Promise<LargeResult> {
  let best: LargeResult | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS && (best?.heldMs ?? Number.POSITIVE_INFINITY) > limitMs; attempt++) {
    const number = ++sent;
    const answers: string[] = [];
    for (const request of input.before?.(number) ?? []) answers.push((await client.read(request, PATIENCE_MS)).text);
    const request = input.make(number, answers);
    await sleep(50);
    target.takeLateTurns();
    const before = target.mainThreadMs;
    const { status } = await client.read(request, PATIENCE_MS);
    await sleep(30);
    const heldMs = Math.max(
      0,
      ...target.takeLateTurns(0).map(({ lateMs, processorMs }) => Math.min(lateMs, processorMs)),
    );
    const spentMs = target.mainThreadMs - before;
    const isAsExpected = input.status === undefined ? status < 300 : status === input.status;
    if (best === undefined || heldMs < best.heldMs) best = { what: input.what, heldMs, spentMs, status, isAsExpected };
  }
  return best as LargeResult;
}
