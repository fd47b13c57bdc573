import { expect, test } from "vitest";
import { Turns } from "../../runtime/http/pipeline/turns.ts";

function byHand(share = 0) {
  const asked: (() => void)[] = [];
  const begunAll: (() => void)[] = [];
  const time = { now: 0 };
  const turns = new Turns(2, share, {
    next: (turn) => asked.push(turn),
    afterBegun: (more) => begunAll.push(more),
    monotonic: () => time.now,
  });
  const begun: number[] = [];
  return {
    asked,
    begun,
    time,
    /** The started work has progressed as far as possible. */
    async goOn() {
      begunAll.shift()?.();
      await Promise.resolve();
    },
    enter: (number: number) => {
      const turn = turns.enter();
      if (turn === undefined) begun.push(number);
      else void turn.then(() => begun.push(number));
    },
    async turn() {
      asked.shift()?.();
      await Promise.resolve();
    },
  };
}

test("a few tasks start at once, the others in the order of arrival", async () => {
  const { asked, begun, enter, turn } = byHand();
  for (let number = 0; number < 5; number++) enter(number);
  expect(begun).toEqual([0, 1]);
  await turn();
  expect(begun).toEqual([0, 1, 2, 3]);
  await turn();
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  await turn();
  expect(asked).toEqual([]);
});

test("a new task does not overtake waiting tasks", async () => {
  const { begun, enter, turn } = byHand();
  for (let number = 0; number < 4; number++) enter(number);
  await turn();
  enter(4);
  expect(begun).toEqual([0, 1, 2, 3]);
  await turn();
  enter(5);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
});

test("a finished task frees its slot even if no task is waiting", async () => {
  const { asked, begun, enter, turn } = byHand();
  enter(0);
  enter(1);
  await turn();
  expect(asked).toEqual([]);
  enter(2);
  expect(begun).toEqual([0, 1, 2]);
  expect(asked).toHaveLength(1);
});

test("the event loop handles other events between two tasks", async () => {
  const turns = new Turns(1);
  const order: string[] = [];
  const enter = async (name: string) => {
    await turns.enter();
    order.push(name);
    if (name === "first") setImmediate(() => order.push("what came meanwhile"));
  };
  await Promise.all([enter("first"), enter("second"), enter("third")]);
  expect(order).toEqual(["first", "second", "what came meanwhile", "third"]);
});

test("more tasks begin while they take less than their share of the turn before", async () => {
  const { begun, enter, goOn, time, turn } = byHand(1 / 2);
  for (let number = 0; number < 20; number++) enter(number);
  time.now = 40;
  await turn();
  expect(begun).toHaveLength(4);
  time.now = 59;
  await goOn();
  expect(begun).toHaveLength(6);
  time.now = 60;
  await goOn();
  expect(begun).toHaveLength(6);
  time.now = 100;
  await turn();
  time.now = 129;
  await goOn();
  expect(begun).toHaveLength(10);
});

test("with a share of long turns, everything begun does what it can before more begins", async () => {
  const turns = new Turns(1, 1 / 2);
  const order: string[] = [];
  const enter = async (name: string) => {
    await turns.enter();
    await Promise.resolve();
    await Promise.resolve();
    order.push(name);
  };
  const hold = (ms: number) => {
    for (const until = performance.now() + ms; performance.now() < until; );
  };
  const all = Promise.all([enter("first"), enter("second"), enter("third")]);
  setImmediate(() => order.push("what came meanwhile"));
  hold(200);
  await all;
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual(["first", "second", "third", "what came meanwhile"]);
});
