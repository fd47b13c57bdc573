/**
 * Loaded into a process with `--import`. Its clock, and those of its threads and of processes that it starts with this module, run SPEED
 * times as fast as the machine's, so that hours of expiry, compaction and renewal take less time. Timers below a quarter of a second keep
 * their duration, because they divide processor time and are unrelated to the time of day. Timeouts within Node, such as those of idle
 * connections, also keep their duration.
 */
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers";
import timersPromises from "node:timers/promises";

const LEAST_SCALED_MS = 250;

const speed = Number(process.env.SPEED || 1);
if (!(speed >= 1 && Number.isFinite(speed))) {
  console.error(`SPEED=${process.env.SPEED}: a number of at least 1 is needed`);
  process.exit(2);
}
if (speed > 1) speedUp(speed);

function speedUp(speed: number): void {
  const RealDate = Date;
  /** Start time shared by all processes and threads of a run, which must agree on the time. */
  const start = Number((process.env.SPEED_SINCE ??= String(RealDate.now())));
  const now = (): number => Math.floor(start + (RealDate.now() - start) * speed);
  globalThis.Date = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget === Date ? target : newTarget),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });

  const realNow = performance.now.bind(performance);
  performance.now = () => realNow() * speed;

  const scaled = (delay: unknown): unknown =>
    typeof delay === "number" && delay >= LEAST_SCALED_MS ? delay / speed : delay;
  /** Returns a function in which the argument at this position, a delay, is scaled. */
  const scaling = <F extends object>(real: F, place: number): F =>
    new Proxy(real, {
      apply: (target, self, values: unknown[]) =>
        Reflect.apply(
          target as () => unknown,
          self,
          values.map((value, at) => (at === place ? scaled(value) : value)),
        ),
    });
  timers.setTimeout = globalThis.setTimeout = scaling(globalThis.setTimeout, 1);
  timers.setInterval = globalThis.setInterval = scaling(globalThis.setInterval, 1);
  timersPromises.setTimeout = scaling(timersPromises.setTimeout, 0);
  timersPromises.setInterval = scaling(timersPromises.setInterval, 0);
  AbortSignal.timeout = scaling(AbortSignal.timeout, 0);
  syncBuiltinESMExports();
}
