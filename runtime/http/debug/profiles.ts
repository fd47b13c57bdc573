import { Session } from "node:inspector/promises";
import { clearTimeout, setTimeout } from "node:timers";
import type { AppContext } from "../pipeline/app-state.ts";
import { sendPlainText, sendText, textNotFound } from "../respond/plain-text.ts";
import { sendBytes } from "../respond/send.ts";

const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 300;
/** Average bytes between two samples of the heap. */
const SAMPLING_INTERVAL = 128 * 1024;

/** A kind of profile: how it is recorded, and the file extension that Chrome DevTools and VS Code recognize. */
interface ProfileKind {
  readonly what: string;
  readonly extension: string;
  start(session: Session): Promise<unknown>;
  /** Ends the recording. Resolves with the profile. */
  stop(session: Session): Promise<object>;
}

const KINDS = new Map<string, ProfileKind>([
  [
    "profile",
    {
      what: "CPU profiling",
      extension: "cpuprofile",
      async start(session) {
        await session.post("Profiler.enable");
        await session.post("Profiler.start");
      },
      async stop(session) {
        const { profile } = await session.post("Profiler.stop");
        await session.post("Profiler.disable");
        return profile;
      },
    },
  ],
  [
    "heap",
    {
      what: "heap profiling",
      extension: "heapprofile",
      start: (session) => session.post("HeapProfiler.startSampling", { samplingInterval: SAMPLING_INTERVAL }),
      stop: async (session) => (await session.post("HeapProfiler.stopSampling")).profile,
    },
  ],
]);

const INDEX = `/debug/pprof/

profile?seconds=30  CPU profile of this process, for --cpu-prof viewers such as Chrome DevTools (.cpuprofile)
heap?seconds=30     memory that is allocated during these seconds and still in use after them, by call stack (.heapprofile)
`;

/** Profiles that this process is recording. Node's inspector records one of each kind at a time. */
const recording = new Set<ProfileKind>();

/**
 * Serves `/debug/pprof/`: CPU and heap profiles of this process. They contain names of functions and files, but no data. One profile of
 * each kind is recorded at a time, for at most five minutes. Recording ends early if the client disconnects or the server stops.
 */
export async function answerProfile(ctx: AppContext, path: string, stopping: AbortSignal): Promise<void> {
  if (path === "/debug/pprof") {
    ctx.set("Location", "/debug/pprof/");
    return sendText(ctx, 302, "");
  }
  const name = path.slice("/debug/pprof/".length);
  if (name === "") return sendPlainText(ctx, INDEX);
  const kind = KINDS.get(name);
  if (kind === undefined) return textNotFound(ctx);
  const seconds = secondsOf(ctx.state.info.query.get("seconds"));
  if (seconds > MAX_SECONDS) return sendText(ctx, 400, `profile duration exceeds ${MAX_SECONDS} seconds\n`);
  if (recording.has(kind))
    return sendText(ctx, 500, `Could not enable ${kind.what}: ${kind.what.toLowerCase()} already in use\n`);
  const profile = await record(kind, seconds * 1000, ctx, stopping);
  await sendBytes(ctx, Buffer.from(JSON.stringify(profile)), {
    status: 200,
    contentType: "application/json",
    compress: true,
    headers: {
      "Content-Disposition": `attachment; filename="${name}.${kind.extension}"`,
      "X-Content-Type-Options": "nosniff",
    },
  });
}

async function record(
  kind: ProfileKind,
  milliseconds: number,
  ctx: AppContext,
  stopping: AbortSignal,
): Promise<object> {
  recording.add(kind);
  const session = new Session();
  try {
    session.connect();
    await kind.start(session);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(end, milliseconds);
      function end(): void {
        clearTimeout(timer);
        ctx.res.off("close", end);
        stopping.removeEventListener("abort", end);
        resolve();
      }
      ctx.res.once("close", end);
      stopping.addEventListener("abort", end, { once: true });
    });
    return await kind.stop(session);
  } finally {
    session.disconnect();
    recording.delete(kind);
  }
}

/** Like Go's pprof: anything but a positive integer selects the default. */
function secondsOf(text: string | null): number {
  const seconds = text !== null && /^\+?\d{1,15}$/.test(text) ? Number(text) : 0;
  return seconds > 0 ? seconds : DEFAULT_SECONDS;
}
