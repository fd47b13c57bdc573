import { expect, test } from "vitest";
import { Turns } from "../../runtime/http/pipeline/turns.ts";

function byHand() {
  const asked: (() => void)[] = [];
  const turns = new Turns(2, (turn) => asked.push(turn));
  const begun: number[] = [];
  return {
    asked,
    begun,
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
