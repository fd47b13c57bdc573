import { PassThrough, Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { relay } from "../../runtime/lib/relay.ts";

/** A receiver that takes one write at a time, and only when it is told to. */
function receiver() {
  const written: Buffer[] = [];
  const taken: (() => void)[] = [];
  const stream = new Writable({
    highWaterMark: 4096,
    write(bytes: Buffer, _encoding, done) {
      written.push(bytes);
      taken.push(done);
    },
  });
  return { stream, written, take: () => taken.shift()?.() };
}

function waiting() {
  const waits: (number | "none")[] = [];
  return { waits, wait: (bytes: number) => void waits.push(bytes), resume: () => void waits.push("none") };
}

it("joins the short pieces of a turn into one write, and keeps the order with long ones", async () => {
  const [from, to] = [new PassThrough(), receiver()];
  relay(from, to.stream, waiting());
  const long = Buffer.alloc(2000, "l");
  for (const piece of ["a", "b", long, "c", "d"]) from.write(piece);
  await nextTurn();
  await nextTurn();
  for (let n = 0; n < 3; n++) to.take();
  expect(to.written.map(String)).toEqual(["ab", String(long), "cd"]);
});

it("tells how much waits while the receiver takes nothing, and reads on afterwards", async () => {
  const [from, to, counted] = [new PassThrough(), receiver(), waiting()];
  relay(from, to.stream, counted);
  from.write(Buffer.alloc(5000));
  await nextTurn();
  expect([from.isPaused(), counted.waits]).toEqual([true, [256 * 1024 + 2 * 5000]]);
  to.take();
  await nextTurn();
  expect([from.isPaused(), counted.waits.at(-1)]).toEqual([false, "none"]);
});

it("waits for a receiver that has not taken what was written before", () => {
  const [from, to, counted] = [new PassThrough(), receiver(), waiting()];
  to.stream.write(Buffer.alloc(5000));
  relay(from, to.stream, counted);
  expect([from.isPaused(), counted.waits.length]).toEqual([true, 1]);
});

it("ends the receiver after the last piece", async () => {
  const [from, to] = [new PassThrough(), receiver()];
  relay(from, to.stream, waiting());
  from.end("bye");
  await nextTurn();
  await nextTurn();
  to.take();
  expect([to.written.map(String), to.stream.writableEnded]).toEqual([["bye"], true]);
});

it.each(["the receiver is closed", "it is stopped"])("counts nothing any more when %s", async (how) => {
  const [from, to, counted] = [new PassThrough(), receiver(), waiting()];
  const stop = relay(from, to.stream, counted);
  from.write(Buffer.alloc(5000));
  await nextTurn();
  if (how === "it is stopped") stop();
  else to.stream.destroy();
  await nextTurn();
  expect(counted.waits.at(-1)).toBe("none");
  expect([from.listenerCount("data"), to.stream.listenerCount("drain")]).toEqual([0, 0]);
});
