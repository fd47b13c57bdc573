import { describe, expect, it } from "vitest";
import type { StructuralSchema } from "../../runtime/cel/schema/structural-schema.ts";
import { evaluateOn } from "./evaluate.ts";

const formatted = (format: string): StructuralSchema => ({ type: "string", format });
const list = (items: StructuralSchema): StructuralSchema => ({ type: "array", items });
const SCHEMA: StructuralSchema = {
  type: "object",
  properties: {
    durations: list(formatted("duration")),
    times: list(formatted("date-time")),
    dates: list(formatted("date")),
    bytes: list(formatted("byte")),
    objects: list({ type: "object", properties: { every: formatted("duration"), note: { type: "string" } } }),
    names: list({ type: "string" }),
    numbers: list({ type: "number" }),
  },
};
const OBJECT = {
  durations: ["1h", "30s", "60m"],
  times: ["2024-01-01T00:00:00Z", "2024-06-01T12:00:00+02:00"],
  dates: ["2024-01-01"],
  bytes: ["aGk=", "eW8="],
  objects: [{ every: "1h", note: "a" }, { every: "90s" }],
  names: ["a", "b", "a"],
  numbers: [1, 2.5],
};

describe("functions on lists of a schema compare elements as their format means them", () => {
  it.each([
    "self.durations.indexOf(duration('3600s')) == 0 && self.durations.lastIndexOf(duration('1h')) == 2",
    "self.durations.indexOf(duration('2h')) == -1 && self.durations.lastIndexOf(duration('2h')) == -1",
    "self.times.indexOf(timestamp('2024-06-01T10:00:00Z')) == 1",
    "self.times.lastIndexOf(self.times[1]) == 1",
    "self.dates.indexOf(timestamp('2024-01-01T00:00:00Z')) == 0",
    "self.bytes.indexOf(b'yo') == 1 && self.bytes.lastIndexOf(b'hi') == 0",
    "sets.contains(self.durations, [duration('3600s'), duration('30s')])",
    "!sets.contains(self.durations, [duration('3601s')])",
    "sets.contains([duration('1h'), duration('30s')], self.durations)",
    "sets.intersects(self.durations, [duration('30000ms')]) && !sets.intersects(self.durations, [duration('1s')])",
    "sets.intersects([timestamp('2024-06-01T10:00:00Z')], self.times)",
    "sets.equivalent(self.durations, [duration('30s'), duration('1h')])",
    "sets.equivalent(self.bytes, [b'yo', b'hi', b'hi'])",
    "self.durations.first().value().getMinutes() == 60 && self.durations.last().value() == duration('1h')",
    "self.times.last().optMap(t, t.getHours()).orValue(0) == 10",
    "self.durations.filter(d, d < duration('1h')).indexOf(duration('30s')) == 0",
    "(self.durations + [duration('2h')]).indexOf(duration('120m')) == 3",
    "self.objects.indexOf(self.objects[1]) == 1 && self.objects.lastIndexOf(self.objects[0]) == 0",
    "sets.contains(self.objects, [self.objects[1]]) && sets.intersects(self.objects, self.objects)",
    "self.names.indexOf('a') == 0 && self.names.lastIndexOf('a') == 2 && sets.contains(self.names, ['b'])",
    "self.numbers.indexOf(1.0) == 0 && sets.contains(self.numbers, [2.5, 1.0])",
    "dyn(self.durations).indexOf(duration('60m')) == 0 && sets.contains(dyn(self.durations), [duration('30s')])",
  ])("%s", (rule) => {
    expect(evaluateOn(SCHEMA, OBJECT, rule)).toBe(true);
  });

  it("objects whose durations are written differently are equal elements", () => {
    const object = { objects: [{ every: "60m" }, { every: "1h" }] };
    expect(evaluateOn(SCHEMA, object, "self.objects.indexOf(self.objects[1])")).toBe(0);
    expect(evaluateOn(SCHEMA, object, "sets.equivalent(self.objects, [self.objects[0]])")).toBe(true);
  });
});
