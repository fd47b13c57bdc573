import { expect, it } from "vitest";
import { sortElements, sortElementsSteps } from "../../runtime/apply/fieldpath/element-order.ts";
import { atOnce } from "../../runtime/lib/in-turns.ts";

it.each([
  [['k:{"name":""}', 'k:{"name":"a"}', 'k:{"name":"a-b"}', 'k:{"name":"a.c"}', 'k:{"name":"aa"}', 'k:{"name":"b"}']],
  [['k:{"name":"a"}', 'k:{"name":"a b"}', 'k:{"name":"a!"}']],
  [['k:{"mountPath":"/etc"}', 'k:{"mountPath":"/var"}', 'k:{"mountPath":"/var/run"}']],
  [["f:name", 'k:{"ip":"b"}', 'k:{"name":"a"}', 'v:"x"', "i:1"]],
  [['v:""', 'v:"a"', 'v:"a-b"', 'v:"a.b/c"', 'v:"aa"']],
  [["v:2", "v:10", 'v:"a"', 'v:"a b"', 'v:"a!"', "v:true"]],
])("orders elements by kind and content: %s", (elements) => {
  expect(sortElements([...elements].reverse())).toEqual(elements);
  expect(sortElements([...elements].sort())).toEqual(elements);
});

it.each([
  ["strings", (index: number) => `v:"a.b/f${index}"`],
  ["strings with other characters", (index: number) => `v:"a ${index}"`],
  ["numbers", (index: number) => `v:${index}`],
  ["strings and numbers", (index: number) => (index % 2 === 0 ? `v:${index}` : `v:"${index}"`)],
  ["entries with two keys", (index: number) => `k:{"port":${index},"protocol":"TCP"}`],
])("orders many elements alike in several turns: %s", (_what, element) => {
  const elements = Array.from({ length: 12_000 }, (_, index) => element((index * 7919) % 12_000));
  const steps = sortElementsSteps(elements);
  expect(steps.next().done).toBe(false);
  expect(atOnce(steps)).toEqual(sortElements(elements));
});
