import type { MergeType } from "../../contract/merge-schema.ts";
import type { FieldSetNode } from "../fieldpath/field-set.ts";
import type { Comparison } from "./comparison.ts";

/** Limit for the cost of the steps of one type. Beyond it, all of them are evicted. */
const MAX_COST = 512 * 1024;
/** Limit for the cost of all types together: requests may fill the trees of many kinds. */
const MAX_TOTAL_COST = 4 * MAX_COST;
/** Outlines that cost more are not cached: they rarely repeat, and names may be as long as a request. */
export const MAX_OUTLINE_COST = 32 * 1024;
/** Cost of a step, in addition to the characters of its name. */
const STEP_COST = 16;

/** An element of an outline: a name, the start or end of the content of the preceding name, how its zero value was changed, or its paths. */
export type Token = string | typeof INSIDE | typeof END | typeof SAME | typeof CHANGED | FieldSetNode;
export const INSIDE = Symbol("inside");
export const END = Symbol("end");
export const SAME = Symbol("same");
export const CHANGED = Symbol("changed");

/**
 * Caches the paths of values of a type by outline: the names in the value, which are equal for values with equal paths. Objects of a kind are
 * similar, so most new objects hit the cache. Outlines form a tree, in which those with a common beginning share steps:
 *
 *     {name: "a", ports: [{port: 1}]}    INSIDE name ports INSIDE k:{"port":1} INSIDE port END END END -> its paths
 */
export class ContentMemo {
  #ofType = new WeakMap<MergeType, OutlineTree>();
  #total = total;

  outlinesOf(type: MergeType): OutlineTree {
    if (total.cost > MAX_TOTAL_COST) total = { cost: 0 };
    if (this.#total !== total) {
      this.#ofType = new WeakMap();
      this.#total = total;
    }
    let tree = this.#ofType.get(type);
    if (tree === undefined || tree.cost > MAX_COST) this.#ofType.set(type, (tree = new OutlineTree(total)));
    return tree;
  }
}

/** Cost of all trees that were created since the last eviction of all trees. */
interface Total {
  cost: number;
}
let total: Total = { cost: 0 };

/** Approximate memory that a step takes. */
export function costOf(token: Token): number {
  return STEP_COST + (typeof token === "string" ? token.length : 0);
}

export class OutlineTree {
  readonly root = new OutlineStep();
  readonly #total: Total;
  cost = 0;

  constructor(total: Total) {
    this.#total = total;
  }

  /** Returns the step that follows `step` for a token. Creates it if necessary. */
  next(step: OutlineStep, token: Token, cost = costOf(token)): OutlineStep {
    if (step.token === token) return step.next as OutlineStep;
    let next = step.others?.get(token);
    if (next === undefined) {
      next = new OutlineStep();
      this.cost += cost;
      this.#total.cost += cost;
      if (step.next === undefined) {
        step.token = token;
        step.next = next;
      } else {
        step.others ??= new Map();
        step.others.set(token, next);
      }
    }
    return next;
  }
}

/** A node of the tree. Most have a single successor, which is stored without a map. */
export class OutlineStep {
  token: Token | undefined = undefined;
  next: OutlineStep | undefined = undefined;
  others: Map<Token, OutlineStep> | undefined = undefined;
  /** The paths of values whose outline ends here. */
  content: FieldSetNode | undefined = undefined;
  /** The difference between a new object whose outline ends here and an object with no fields set. */
  comparison: Comparison | undefined = undefined;
  /** Type of the value that the step names. The preceding steps determine its path. */
  type: MergeType | undefined = undefined;
}
