import { describe, expect, it } from "vitest";
import type { FieldSet, FieldSetNode } from "../../runtime/apply/fieldpath/field-set.ts";
import { internSet } from "../../runtime/apply/fieldpath/intern-set.ts";
import type { PathElement } from "../../runtime/apply/fieldpath/path-element.ts";

const setOf = (...nodes: (readonly [element: string, below?: FieldSet])[]): FieldSet =>
  internSet(
    new Map(
      nodes.map(([element, children]): [PathElement, FieldSetNode] => [
        element as PathElement,
        { member: children === undefined, children },
      ]),
    ),
  );

describe("interned sets of fields", () => {
  it("are the same where they hold the same", () => {
    expect(setOf(["f:a", setOf(["f:x"])])).toBe(setOf(["f:a", setOf(["f:x"])]));
  });

  it("are different where one field has the name that two others would have in a key", () => {
    const below = new Map<number, FieldSet>();
    for (let i = 0; i < 400; i++) {
      const set = setOf([`f:below${i}`]);
      below.set(set.number, set);
    }
    // Set 1 and then a name of 23 characters, or set 12 and then a name of 3: each is "123:" where nothing stands between.
    const [first, second] =
      [...below.keys()]
        .map((number) => [below.get(number), below.get(number * 10 + 2)])
        .find(([, other]) => other !== undefined) ?? [];
    expect(second).toBeDefined();
    const one = setOf(["f:a", first], ["f:b!-114:f:cccccccccccc"]);
    const other = setOf(["f:a", second], ["f:b"], ["f:cccccccccccc"]);
    expect(other).not.toBe(one);
    expect([...other.nodes.keys()]).toEqual(["f:a", "f:b", "f:cccccccccccc"]);
  });
});
