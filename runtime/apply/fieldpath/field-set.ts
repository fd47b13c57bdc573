import type { Steps } from "../../lib/in-turns.ts";
import type { JsonObject } from "../../lib/json-object.ts";
import { sortElements } from "./element-order.ts";
import type { Path } from "./path.ts";
import type { PathElement } from "./path-element.ts";

/**
 * What a set says about one element: whether the path ending here belongs to the set, and which longer paths do.
 * A node without either does not exist.
 */
export interface FieldSetNode {
  readonly member: boolean;
  readonly children: FieldSet | undefined;
}

/** So much larger, a set is what the other one is added to: unions with few nodes keep their identity otherwise. */
const MANY_NODES = 1000;

/** Nodes of a large set that are copied, or looked at, in one step. */
const NODES_PER_STEP = 2000;

/** Shared by all paths that end here. */
export const LEAF: FieldSetNode = { member: true, children: undefined };

/**
 * An immutable set of paths, held as a trie:
 *
 *     .metadata.labels and .metadata.labels.app   metadata -> labels (member) -> app (member)
 *
 * A path may be a member without its descendants and the other way round. Operations share what they do not change:
 * one that changes nothing returns the same set, so "did anything change" is a comparison by identity.
 */
export class FieldSet {
  static readonly EMPTY = new FieldSet(new Map());

  readonly nodes: ReadonlyMap<PathElement, FieldSetNode>;
  /** The set as FieldsV1, without and with a path that ends where the set begins; kept by `setToFieldsV1`. */
  printed: JsonObject | undefined = undefined;
  printedAsMember: JsonObject | undefined = undefined;
  /** Unique number of an interned set (equal interned sets are one object); set by `internSet`. */
  number = 0;

  /** `nodes` must not change afterwards, nor hold nodes without member and children. */
  constructor(nodes: ReadonlyMap<PathElement, FieldSetNode>) {
    this.nodes = nodes;
  }

  static of(...paths: readonly Path[]): FieldSet {
    const builder = new FieldSetBuilder();
    for (const path of paths) builder.insert(path);
    return builder.build();
  }

  /** In pairs, because each union copies: one after the other would copy the first sets once for every set. */
  static unionOf(sets: readonly FieldSet[]): FieldSet {
    let level = sets;
    while (level.length > 1) {
      const next: FieldSet[] = [];
      for (let i = 0; i < level.length; i += 2) {
        const [a, b] = [level[i] as FieldSet, level[i + 1]];
        next.push(b === undefined ? a : a.union(b));
      }
      level = next;
    }
    return level[0] ?? FieldSet.EMPTY;
  }

  get isEmpty(): boolean {
    return this.nodes.size === 0;
  }

  /** How many paths belong to the set. */
  get size(): number {
    let count = 0;
    for (const node of this.nodes.values()) count += (node.member ? 1 : 0) + (node.children?.size ?? 0);
    return count;
  }

  has(path: Path): boolean {
    let set: FieldSet | undefined = this;
    for (let i = 0; i < path.length; i++) {
      const node: FieldSetNode | undefined = set?.nodes.get(path[i] as PathElement);
      if (node === undefined) return false;
      if (i === path.length - 1) return node.member;
      set = node.children;
    }
    return false;
  }

  /** The members below an element, as paths from there. */
  below(element: PathElement): FieldSet {
    return this.nodes.get(element)?.children ?? FieldSet.EMPTY;
  }

  union(other: FieldSet): FieldSet {
    if (other === this || other.isEmpty) return this;
    if (this.isEmpty) return other;
    const [large, small] = other.nodes.size > MANY_NODES + this.nodes.size ? [other, this] : [this, other];
    return large.#replaceNodes(small.nodes.keys(), (element, mine) =>
      uniteNodes(mine, small.nodes.get(element) as FieldSetNode),
    );
  }

  /** `union` of large sets; may be interrupted. */
  *unionSteps(other: FieldSet): Steps<FieldSet> {
    if (other === this || other.isEmpty) return this;
    if (this.isEmpty) return other;
    const [large, small] = other.nodes.size > MANY_NODES + this.nodes.size ? [other, this] : [this, other];
    return yield* large.#replaceNodesSteps(small.nodes, function* (mine, theirs): Steps<FieldSetNode | undefined> {
      if (mine?.children === undefined || theirs.children === undefined) return uniteNodes(mine, theirs);
      const children = yield* mine.children.unionSteps(theirs.children);
      return makeNode(mine.member || theirs.member, children, mine);
    });
  }

  intersection(other: FieldSet): FieldSet {
    if (other === this || this.isEmpty) return this;
    if (other.isEmpty) return other;
    const [small, large] = this.nodes.size <= other.nodes.size ? [this, other] : [other, this];
    const nodes = new Map<PathElement, FieldSetNode>();
    for (const [element, a] of small.nodes) {
      const b = large.nodes.get(element);
      if (b === undefined) continue;
      const children =
        a.children !== undefined && b.children !== undefined ? a.children.intersection(b.children) : undefined;
      const node = makeNode(a.member && b.member, children);
      if (node !== undefined) nodes.set(element, node);
    }
    return fromNodes(nodes);
  }

  /** The paths that are here and not there. Only equal paths cancel out: a parent there leaves its children here. */
  difference(other: FieldSet): FieldSet {
    if (other === this) return FieldSet.EMPTY;
    return this.#subtract(other, (mine, theirs) => {
      const children =
        mine.children !== undefined && theirs.children !== undefined
          ? mine.children.difference(theirs.children)
          : mine.children;
      return makeNode(mine.member && !theirs.member, children, mine);
    });
  }

  /** `difference` of large sets; may be interrupted. */
  *differenceSteps(other: FieldSet): Steps<FieldSet> {
    if (other === this) return FieldSet.EMPTY;
    if (this.isEmpty || other.isEmpty) return this;
    const isSmall = this.nodes.size <= other.nodes.size;
    return yield* this.#replaceNodesSteps(
      (isSmall ? this : other).nodes,
      function* (
        mine: FieldSetNode | undefined,
        walked: FieldSetNode,
        element: PathElement,
      ): Steps<FieldSetNode | undefined> {
        const theirs = isSmall ? other.nodes.get(element) : walked;
        if (mine === undefined || theirs === undefined) return mine;
        const isBoth = mine.children !== undefined && theirs.children !== undefined;
        const children = isBoth ? yield* mine.children.differenceSteps(theirs.children) : mine.children;
        return makeNode(mine.member && !theirs.member, children, mine);
      },
    );
  }

  /** Like `difference`, but a path there removes everything below it here. */
  recursiveDifference(other: FieldSet): FieldSet {
    return this.#subtract(other, (mine, theirs) => {
      if (theirs.member) return undefined;
      const children =
        mine.children !== undefined && theirs.children !== undefined
          ? mine.children.recursiveDifference(theirs.children)
          : mine.children;
      return makeNode(mine.member, children, mine);
    });
  }

  /** The members that have no member below them. */
  leaves(): FieldSet {
    return this.#replaceNodes(this.nodes.keys(), (_element, mine) => {
      if (mine?.children === undefined) return mine;
      return makeNode(false, mine.children.leaves(), mine);
    });
  }

  isSubsetOf(other: FieldSet): boolean {
    if (other === this) return true;
    if (this.nodes.size > other.nodes.size) return false;
    for (const [element, mine] of this.nodes) {
      const theirs = other.nodes.get(element);
      if (theirs === mine) continue;
      if (theirs === undefined || (mine.member && !theirs.member)) return false;
      if (mine.children !== undefined && !mine.children.isSubsetOf(theirs.children ?? FieldSet.EMPTY)) return false;
    }
    return true;
  }

  equals(other: FieldSet): boolean {
    if (other === this) return true;
    if (other.nodes.size !== this.nodes.size) return false;
    for (const [element, mine] of this.nodes) {
      const theirs = other.nodes.get(element);
      if (theirs === mine) continue;
      if (theirs === undefined || theirs.member !== mine.member) return false;
      if ((theirs.children ?? FieldSet.EMPTY).equals(mine.children ?? FieldSet.EMPTY) === false) return false;
    }
    return true;
  }

  /** Every member once, in canonical order: the members of a level before what is below them. */
  *paths(prefix: Path = []): Generator<Path> {
    const elements = sortElements(this.nodes.keys());
    for (const element of elements) {
      if (this.nodes.get(element)?.member) yield [...prefix, element];
    }
    for (const element of elements) {
      const children = this.nodes.get(element)?.children;
      if (children !== undefined) yield* children.paths([...prefix, element]);
    }
  }

  /** Walks the smaller side only; nodes on both sides become what `combine` makes of them. */
  #subtract(
    other: FieldSet,
    combine: (mine: FieldSetNode, theirs: FieldSetNode) => FieldSetNode | undefined,
  ): FieldSet {
    if (this.isEmpty || other.isEmpty) return this;
    const small = this.nodes.size <= other.nodes.size ? this : other;
    return this.#replaceNodes(small.nodes.keys(), (element, mine) => {
      const theirs = other.nodes.get(element);
      return mine === undefined || theirs === undefined ? mine : combine(mine, theirs);
    });
  }

  /** A copy with some nodes replaced or removed; this set itself if none of them differs. */
  #replaceNodes(
    elements: Iterable<PathElement>,
    replace: (element: PathElement, mine: FieldSetNode | undefined) => FieldSetNode | undefined,
  ): FieldSet {
    let nodes: Map<PathElement, FieldSetNode> | undefined;
    for (const element of elements) {
      const mine = this.nodes.get(element);
      const next = replace(element, mine);
      if (next === mine) continue;
      nodes ??= new Map(this.nodes);
      if (next === undefined) nodes.delete(element);
      else nodes.set(element, next);
    }
    return nodes === undefined ? this : fromNodes(nodes);
  }

  /** The same of a large set for all elements of another one; may be interrupted. */
  *#replaceNodesSteps(walked: ReadonlyMap<PathElement, FieldSetNode>, replace: ReplaceSteps): Steps<FieldSet> {
    let nodes: Map<PathElement, FieldSetNode> | undefined;
    let count = 0;
    for (const [element, node] of walked) {
      if (++count % NODES_PER_STEP === 0) yield;
      const mine = this.nodes.get(element);
      const next = yield* replace(mine, node, element);
      if (next === mine) continue;
      nodes ??= yield* copyNodesSteps(this.nodes);
      if (next === undefined) nodes.delete(element);
      else nodes.set(element, next);
    }
    return nodes === undefined ? this : fromNodes(nodes);
  }
}

type ReplaceSteps = (
  mine: FieldSetNode | undefined,
  walked: FieldSetNode,
  element: PathElement,
) => Steps<FieldSetNode | undefined>;

function* copyNodesSteps(nodes: ReadonlyMap<PathElement, FieldSetNode>): Steps<Map<PathElement, FieldSetNode>> {
  const copy = new Map<PathElement, FieldSetNode>();
  for (const [element, node] of nodes) {
    if (copy.size % NODES_PER_STEP === NODES_PER_STEP - 1) yield;
    copy.set(element, node);
  }
  return copy;
}

/** Collects paths one by one. The set it builds takes over its content: build once, at the end. */
export class FieldSetBuilder {
  readonly #root: DraftLevel = new Map();

  /** The empty path, which is the object itself, has no owner and is ignored. */
  insert(path: Path): void {
    let level = this.#root;
    const last = path.length - 1;
    for (let i = 0; i <= last; i++) {
      const element = path[i] as PathElement;
      if (i < last) {
        level = levelBelow(level, element);
        continue;
      }
      const node = level.get(element);
      if (node === undefined) level.set(element, LEAF);
      else if (node instanceof DraftNode) node.member = true;
    }
  }

  /** Inserts a whole node at a path. Nothing else may be inserted at or below that path. */
  graft(path: Path, node: FieldSetNode): void {
    let level = this.#root;
    const last = path.length - 1;
    for (let i = 0; i < last; i++) level = levelBelow(level, path[i] as PathElement);
    if (last >= 0) level.set(path[last] as PathElement, node);
    else for (const [element, below] of node.children?.nodes ?? []) this.graft([element], below);
  }

  build(): FieldSet {
    return buildLevel(this.#root);
  }
}

/** A node with paths below it that may still change. */
class DraftNode {
  member: boolean;
  readonly below: DraftLevel = new Map();

  constructor(member: boolean) {
    this.member = member;
  }
}

type DraftLevel = Map<PathElement, DraftNode | FieldSetNode>;

function levelBelow(level: DraftLevel, element: PathElement): DraftLevel {
  const node = level.get(element);
  if (node instanceof DraftNode) return node.below;
  const draft = new DraftNode(node?.member === true);
  level.set(element, draft);
  return draft.below;
}

/** Drafts become nodes in place: a level may have many. */
function buildLevel(level: DraftLevel): FieldSet {
  level.forEach((node, element) => {
    if (node instanceof DraftNode) level.set(element, { member: node.member, children: buildLevel(node.below) });
  });
  return fromNodes(level as Map<PathElement, FieldSetNode>);
}

export function fromNodes(nodes: ReadonlyMap<PathElement, FieldSetNode>): FieldSet {
  return nodes.size === 0 ? FieldSet.EMPTY : new FieldSet(nodes);
}

/** A node with these properties: `same` if it has them already, undefined if it would be empty. */
export function makeNode(
  member: boolean,
  children: FieldSet | undefined,
  same?: FieldSetNode,
): FieldSetNode | undefined {
  const below = children?.isEmpty ? undefined : children;
  if (same !== undefined && same.member === member && same.children === below) return same;
  if (below === undefined) return member ? LEAF : undefined;
  return { member, children: below };
}

function uniteNodes(a: FieldSetNode | undefined, b: FieldSetNode): FieldSetNode {
  if (a === undefined || a === b) return b;
  const children =
    a.children === undefined ? b.children : b.children === undefined ? a.children : a.children.union(b.children);
  const member = a.member || b.member;
  return makeNode(member, children, a) ?? b;
}
