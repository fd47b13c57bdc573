import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type Endpoint } from "./connection.ts";
import { FrameType, framesIn } from "./http2-frames.ts";
import type { Outcome, ScriptInput } from "./input.ts";
import { statusesIn } from "./raw-connection.ts";

const KEPT_BYTES = 64 * 1024;

/** Plays a peer that sends raw bytes on its own connection. */
export async function runScript(endpoint: Endpoint, script: ScriptInput, signal: AbortSignal): Promise<Outcome> {
  const started = performance.now();
  const chunks: Buffer[] = [];
  let kept = 0;
  const outcome = (ended: Outcome["ended"]): Outcome => {
    const received = Buffer.concat(chunks);
    const statuses = script.protocol === "h2" ? http2Statuses(received) : statusesIn(received.toString("latin1"));
    return { statuses, received, ended, milliseconds: performance.now() - started };
  };
  const connection = await connect(endpoint, script.protocol).catch((error: Error) => error);
  if (connection instanceof Error) {
    chunks.push(Buffer.from(connection.message));
    return outcome("refused");
  }
  const { socket, reset } = connection;
  const closed = new Promise<void>((resolve) => socket.once("close", resolve));
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    if (kept < KEPT_BYTES) chunks.push(chunk);
    kept += chunk.length;
  });
  try {
    for (const step of script.steps) {
      if (socket.destroyed || signal.aborted) break;
      if (step === "end") socket.end();
      else if (step === "reset") reset();
      else if (step === "stop-reading") socket.pause();
      else if ("pauseMs" in step) await Promise.race([closed, pause(step.pauseMs, signal)]);
      else socket.write(step.write);
    }
    if (!socket.destroyed) await Promise.race([closed, quiet(socket, script.patienceMs, signal)]);
    return outcome(socket.destroyed ? "closed" : "left");
  } finally {
    socket.destroy();
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** Resolves when the server has not sent data for a moment, or when the time is over. */
async function quiet(socket: Socket, patienceMs: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + patienceMs;
  const moment = Math.max(15, Math.min(60, patienceMs / 5));
  let seen = -1;
  let silentFor = 0;
  while (performance.now() < end && !signal.aborted && !socket.destroyed) {
    await pause(moment, signal);
    silentFor = socket.bytesRead === seen && seen > 0 ? silentFor + 1 : 0;
    seen = socket.bytesRead;
    if (silentFor >= 2) return;
  }
}

/** Statuses in the static table of HPACK, by the first byte of a response. */
const INDEXED_STATUSES: Readonly<Record<number, number>> = {
  136: 200,
  137: 204,
  138: 206,
  139: 304,
  140: 400,
  141: 404,
  142: 500,
};

/** First byte of a status that is not in the table. */
const LITERAL_STATUS = 0x48;

function http2Statuses(received: Buffer): number[] {
  return framesIn(received)
    .filter(({ type }) => type === FrameType.headers)
    .flatMap(({ payload }) => {
      if (payload[0] === LITERAL_STATUS && payload[1] === 3) return Number(payload.toString("latin1", 2, 5));
      return INDEXED_STATUSES[payload[0] ?? 0] ?? [];
    });
}
