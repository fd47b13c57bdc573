import { expect, it } from "vitest";
import type { Controller } from "../../runtime/controllers/controller.ts";
import { createPeriodicController, type PeriodicWork } from "../../runtime/controllers/periodic-controller.ts";
import { settle } from "../watch/manual-clock.ts";

/** A controller whose pauses end when the test says so, and a record of its actions and reports. */
function setUp(work: Partial<PeriodicWork>): {
  controller: Controller;
  done: string[];
  passPause: () => void;
} {
  const done: string[] = [];
  let passPause = (): void => undefined;
  const controller = createPeriodicController(
    {
      name: "periodic",
      subject: "things",
      intervalMs: 5000,
      round: async () => void done.push("round"),
      ...work,
    },
    {
      delay: (milliseconds, signal) =>
        new Promise((resolve) => {
          done.push(`pause of ${milliseconds}`);
          passPause = resolve;
          if (signal.aborted) resolve();
          signal.addEventListener("abort", () => resolve());
        }),
      onProblem: (name, subject, problem) => done.push(`${name} ${subject}: ${(problem as Error).message}`),
    },
  );
  return { controller, done, passPause: () => passPause() };
}

it("runs once at the start and again after each interval", async () => {
  const { controller, done, passPause } = setUp({});
  await controller.start();
  expect(done).toContain("round");
  await settle();
  passPause();
  await settle();
  await controller.settled();
  expect(done).toEqual(["round", "pause of 5000", "round", "pause of 5000"]);
  await controller.stop();
  passPause();
  await settle();
  expect(done).toHaveLength(4);
});

it("logs errors and tries again", async () => {
  const { controller, done, passPause } = setUp({ round: () => Promise.reject(new Error("not today")) });
  await controller.start();
  await settle();
  passPause();
  await settle();
  await controller.stop();
  expect(done).toEqual(["periodic things: not today", "pause of 5000", "periodic things: not today", "pause of 5000"]);
});

it("finishes its round before it stops, and logs a failure to stop", async () => {
  let finish = (): void => undefined;
  const { controller, done } = setUp({
    round: () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
    leave: () => Promise.reject(new Error("cannot leave")),
  });
  const started = controller.start();
  const stopped = controller.stop();
  expect(done).toEqual([]);
  done.push("finished");
  finish();
  await Promise.all([started, stopped]);
  expect(done).toEqual(["finished", "pause of 5000", "periodic things: cannot leave"]);
});
