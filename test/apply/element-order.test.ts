import { expect, it } from "vitest";
import { sortElements } from "../../runtime/apply/fieldpath/element-order.ts";

it.each([
  [['k:{"name":""}', 'k:{"name":"a"}', 'k:{"name":"a-b"}', 'k:{"name":"a.c"}', 'k:{"name":"aa"}', 'k:{"name":"b"}']],
  [['k:{"name":"a"}', 'k:{"name":"a b"}', 'k:{"name":"a!"}']],
  [['k:{"mountPath":"/etc"}', 'k:{"mountPath":"/var"}', 'k:{"mountPath":"/var/run"}']],
  [["f:name", 'k:{"ip":"b"}', 'k:{"name":"a"}', 'v:"x"', "i:1"]],
])("orders elements by kind and content: %s", (elements) => {
  expect(sortElements([...elements].reverse())).toEqual(elements);
  expect(sortElements([...elements].sort())).toEqual(elements);
});
