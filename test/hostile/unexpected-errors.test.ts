import { describe, expect, it } from "vitest";
import { systemClock } from "../../runtime/lib/clock.ts";
import { createUnexpectedErrors } from "../../runtime/lib/unexpected-errors.ts";
import { commitFailure } from "../../runtime/store/embedded/lmdb-errors.ts";
import { openMemoryStore } from "../../runtime/store/embedded/open-embedded-store.ts";

describe("unexpected errors", () => {
  const gather = () => {
    const lines: { message: string; fields: unknown }[] = [];
    const counts = new Map<string, number>();
    const time = { now: 0 };
    const report = createUnexpectedErrors({
      log: (_level, message, fields) => void lines.push({ message, fields }),
      count: (source) => void counts.set(source, (counts.get(source) ?? 0) + 1),
      monotonic: () => time.now,
    });
    return { lines, counts, time, report };
  };

  it("are counted, and logged with their stack at most once a second if they are alike", () => {
    const { lines, counts, time, report } = gather();
    const fail = (text: string) => new Error(text);
    for (let index = 0; index < 1000; index += 1) report("request", fail(`sent by a peer: ${index}`));
    expect(counts.get("request")).toBe(1000);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.message).toMatch(
      /unexpected error \(request\): Error: sent by a peer: 0\n\s+at .*unexpected-errors/,
    );
    report("request", new TypeError("another"));
    expect(lines).toHaveLength(2);
    time.now = 2000;
    report("request", fail("later"));
    expect(lines[2]?.fields).toEqual({ leftOut: 999 });
  });

  it("may be any thrown value", () => {
    const { lines, report } = gather();
    for (const odd of [undefined, null, "text", 7, { a: 1 }, Symbol("s"), Object.create(null)]) report("promise", odd);
    expect(lines.length).toBeGreaterThan(0);
  });
});

describe("timers", () => {
  it("accept negative delays and delays of months, without warnings", async () => {
    const warnings: string[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning.name);
    process.on("warning", onWarning);
    await new Promise<void>((resolve) => void systemClock.after(-5, resolve));
    let isEarly = false;
    const cancel = systemClock.after(2 ** 40, () => {
      isEarly = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    cancel();
    process.off("warning", onWarning);
    expect([isEarly, warnings]).toEqual([false, []]);
  });
});

describe("the store", () => {
  it("continues when a watcher throws an error", async () => {
    const store = openMemoryStore();
    const failures: unknown[] = [];
    store.watch(
      { prefix: "/a/", startRevision: 1 },
      {
        changed: () => {
          throw new Error("the watcher is broken");
        },
        progress: () => undefined,
        failed: (error) => void failures.push(error),
      },
    );
    await new Promise((resolve) => setImmediate(resolve));
    await store.put("/a/1", Buffer.from("x"), { expected: 0 });
    await store.put("/a/2", Buffer.from("x"), { expected: 0 });
    expect(failures).toHaveLength(1);
    await store.close();
  });

  it("counts as lost if LMDB reports a damaged file or the system a failing disk, and not if the disk is full or memory short", async () => {
    const codeOf = async (code: number) =>
      (await commitFailure(Object.assign(new Error("x"), { code }), () => true)).code;
    expect(await Promise.all([-30795, -30796, 5].map(codeOf))).toEqual(["Lost", "Lost", "Lost"]);
    expect(await Promise.all([28, -30792, 12, -30788].map(codeOf))).toEqual([
      "NoSpace",
      "NoSpace",
      "Unavailable",
      "Unavailable",
    ]);
    const cutShort = Object.assign(new Error("x"), { code: 5 });
    expect((await commitFailure(cutShort, () => false)).code).toBe("NoSpace");
  });
});
