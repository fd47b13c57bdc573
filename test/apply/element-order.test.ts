import { expect, it } from "vitest";
import { compareElements, sortElements } from "../../runtime/apply/fieldpath/element-order.ts";

it.each([
  [['k:{"name":"b"}', 'k:{"name":"a-b"}', 'k:{"name":"a"}', 'k:{"name":"a.c"}', 'k:{"name":""}', 'k:{"name":"aa"}']],
  [['k:{"name":"a b"}', 'k:{"name":"a"}', 'k:{"name":"a!"}']],
  [['k:{"mountPath":"/var/run"}', 'k:{"mountPath":"/var"}', 'k:{"mountPath":"/etc"}']],
  [['k:{"name":"a"}', 'k:{"ip":"b"}', "f:name", 'v:"x"', "i:1"]],
])("orders elements as comparing them one by one does: %s", (elements) => {
  expect(sortElements(elements)).toEqual([...elements].sort(compareElements));
});
