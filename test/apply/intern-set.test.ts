import { describe, expect, it } from "vitest";
import type { FieldSet, FieldSetNode } from "../../runtime/apply/fieldpath/field-set.ts";
import { internSet } from "../../runtime/apply/fieldpath/intern-set.ts";
import type { PathElement } from "../../runtime/apply/fieldpath/path-element.ts";
import { identityKey, identityOfKey } from "../../runtime/apply/managed-fields/manager-identity.ts";

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
  it("are the same instance if they contain the same fields", () => {
    expect(setOf(["f:a", setOf(["f:x"])])).toBe(setOf(["f:a", setOf(["f:x"])]));
  });

  it("are different if the name of one field equals the joined names of two others", () => {
    // Set 1 followed by a name of 23 characters, or set 12 followed by a name of 3: without a separator, both would be "123:".
    const first = setOf(["f:below"]);
    let second = first;
    for (let i = 0; second.number < first.number * 10 + 2; i++) second = setOf([`f:below${i}`]);
    expect(second.number).toBe(first.number * 10 + 2);
    const one = setOf(["f:a", first], ["f:b!-114:f:cccccccccccc"]);
    const other = setOf(["f:a", second], ["f:b"], ["f:cccccccccccc"]);
    expect(other).not.toBe(one);
    expect([...other.nodes.keys()]).toEqual(["f:a", "f:b", "f:cccccccccccc"]);
  });

  it("are not kept for names as long as a request", () => {
    const long = `f:${"a".repeat(100_000)}`;
    expect([...setOf([long]).nodes.keys()]).toEqual([long]);
    expect(setOf([long])).not.toBe(setOf([long]));
    expect(setOf(["f:a", setOf([long])])).not.toBe(setOf(["f:a", setOf([long])]));
  });
});

describe("identities of managers", () => {
  it("are kept, but not for names as long as a request", () => {
    const keyOf = (manager: string) => identityKey(manager, "Update", "v1", "");
    const [short, long] = ["kubelet", "a".repeat(100_000)].map((manager) => keyOf(manager)) as [string, string];
    expect(identityOfKey(short)).toBe(identityOfKey(short));
    expect(identityOfKey(long)).not.toBe(identityOfKey(long));
    expect(identityOfKey(long).manager).toHaveLength(100_000);
  });
});
