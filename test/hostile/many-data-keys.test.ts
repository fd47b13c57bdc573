import { expect, it } from "vitest";
import { hooks } from "../../api-definitions/core/v1/secret.hooks.ts";
import { validateDeleteOptions } from "../../runtime/resource/delete-options.ts";
import { defaultContext } from "../fixtures/default-context.ts";

/** As many keys as fit into a body, made one after another as a decoder does. */
function keys(letter: string): Record<string, string> {
  const map: Record<string, string> = {};
  for (let index = 0; index < 250_000; index++) map[`${letter}${index}`] = "";
  return map;
}

/** CPU time of this thread in milliseconds: the best of three. */
function timeOf<T>(make: () => T, run: (input: T) => unknown): number {
  const times = [1, 2, 3].map(() => {
    const input = make();
    const start = process.threadCpuUsage();
    run(input);
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

it("makes data of 250,000 strings of a Secret in a fraction of a second", () => {
  const make = () => ({ metadata: { name: "x" }, stringData: keys("a") });
  expect(timeOf(make, (secret) => hooks.default?.(secret, defaultContext()))).toBeLessThan(250);
});

it("names the first 10,000 values of dryRun that are wrong", () => {
  const [error] = validateDeleteOptions({ dryRun: Array.from({ length: 500_000 }, () => "A") });
  expect(error?.message.slice(-60)).toMatch(/"A", "A", and 490000 more\}: supported values: "All"$/);
  expect(error?.message.length).toBeLessThan(60_000);
});
