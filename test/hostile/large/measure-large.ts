import { setTimeout as sleep } from "node:timers/promises";
import type { RequestInput } from "../input.ts";
import type { KeepAliveClient } from "../keep-alive-client.ts";
import type { Target } from "../target.ts";
import { largeInputs } from "./inputs.ts";
import { LARGE_READY, largePreparation } from "./preparation.ts";
import type { LargeInput } from "./requests.ts";

/** How long one large request blocked the event loop, and the response. */
export interface LargeResult {
  readonly what: string;
  readonly heldMs: number;
  /** Total processor time of the server's main thread. */
  readonly spentMs: number;
  readonly status: number;
  /** Whether the response has the expected status. */
  readonly isAsExpected: boolean;
}

const PATIENCE_MS = 120_000;
/** Ten thousand objects are deleted individually, each in its own commit. */
const UNTIL_MS = 600_000;
/** Connections for preparing requests. */
const SENDERS = 8;
/** Number of attempts: an unrelated garbage collection may occur during one of them. */
const ATTEMPTS = 3;

/**
 * Sends valid objects near the size limits individually, in every format and with every verb. Measures the processor time of the longest
 * event loop turn, and takes the best of a few attempts if it exceeds `limitMs`.
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
  const attempts = input.isOnce ? 1 : ATTEMPTS;
  for (let attempt = 1; attempt <= attempts && (best?.heldMs ?? Number.POSITIVE_INFINITY) > limitMs; attempt++) {
    const number = ++sent;
    const answers = await sendBefore(target, client, input, number);
    const request = input.make(number, answers);
    const watchers = (input.watches ?? []).map((watch) => openWatch(target, watch));
    await sleep(watchers.length === 0 ? 50 : 1000);
    target.takeLateTurns();
    const before = target.mainThreadMs;
    const beside = (input.beside?.(number) ?? []).map((one) => statusAlone(target, one));
    const status = worstOf(await Promise.all([statusOf(client, request), ...beside]));
    const isDone = input.until === undefined || (await isReached(client, input.until(number)));
    await sleep(watchers.length === 0 ? 30 : 1000);
    const heldMs = Math.max(
      0,
      ...target.takeLateTurns(0).map(({ lateMs, processorMs }) => Math.min(lateMs, processorMs)),
    );
    const spentMs = target.mainThreadMs - before;
    for (const watcher of watchers) watcher.close();
    const isAsExpected = isDone && (input.status === undefined ? status > 0 && status < 300 : status === input.status);
    if (best === undefined || heldMs < best.heldMs) best = { what: input.what, heldMs, spentMs, status, isAsExpected };
  }
  return best as LargeResult;
}

/** Sends the preparing requests. Returns the bodies of their responses. */
async function sendBefore(
  target: Target,
  client: KeepAliveClient,
  input: LargeInput,
  number: number,
): Promise<readonly string[]> {
  const answers: string[] = [];
  const requests = input.before?.(number, answers)[Symbol.iterator]();
  const first = requests?.next();
  if (requests === undefined || first?.done !== false) return answers;
  answers.push((await client.read(first.value, PATIENCE_MS)).text);
  const clients = Array.from({ length: SENDERS }, () => target.client());
  await Promise.all(
    clients.map(async (one) => {
      for (let next = requests.next(); !next.done; next = requests.next()) await one.read(next.value, PATIENCE_MS);
      one.close();
    }),
  );
  return answers;
}

function openWatch(target: Target, request: RequestInput): KeepAliveClient {
  const watcher = target.client();
  void watcher.send(request, PATIENCE_MS);
  return watcher;
}

async function statusAlone(target: Target, request: RequestInput): Promise<number> {
  const client = target.client();
  try {
    return await statusOf(client, request);
  } finally {
    client.close();
  }
}

function worstOf(statuses: readonly number[]): number {
  return statuses.includes(0) ? 0 : Math.max(...statuses);
}

/** Returns the status; 0 if there is no response in time. */
async function statusOf(client: KeepAliveClient, request: RequestInput): Promise<number> {
  try {
    return (await client.read(request, PATIENCE_MS)).status;
  } catch {
    return 0;
  }
}

async function isReached(
  client: KeepAliveClient,
  { request, status }: { readonly request: RequestInput; readonly status: number },
): Promise<boolean> {
  for (const end = performance.now() + UNTIL_MS; performance.now() < end; await sleep(100)) {
    if ((await statusOf(client, request)) === status) return true;
  }
  return false;
}
