import type { MergeType } from "../../contract/merge-schema.ts";
import type { FieldSetNode } from "../fieldpath/field-set.ts";
import type { Comparison } from "./comparison.ts";

/** What the steps of one type may cost before all of them are forgotten. */
const MAX_COST = 512 * 1024;
/** The same for all types together: requests may fill those of many kinds. */
const MAX_TOTAL_COST = 4 * MAX_COST;
/** Outlines that cost more are not worth caching: they rarely repeat, and names may be as long as a request. */
export const MAX_OUTLINE_COST = 32 * 1024;
/** Of a step beside the characters of its name. */
const STEP_COST = 16;

/** A name in the outline of a value, or where what is inside the name before begins and ends, how its zero value was changed, or its paths. */
export type Token = string | typeof INSIDE | typeof END | typeof SAME | typeof CHANGED | FieldSetNode;
export const INSIDE = Symbol("inside");
export const END = Symbol("end");
export const SAME = Symbol("same");
export const CHANGED = Symbol("changed");

/**
 * Caches the paths of values of a type by outline: the names in it, which are the same for values with the same paths. Objects of a kind
 * resemble each other, so most new objects hit the cache. Outlines are a tree, in which those that begin alike share steps:
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

/** What all trees cost that were made since all were forgotten. */
interface Total {
  cost: number;
}
let total: Total = { cost: 0 };

/** How much memory a step takes, about. */
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

  /** The step after another one. */
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

/** Most steps have one that follows. */
export class OutlineStep {
  token: Token | undefined = undefined;
  next: OutlineStep | undefined = undefined;
  others: Map<Token, OutlineStep> | undefined = undefined;
  /** The paths of values whose outline ends here. */
  content: FieldSetNode | undefined = undefined;
  /** How new objects whose outline ends here differ from one with nothing set. */
  comparison: Comparison | undefined = undefined;
  /** Type of the value that the step names; the steps before it tell where that is. */
  type: MergeType | undefined = undefined;
}
